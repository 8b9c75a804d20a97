"""A project's source as a repository that takes branches."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from docstead.base.errors import InvalidRequest
from docstead.publishing.git import Credentials, Git, GitFailed
from docstead.publishing.sources import Source

_SHORT_SSH = re.compile(r"(?:[^@/]+@)?(?P<host>[^:/]+):(?P<path>.+)")


@dataclass(frozen=True, slots=True)
class Remote:
    """Where git fetches and pushes.

    `address` holds no password; `root` is the folder inside the repository that holds
    `docs.json`; `ref` is the branch that changes go to, None for the default branch.
    """

    address: str
    protocol: str
    root: str = ""
    ref: str | None = None
    given: Credentials | None = None  # what the source's own address held

    @property
    def host(self) -> str:
        """The server's name, with its port where the address has one; "" for local ones."""
        parts = urlsplit(self.address)
        if parts.scheme == "https":
            return parts.netloc.rpartition("@")[2].lower()
        if parts.scheme:
            return (parts.hostname or "").lower()
        short = _SHORT_SSH.fullmatch(self.address)
        return short["host"].lower() if short else ""

    @property
    def repository(self) -> str:
        """The path on the server, such as `acme/handbook`."""
        short = None if "://" in self.address else _SHORT_SSH.fullmatch(self.address)
        path = short["path"] if short else unquote(urlsplit(self.address).path)
        return path.strip("/").removesuffix(".git")

    @property
    def is_https(self) -> bool:
        return self.protocol == "https"

    def git(self, directory: Path, credentials: Credentials | None = None) -> Git:
        """Git in a repository of ours, allowed to talk to this remote and to no other."""
        return Git(directory, self.protocol, credentials=credentials)


def remote_of(source: Source) -> Remote:
    """The repository of a source.

    Raises:
        InvalidRequest: the source is a folder without git, which has no branches.
    """
    if source.protocol is None:
        return _local(source)
    given, address = _without_credentials(source.location)
    return Remote(address, source.protocol, source.root.strip("/"), source.ref, given)


def _local(source: Source) -> Remote:
    folder = Path(source.location).expanduser().resolve()
    try:
        git = Git(folder)
        top = git.text("rev-parse", "--show-toplevel").strip()
        prefix = git.text("rev-parse", "--show-prefix").strip()
    except (GitFailed, OSError) as error:
        raise InvalidRequest(
            f"source: {source.shown} is not a git repository; agent jobs need one"
        ) from error
    root = "/".join(part for part in (prefix.strip("/"), source.root.strip("/")) if part)
    return Remote(Path(top).as_uri(), "file", root, source.ref)


def _without_credentials(address: str) -> tuple[Credentials | None, str]:
    """An https address may carry a user and a password; git is told them another way."""
    parts = urlsplit(address)
    if parts.scheme != "https" or "@" not in parts.netloc:
        return None, address
    host = parts.netloc.rpartition("@")[2]
    bare = urlunsplit(parts._replace(netloc=host))
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return Credentials(f"https://{host}", user, password), bare


def credentials_for(remote: Remote, username: str, password: str) -> Credentials | None:
    """A token as git takes it; None where the address is not one that takes tokens."""
    if not remote.is_https or not password:
        return remote.given
    return Credentials(f"https://{remote.host}", username, password)
