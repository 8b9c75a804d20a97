"""Location of a repository, and git's credentials for it.

Credentials are passed only in git's environment: never on a command line, in a stored
setting or in an address that a message could repeat. Git sends them to the host of the
address and to no other.

A repository on this machine runs its own hooks when it is pushed to, as one on a server does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
from docstead.publishing.sources import Source, checked_protocol, inner_folder


@dataclass(frozen=True, slots=True)
class GitCredentials:
    """A user name and a password or token, for https; a file with a private key, for ssh."""

    username: str = ""
    password: str = field(default="", repr=False)
    ssh_key_file: Path | None = None


@dataclass(frozen=True, slots=True)
class GitRemote:
    """A git repository at an address without credentials; `root` is the documentation's.

    `network` is what git may reach: by default what the operator named.
    """

    address: str
    protocol: str
    ref: str | None
    root: str
    credentials: GitCredentials | None = None
    network: GitNetwork = NAMED_BY_OPERATOR

    @classmethod
    def of(
        cls,
        source: Source,
        credentials: GitCredentials | None = None,
        network: GitNetwork = NAMED_BY_OPERATOR,
    ) -> GitRemote:
        """Raises `SourceUnreadable` where the source is no git repository or not allowed."""
        root = inner_folder(source.root)
        protocol = checked_protocol(source)
        if protocol is None:
            if not network.by_operator:
                raise SourceUnreadable(f"{source.shown}: only https and ssh addresses are allowed")
            return _of_folder(source, root)
        address, pair = without_user(source.location)
        if pair is not None:
            credentials = credentials or GitCredentials(*pair)
        return cls(address, protocol, source.ref, root, credentials, network)

    def git(self, directory: Path, limits: WorkspaceLimits) -> Git:
        """Git in a directory, allowed to talk to this remote."""
        key = self.credentials.ssh_key_file if self.credentials else None
        transport = GitTransport(
            self.address, self.protocol, self.network, self.host_credentials(), key
        )
        return Git(directory, transport, file_limit_bytes=limits.repository_bytes)

    def explained(self, error: GitFailed) -> SourceUnreadable:
        """Git's failure in words that say what to do."""
        text = error.printed or error.message
        if error.met_file_limit:
            return SourceUnreadable(f"{self.address}: the repository is larger than is allowed")
        if self.credentials and _is_refusal(f"{error.message}\n{text}"):
            reason = "there is no such repository, or the token may not read it"
            return SourceUnreadable(f"{self.address}: {reason}")
        return SourceUnreadable(f"{self.address}: {error.message}")

    def host_credentials(self) -> HostCredentials | None:
        """The credentials as git takes them; None where nobody has to be named."""
        if self.credentials is None or self.protocol != "https" or not self.credentials.password:
            return None
        pair = self.credentials.username, self.credentials.password
        return HostCredentials.at(self.address, *pair)


def _is_refusal(text: str) -> bool:
    return any(
        sign in text
        for sign in ("needs credentials", "error: 401", "error: 403", "error: 404", "not found",
                     "Authentication failed", "could not read Username", "Access denied")
    )  # fmt: skip


def _of_folder(source: Source, root: str) -> GitRemote:
    """A folder that is a git repository, or lies in one."""
    folder = Path(source.location).expanduser().resolve()
    if not folder.is_dir():
        raise SourceUnreadable(f"{folder}: there is no such folder")
    try:
        top, prefix = _top_and_prefix(Git(folder))
    except GitFailed:
        raise SourceUnreadable(
            f"{folder}: the agent can only work on a git repository; run 'git init' and commit"
        ) from None
    inner = "/".join(part for part in (prefix, root) if part)
    return GitRemote(Path(top).as_uri(), "file", source.ref, inner)


def _top_and_prefix(git: Git) -> tuple[str, str]:
    """The repository that a folder lies in, and the path of the folder within it.

    Raises `GitFailed` where there is none.
    """
    try:
        printed = git.text("rev-parse", "--show-toplevel", "--show-prefix")
    except GitFailed:
        if git.text("rev-parse", "--is-bare-repository").strip() != "true":
            raise
        return git.text("rev-parse", "--absolute-git-dir").strip(), ""
    top, _, prefix = printed.removesuffix("\n").rpartition("\n")
    return top, prefix.rstrip("/")
