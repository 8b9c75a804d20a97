"""Parsing of repository URLs."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from docstead.agent.workspace.remote import GitCredentials, GitRemote

_NUMBER = re.compile(r"/(\d{1,9})/?\Z")
_SHORT_SSH = re.compile(r"(?:[^@/]+@)?(?P<host>[^:/]+):(?P<path>.+)")


def host_of(remote: GitRemote) -> str:
    """Return the host, with the port of an https URL; "" if there is none."""
    parts = urlsplit(remote.url)
    if parts.scheme == "https":
        return parts.netloc.lower()
    if parts.scheme:
        return (parts.hostname or "").lower()
    short = _SHORT_SSH.fullmatch(remote.url)
    return short["host"].lower() if short else ""


def repository_of(remote: GitRemote) -> str:
    """Return the path on the server, such as `acme/handbook`."""
    short = None if "://" in remote.url else _SHORT_SSH.fullmatch(remote.url)
    path = short["path"] if short else unquote(urlsplit(remote.url).path)
    return path.strip("/").removesuffix(".git")


def number_of(change_url: str) -> int | None:
    """Return the number of a pull request on GitHub or GitLab, or None."""
    found = _NUMBER.search(change_url)
    return int(found[1]) if found else None


def credentials_for(remote: GitRemote, username: str, password: str) -> GitCredentials | None:
    """Return git credentials for a token, or those in the source's URL."""
    if remote.protocol != "https" or not password:
        return remote.credentials
    return GitCredentials(username, password)
