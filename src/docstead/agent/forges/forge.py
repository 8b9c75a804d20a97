"""Protocol of forges.

A *change* is a pull request or merge request of the forge; for plain git and local repositories it
is a page of the dashboard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from docstead.agent.workspace.remote import GitCredentials, GitRemote

_LONGEST_TEXT = 2_000  # characters of a URL or a name
_MAX_REVIEWERS = 100
_MAX_NUMBER = 2**31


class ForgeKind(StrEnum):
    """Kind of forge."""

    GITHUB = "github"
    GITLAB = "gitlab"
    GIT = "git"  #: Any git server; changes are reviewed in the dashboard.
    LOCAL = "local"  #: A repository on this machine; reviewed in the dashboard.

    @property
    def has_pull_requests(self) -> bool:
        """Whether changes are reviewed on the forge itself."""
        return self in (ForgeKind.GITHUB, ForgeKind.GITLAB)


class ChangeState(StrEnum):
    """State of a change. Follow-ups of merged or closed changes open a new one."""

    OPEN = "open"
    MERGED = "merged"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class ForgeChange:
    """A change as last reported by the forge."""

    url: str
    number: int
    state: ChangeState
    draft: bool
    branch: str
    follows: str | None = None  # URL of the previous merged or closed change of the branch
    reviewers: tuple[str, ...] = ()  # who merged it, or was asked for a review

    def __post_init__(self) -> None:
        """Raise ValueError for values that no forge sends: the dashboard links and stores them."""
        texts = (self.url, self.branch, *self.reviewers[:_MAX_REVIEWERS])
        is_text = all(isinstance(each, str) and each.isprintable() for each in texts)
        is_short = is_text and len(max(texts, key=len)) <= _LONGEST_TEXT
        if not is_short or len(self.reviewers) > _MAX_REVIEWERS:
            raise ValueError("a text of the change is malformed or too long")
        if not self.url.startswith(("https://", "http://")):
            raise ValueError("the URL of the change is not a web page")
        if not isinstance(self.number, int) or not 0 <= self.number < _MAX_NUMBER:
            raise ValueError("the number of the change is not a number")

    @property
    def is_open(self) -> bool:
        return self.state is ChangeState.OPEN


@dataclass(frozen=True, slots=True)
class ChangeReport:
    """A change, and the ETag of the response; "" if the forge sends none."""

    change: ForgeChange
    etag: str = ""


@dataclass(frozen=True, slots=True)
class CommitStatus:
    """Result of the checks of a commit; `url` shows the changed pages."""

    commit: str
    passed: bool
    summary: str
    url: str


class Forge(Protocol):
    """Changes of one repository. Calls block and may raise `ForgeError`."""

    @property
    def kind(self) -> ForgeKind: ...

    @property
    def remote(self) -> GitRemote:
        """The repository as a git remote."""
        ...

    def credentials(self) -> GitCredentials | None:
        """Return short-lived credentials for pushing, or None if git needs none."""
        ...

    def find(self, branch: str) -> ForgeChange | None:
        """Return the branch's open change, or the last merged or closed one."""
        ...

    def open(
        self, branch: str, *, base: str, title: str, body: str, draft: bool = False
    ) -> ForgeChange:
        """Return the branch's open change, opening one if there is none.

        Idempotent, so that it can be repeated after a crash. A new change refers to a previous
        merged or closed one in its body and in `follows`. Forges without drafts open an ordinary
        change: see `ForgeChange.draft`.
        """
        ...

    def update(self, change: ForgeChange, *, title: str, body: str, draft: bool) -> ForgeChange:
        """Replace title, body and draft state of the change."""
        ...

    def report(self, number: int, etag: str = "") -> ChangeReport | None:
        """Return the change with this number, or None if it still has this ETag."""
        ...

    def request_reviews(self, change: ForgeChange, names: Sequence[str]) -> Sequence[str]:
        """Request reviews from these users and teams, in addition to the forge's own rules.

        Returns error messages of the forge; one failure does not affect other requests.
        """
        ...

    def comment(self, change: ForgeChange, text: str) -> None:
        """Add a comment, in Markdown."""
        ...

    def report_check(self, report: CommitStatus) -> None:
        """Report the result of checks as a status of its commit."""
        ...

    def may_push(self, user: str) -> bool:
        """Report whether this user may push to the repository; see `ForgeComment.user`."""
        ...
