"""Remote repository and git's credentials for it.

Credentials are passed in git's environment only: never on a command line, in stored settings or in
a URL that a message could contain. Git sends them to the URL's host only.

A local repository runs its own hooks on a push, as a server does.
"""

from __future__ import annotations

import stat
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from docstead.agent.workspace.limits import WorkspaceLimits
from docstead.base.errors import SourceUnreadable
from docstead.publishing.git import Git, GitFailed
from docstead.publishing.git_network import (
    NAMED_BY_OPERATOR,
    GitNetwork,
    GitTransport,
    HostCredentials,
    without_user,
)
from docstead.publishing.sources import DocumentationSource, checked_protocol, inner_folder


@dataclass(frozen=True, slots=True)
class GitCredentials:
    """User name and password or token for https; a private key file for ssh."""

    username: str = ""
    password: str = field(default="", repr=False)
    ssh_key_file: Path | None = None


@dataclass(frozen=True, slots=True)
class GitRemote:
    """A git repository at a URL without credentials; `root` is the documentation's folder.

    `network` is what git may contact, by default repositories of the operator.
    """

    url: str
    protocol: str
    ref: str | None
    root: str
    credentials: GitCredentials | None = None
    network: GitNetwork = NAMED_BY_OPERATOR

    @classmethod
    def of(
        cls,
        source: DocumentationSource,
        credentials: GitCredentials | None = None,
        network: GitNetwork = NAMED_BY_OPERATOR,
    ) -> GitRemote:
        """Create a remote.

        Raises:
            SourceUnreadable: the source is not a git repository, or is not allowed.
        """
        root = inner_folder(source.root)
        protocol = checked_protocol(source)
        if protocol is None:
            if not network.by_operator:
                raise SourceUnreadable(f"{source.shown}: only https and ssh URLs are allowed")
            return _of_folder(source, root)
        url, pair = without_user(source.location)
        if pair is not None:
            credentials = credentials or GitCredentials(*pair)
        return cls(url, protocol, source.ref, root, credentials, network)

    def git(self, directory: Path, limits: WorkspaceLimits) -> Git:
        """Return a git runner for a directory that may contact this remote."""
        key = self.credentials.ssh_key_file if self.credentials else None
        transport = GitTransport(
            self.url, self.protocol, self.network, self.host_credentials(), key
        )
        return Git(directory, transport, file_limit_bytes=limits.repository_bytes)

    def explained(self, error: GitFailed) -> SourceUnreadable:
        """Return an error with advice for a failure of git."""
        text = error.printed or error.message
        if error.met_file_limit:
            return SourceUnreadable(f"{self.url}: the repository is larger than allowed")
        if self.credentials and _is_refusal(f"{error.message}\n{text}"):
            reason = "there is no such repository, or the token may not read it"
            return SourceUnreadable(f"{self.url}: {reason}")
        return SourceUnreadable(f"{self.url}: {error.message}")

    def host_credentials(self) -> HostCredentials | None:
        """Return the credentials in git's form, or None if none are needed."""
        if self.credentials is None or self.protocol != "https" or not self.credentials.password:
            return None
        pair = self.credentials.username, self.credentials.password
        return HostCredentials.at(self.url, *pair)


def _is_refusal(text: str) -> bool:
    return any(
        sign in text
        for sign in ("needs credentials", "error: 401", "error: 403", "error: 404", "not found",
                     "Authentication failed", "could not read Username", "Access denied")
    )  # fmt: skip


def _of_folder(source: DocumentationSource, root: str) -> GitRemote:
    """Return a remote for a local folder within a git repository."""
    folder = Path(source.location).expanduser().resolve()
    if not folder.is_dir():
        raise SourceUnreadable(f"{folder}: there is no such folder")
    try:
        top, prefix = _top_and_prefix(folder, _marks(folder))
    except GitFailed:
        raise SourceUnreadable(
            f"{folder}: the agent can only work on a git repository; run 'git init' and commit"
        ) from None
    inner = "/".join(part for part in (prefix, root) if part)
    return GitRemote(Path(top).as_uri(), "file", source.ref, inner)


@lru_cache(maxsize=256)
def _top_and_prefix(folder: Path, _: tuple[tuple[int, int] | None, ...]) -> tuple[str, str]:
    """Return the repository that contains a folder, and the folder's path in it.

    Cached while its `_marks` stay the same: each request about a job needs it.

    Raises:
        GitFailed: there is none.
    """
    git = Git(folder)
    try:
        printed = git.text("rev-parse", "--show-toplevel", "--show-prefix")
    except GitFailed:
        if git.text("rev-parse", "--is-bare-repository").strip() != "true":
            raise
        return git.text("rev-parse", "--absolute-git-dir").strip(), ""
    top, _newline, prefix = printed.removesuffix("\n").rpartition("\n")
    return top, prefix.rstrip("/")


def _marks(folder: Path) -> tuple[tuple[int, int] | None, ...]:
    """Identify the files by which git finds the repository of a folder."""
    own = folder / "HEAD"  # of a bare repository
    return tuple(map(_identity, (own, *(each / ".git" for each in (folder, *folder.parents)))))


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, 0 if stat.S_ISDIR(found.st_mode) else found.st_mtime_ns
