"""Protocol between Docstead and the host of a repository.

A *change* is what the forge calls a pull request or a merge request; for plain git and
local repositories it is a page of Docstead's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from docstead.agent.workspace.remote import GitCredentials, GitRemote


class ForgeKind(StrEnum):
    """Owner of a project's changes."""

    GITHUB = "github"
    GITLAB = "gitlab"
    GIT = "git"  #: Any git server; changes are reviewed on Docstead's own pages.
    LOCAL = "local"  #: A repository on this machine; the same pages.


class ChangeState(StrEnum):
    """State of a change. A follow-up of a merged or closed one opens a new one."""

    OPEN = "open"
    MERGED = "merged"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class ForgeChange:
    """A change as it was when the forge last spoke of it."""

    url: str
    number: int
    state: ChangeState
    draft: bool
    branch: str
    follows: str | None = None  # URL of the merged or closed change of the same branch before it

    @property
    def is_open(self) -> bool:
        return self.state is ChangeState.OPEN


@dataclass(frozen=True, slots=True)
class CommitStatus:
    """The result of the checks at a commit; `url` shows the changed pages."""

    commit: str
    passed: bool
    summary: str
    url: str


class Forge(Protocol):
    """Keeps the changes of one repository. Calls block; any of them may raise `ForgeError`."""

    @property
    def kind(self) -> ForgeKind: ...

    @property
    def remote(self) -> GitRemote:
        """The repository as git reaches it."""
        ...

    def credentials(self) -> GitCredentials | None:
        """Return credentials for pushing, valid for some minutes; None where git needs none."""
        ...

    def find(self, branch: str) -> ForgeChange | None:
        """The open change of this branch, else the last one that was merged or closed."""
        ...

    def open(
        self, branch: str, *, base: str, title: str, body: str, draft: bool = False
    ) -> ForgeChange:
        """The open change of this branch: the one that is there already, else a new one.

        So a call that is repeated after a crash never makes a second one. Where the change
        before was merged or closed the new one says so in its body and in `follows`. A forge
        without drafts opens an ordinary one: see `ForgeChange.draft`.
        """
        ...

    def update(self, change: ForgeChange, *, title: str, body: str, draft: bool) -> ForgeChange:
        """Replace title, body and draft state of the change."""
        ...

    def state(self, change: ForgeChange) -> ChangeState: ...

    def request_reviews(self, change: ForgeChange, names: Sequence[str]) -> Sequence[str]:
        """Ask these users and teams to review the change, in addition to those of the forge.

        Returns the problems, in the words of the forge; the others are asked all the same.
        """
        ...

    def comment(self, change: ForgeChange, text: str) -> None:
        """Say something below the change. Text is Markdown."""
        ...

    def report_check(self, report: CommitStatus) -> None:
        """Show the result of the checks at its commit."""
        ...

    def may_push(self, user: str) -> bool:
        """Whether the user with this id on the forge may push to the repository."""
        ...
