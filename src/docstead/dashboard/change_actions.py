"""Actions on a change: comment, approve, mark files as viewed, merge, close and reopen."""

from __future__ import annotations

from starlette.responses import Response

from docstead.agent.reviews.comments import CommentAnchor
from docstead.agent.reviews.merging import HeadMoved
from docstead.agent.reviews.records import Review
from docstead.agent.states import JobStatus
from docstead.base.errors import Conflict, DocsteadError, InvalidRequest, NotFound
from docstead.dashboard.changes import ChangePages, change_url
from docstead.dashboard.pages import Confirmation, PageRenderer, see
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.visits import OwnerVisit

_PATH_CHARACTERS = 1_000
_DIGEST_CHARACTERS = 64
_SQUASH = "squash"


class ChangeActions:
    """Form handlers of a change's pages. Rejected forms show the conversation with the error."""

    def __init__(
        self, services: DashboardServices, pages: PageRenderer, changes: ChangePages
    ) -> None:
        self._reviews = services.reviews
        self._pages = pages
        self._changes = changes

    def comment(self, visit: OwnerVisit) -> Response:
        """Add a comment or reply, addressed to people or to the agent."""
        review = self._changes.review(visit)
        form = visit.form
        try:
            comment = self._reviews.comment(
                review,
                visit.owner.name,
                form.text("text"),
                self._anchor(visit, review),
                thread_id=form.text("thread") or None,
                to_agent=form.text("to") != "people",
            )
        except NotFound:
            raise
        except DocsteadError as error:
            return self._changes.conversation(visit, error)
        page = "/files" if form.text("from") == "files" else ""
        view = "?view=split" if page and form.text("view") == "split" else ""
        return see(f"{change_url(review.id)}{page}{view}#{comment.id}")

    def mark_viewed(self, visit: OwnerVisit) -> Response:
        """Mark a file as viewed, or remove the mark."""
        review = self._changes.review(visit)
        path, digest = visit.form.text("file"), visit.form.text("digest")
        if not path or len(path) > _PATH_CHARACTERS or len(digest) > _DIGEST_CHARACTERS:
            raise InvalidRequest("file: not part of this change")
        self._reviews.mark_viewed(review, visit.owner, path, digest)
        view = "?view=split" if visit.form.text("view") == "split" else ""
        anchor = visit.form.text("anchor") if visit.form.text("anchor").isascii() else ""
        return see(f"{change_url(review.id)}/files{view}#{anchor}")

    def approve(self, visit: OwnerVisit) -> Response:
        """Approve the displayed version, or withdraw the approval."""
        review = self._changes.review(visit)
        try:
            if visit.form.text("withdraw"):
                self._reviews.withdraw_approval(review, visit.owner)
            else:
                self._reviews.approve(review, visit.owner, _head(visit))
        except DocsteadError as error:
            return self._changes.conversation(visit, error)
        return see(change_url(review.id))

    def merge(self, visit: OwnerVisit) -> Response:
        """Merge the displayed version after confirmation."""
        review = self._changes.review(visit)
        squash = visit.form.text("method") == _SQUASH
        try:
            head = _head(visit)
            self._check_idle(review)
            if review.is_open and not visit.form.is_confirmed:
                frame = self._changes.frame(review)
                return self._pages.confirm(visit, _merge_question(review, squash=squash), **frame)
            self._reviews.merge(review, visit.owner.name, head, squash=squash)
        except HeadMoved as error:
            return self._changes.conversation(visit, error, since=head)
        except DocsteadError as error:
            return self._changes.conversation(visit, error)
        return see(change_url(review.id))

    def close(self, visit: OwnerVisit) -> Response:
        review = self._changes.review(visit)
        if review.is_open and not visit.form.is_confirmed:
            frame = self._changes.frame(review)
            return self._pages.confirm(visit, _close_question(review), **frame)
        try:
            self._reviews.close(review, visit.owner.name)
        except DocsteadError as error:
            return self._changes.conversation(visit, error)
        return see(change_url(review.id))

    def reopen(self, visit: OwnerVisit) -> Response:
        review = self._changes.review(visit)
        try:
            self._reviews.reopen(review)
        except DocsteadError as error:
            return self._changes.conversation(visit, error)
        return see(change_url(review.id))

    def _check_idle(self, review: Review) -> None:
        job = self._changes.job(review)
        if review.is_open and job is not None and job.status is JobStatus.ACTIVE:
            raise Conflict("the agent is still working on this branch; wait until it has finished")

    def _anchor(self, visit: OwnerVisit, review: Review) -> CommentAnchor | None:
        """Return the file and line that a comment refers to, with the text of the line."""
        path, line = visit.form.text("file"), visit.form.text("line")
        if not path:
            return None
        if len(path) > _PATH_CHARACTERS or not path.isprintable():
            raise InvalidRequest("file: not part of this change")
        if line and not (line.isascii() and line.isdigit() and 0 < int(line) < 10**7):
            raise InvalidRequest("line: must be a number")
        if not line:
            return CommentAnchor(path)
        side = "before" if visit.form.text("side") == "before" else "after"
        return CommentAnchor(
            path, int(line), side, self._reviews.revisions(review).line(path, int(line), side)
        )


def _head(visit: OwnerVisit) -> str:
    """Return the head commit that the form's page displayed.

    Raises:
        InvalidRequest: the field is missing.
    """
    head = visit.form.text("head")
    if not head:
        raise InvalidRequest("head is missing; reload the page and try again")
    return head


def _merge_question(review: Review, *, squash: bool) -> Confirmation:
    how = "as a single commit" if squash else "with their commits"
    return Confirmation(
        f"Merge into {review.base}?",
        f"The changes of “{review.title}” are pushed to {review.base} {how}.",
        yes="Merge",
        no="Cancel",
        back=change_url(review.id),
        is_destructive=False,
    )


def _close_question(review: Review) -> Confirmation:
    return Confirmation(
        "Close without merging?",
        f"“{review.title}” is closed. Its branch {review.branch} stays in the repository.",
        yes="Close without merging",
        no="Keep it open",
        back=change_url(review.id),
    )
