"""Where a repository is, and how git shows who asks for it.

Credentials travel in git's environment alone: never on a command line, in a stored
setting or in an address that a message could repeat. Git sends them to the host of the
address and to no other.

A repository on this machine runs its own hooks when it is pushed to, as one on a server does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from docstead.agent.workspace.limits import WorkspaceLimits
from docstead.base.errors import SourceUnreadable
from docstead.publishing.git import Git, GitFailed, HostCredentials
from docstead.publishing.sources import Source, checked_protocol, inner_folder

_USER_PART = re.compile(r"\A(?P<scheme>https?)://(?P<user>[^/@]*)@", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Credentials:
    """A user name and a password or token, for https."""

    username: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Remote:
    """A git repository at an address without credentials; `root` is the documentation's."""

    address: str
    protocol: str
    ref: str | None
    root: str
    credentials: Credentials | None = None

    @classmethod
    def of(cls, source: Source, credentials: Credentials | None = None) -> Remote:
        """Raises `SourceUnreadable` where the source is no git repository or not allowed."""
        root = inner_folder(source.root)
        protocol = checked_protocol(source)
        if protocol is None:
            return _of_folder(source, root)
        if match := _USER_PART.match(source.location):
            credentials = credentials or _of_user_part(match["user"])
            address = f"{match['scheme']}://{source.location[match.end() :]}"
            source = replace(source, location=address)
        _refuse_control_characters(credentials)
        return cls(source.location, protocol, source.ref, root, credentials)

    def git(self, directory: Path, limits: WorkspaceLimits) -> Git:
        """Git in a directory, allowed to talk to this remote."""
        return Git(
            directory,
            self.protocol,
            file_limit_bytes=limits.repository_bytes,
            credentials=self.host_credentials(),
        )

    def explained(self, error: GitFailed) -> SourceUnreadable:
        """Git's failure in words that say what to do."""
        text = error.printed or error.message
        if "File too large" in text or "SIGXFSZ" in text or "signal 25" in text:
            return SourceUnreadable(f"{self.address}: the repository is larger than is allowed")
        if self.credentials and _is_refusal(f"{error.message}\n{text}"):
            reason = "there is no such repository, or the token may not read it"
            return SourceUnreadable(f"{self.address}: {reason}")
        return SourceUnreadable(f"{self.address}: {error.message}")

    def host_credentials(self) -> HostCredentials | None:
        """The credentials as git takes them; None where nobody has to be named."""
        if self.credentials is None or self.protocol != "https":
            return None
        host = f"https://{urlsplit(self.address).netloc}"
        return HostCredentials(host, self.credentials.username, self.credentials.password)


def _refuse_control_characters(credentials: Credentials | None) -> None:
    """A newline would end the line in which git is told."""
    pair = f"{credentials.username}{credentials.password}" if credentials else ""
    if not pair.isprintable():
        raise SourceUnreadable("the repository's user name or token has characters that none has")


def _is_refusal(text: str) -> bool:
    return any(
        sign in text
        for sign in ("needs credentials", "error: 401", "error: 403", "error: 404", "not found",
                     "Authentication failed", "could not read Username", "Access denied")
    )  # fmt: skip


def _of_user_part(user: str) -> Credentials:
    name, _, password = user.partition(":")
    # `https://TOKEN@host` is how forges write an address with a token alone.
    if not password:
        return Credentials("x-access-token", unquote(name))
    return Credentials(unquote(name), unquote(password))


def _of_folder(source: Source, root: str) -> Remote:
    """A folder that is a git repository, or lies in one."""
    folder = Path(source.location).expanduser().resolve()
    if not folder.is_dir():
        raise SourceUnreadable(f"{folder}: there is no such folder")
    try:
        git = Git(folder)
        if git.text("rev-parse", "--is-bare-repository").strip() == "true":
            top, prefix = git.text("rev-parse", "--absolute-git-dir").strip(), ""
        else:
            top = git.text("rev-parse", "--show-toplevel").strip()
            prefix = git.text("rev-parse", "--show-prefix").strip().rstrip("/")
    except GitFailed:
        raise SourceUnreadable(
            f"{folder}: the agent can only work on a git repository; run 'git init' and commit"
        ) from None
    inner = "/".join(part for part in (prefix, root) if part)
    return Remote(Path(top).as_uri(), "file", source.ref, inner)
