"""Plain git remotes and local repositories, whose changes are reviewed in the dashboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docstead.agent.forges.forge import ChangeReport, CommitStatus, ForgeChange, ForgeKind
from docstead.agent.forges.texts import following
from docstead.agent.forges.urls import credentials_for
from docstead.agent.reviews.records import Review, ReviewRecords
from docstead.agent.reviews.urls import review_url
from docstead.agent.workspace.remote import GitCredentials, GitRemote

_USERNAME = "git"
_BODY_CHARACTERS = 200_000


@dataclass(frozen=True)
class BuiltInForge:
    """Changes of one project. `base_url` is that of the service, without a trailing slash."""

    kind: ForgeKind
    remote: GitRemote
    project_id: str
    reviews: ReviewRecords
    base_url: str
    username: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return f"Reviewed({self.kind.value}, {self.remote.url})"

    def credentials(self) -> GitCredentials | None:
        return credentials_for(self.remote, self.username or _USERNAME, self.password)

    def find(self, branch: str) -> ForgeChange | None:
        found = self.reviews.find(self.project_id, branch)
        return None if found is None else self._change(found)

    def open(
        self, branch: str, *, base: str, title: str, body: str, draft: bool = False
    ) -> ForgeChange:
        before = self.find(branch)
        if before is not None and before.is_open:
            return before
        made = self.reviews.open(
            self.project_id,
            branch,
            base=base,
            title=title,
            body=following(before, body, _BODY_CHARACTERS),
            draft=draft,
        )
        return self._change(made, follows=before.url if before else None)

    def update(self, change: ForgeChange, *, title: str, body: str, draft: bool) -> ForgeChange:
        known = self._review(change)
        text = following(None, body, _BODY_CHARACTERS)
        described = self.reviews.describe(known.id, title=title, body=text, draft=draft)
        return self._change(described, follows=change.follows)

    def report(self, number: int, etag: str = "") -> ChangeReport | None:  # noqa: ARG002 - it has none
        return ChangeReport(self._change(self.reviews.numbered(self.project_id, number)))

    def request_reviews(self, change: ForgeChange, names: Sequence[str]) -> Sequence[str]:  # noqa: ARG002 - its pages have none
        return ()

    def comment(self, change: ForgeChange, text: str) -> None:
        self.reviews.comments.add(self._review(change).id, text)

    def report_check(self, report: CommitStatus) -> None:
        """Do nothing: the page shows the checks itself."""

    def may_push(self, user: str) -> bool:  # noqa: ARG002 - nobody comments elsewhere
        return False

    def _review(self, change: ForgeChange) -> Review:
        return self.reviews.numbered(self.project_id, change.number)

    def _change(self, review: Review, follows: str | None = None) -> ForgeChange:
        return ForgeChange(
            url=review_url(review.id, self.base_url),
            number=review.number,
            state=review.state,
            draft=review.draft,
            branch=review.branch,
            follows=follows,
        )
