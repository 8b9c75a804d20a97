"""Actions on a change: view, comment, approve, merge, close."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from docstead.accounts.owners import Owner
from docstead.accounts.tenancy import Tenancy
from docstead.agent.forges.factory import ForgeFactory
from docstead.agent.forges.forge import ChangeState
from docstead.agent.reviews import merging
from docstead.agent.reviews.approvals import ChangeApproval
from docstead.agent.reviews.comments import Comment, CommentAnchor
from docstead.agent.reviews.preview_task import ChangePreview
from docstead.agent.reviews.previews import ChangePreviews, PreviewProgress
from docstead.agent.reviews.records import Review, ReviewRecords
from docstead.agent.reviews.revisions import ChangeRevisions, ReviewClones
from docstead.agent.workspace.remote import GitRemote
from docstead.base.clock import Clock
from docstead.base.errors import Conflict, DocsteadError, InvalidRequest

COMMENT_CHARACTERS = 10_000

# Sends an instruction to the agent's job of a change, and returns the id of its turn.
# Raises an error if no job works on the branch.
FollowUp = Callable[[Review, str], str | None]


class ReviewService:
    """Changes of all projects."""

    def __init__(
        self,
        *,
        reviews: ReviewRecords,
        tenancy: Tenancy,
        forges: ForgeFactory,
        clones: ReviewClones,
        previews: ChangePreviews,
        follow_up: FollowUp,
        clock: Clock,
    ) -> None:
        self._reviews = reviews
        self._tenancy = tenancy
        self._forges = forges
        self._clones = clones
        self._previews = previews
        self._follow_up = follow_up
        self._clock = clock

    def get(self, change_id: str, organization_id: str) -> Review:
        """Return a change.

        Raises:
            NotFound: it is unknown or another organization's.
        """
        return self._reviews.get(change_id, organization_id=organization_id)

    def of_project(self, project_id: str) -> list[Review]:
        """Return changes of a project, newest first."""
        return self._reviews.of_project(project_id)

    def comments(self, review: Review) -> list[Comment]:
        return self._reviews.comments.of(review.id)

    def revisions(self, review: Review) -> ChangeRevisions:
        """Fetch and return both sides of a change.

        Raises:
            SourceUnreadable, BranchGone: they cannot be fetched; the message explains why.
        """
        return self._clones.revisions(review, self._remote(review))

    def with_current_state(self, review: Review, revisions: ChangeRevisions) -> Review:
        """Return the change, marked as ended if its commits were merged in another way."""
        if not review.is_open or not revisions.is_merged:
            return review
        return self._end(review, ChangeState.MERGED, revisions, merge_commit=revisions.tip)

    def conflicts(self, revisions: ChangeRevisions) -> tuple[str, ...]:
        """Return the files with merge conflicts."""
        return merging.conflicts(revisions)

    def preview(self, revisions: ChangeRevisions) -> ChangePreview:
        """Return the preview of the change; the first call takes seconds."""
        return self._previews.of(revisions)

    def preview_progress(self, revisions: ChangeRevisions) -> PreviewProgress:
        """Return the progress of the preview; the first call starts it."""
        return self._previews.progress(revisions)

    def known_preview(self, revisions: ChangeRevisions) -> ChangePreview | None:
        """Return the preview if it was requested before, or None."""
        return self._previews.known(revisions)

    def document(self, revisions: ChangeRevisions, side: str, slug: str) -> str:
        """Return a page "before" or "after" as a self-contained document."""
        return self._previews.document(revisions, side, slug)

    def comment(
        self,
        review: Review,
        author: str,
        text: str,
        about: CommentAnchor | None = None,
        *,
        thread_id: str | None = None,
        to_agent: bool = True,
    ) -> Comment:
        """Comment on a change, or reply to a comment; `to_agent` makes it an instruction.

        Raises:
            InvalidRequest: the text is empty or too long, the thread is unknown, or the job accepts
                no messages.
            Conflict: the change is not open.
        """
        text = text.strip()
        if not text:
            raise InvalidRequest("text: must not be empty")
        if len(text) > COMMENT_CHARACTERS:
            raise InvalidRequest(f"text: must have at most {COMMENT_CHARACTERS} characters")
        if not review.is_open:
            raise Conflict("the change is no longer open")
        earlier = self._thread(review, thread_id) if thread_id else ()
        turn_id = None
        if to_agent:
            turn_id = self._follow_up(review, instruction_of(text, about, earlier))
        return self._reviews.comments.add(
            review.id, text, author=author, about=about, thread_id=thread_id, turn_id=turn_id
        )

    def _thread(self, review: Review, thread_id: str) -> Sequence[Comment]:
        found = [c for c in self.comments(review) if thread_id in (c.id, c.thread_id)]
        if not found or found[0].id != thread_id:
            raise InvalidRequest("thread: there is no such comment")
        return found

    def approve(self, review: Review, owner: Owner, head: str) -> None:
        """Approve the version at the commit `head`.

        Raises:
            Conflict: the change is not open.
        """
        if not review.is_open:
            raise Conflict("the change is no longer open")
        self._reviews.approvals.add(review.id, owner.id, owner.name, head)

    def withdraw_approval(self, review: Review, owner: Owner) -> None:
        self._reviews.approvals.withdraw(review.id, owner.id)

    def approvals(self, review: Review) -> list[ChangeApproval]:
        return self._reviews.approvals.of(review.id)

    def approvers(self, project_id: str) -> dict[str, list[str]]:
        """Return the names of people who approved changes of a project, by change."""
        return self._reviews.approvals.names(project_id)

    def viewed(self, review: Review, owner: Owner) -> dict[str, str]:
        """Return digests of the diffs that the owner has marked as viewed, by path."""
        return self._reviews.viewed.of(review.id, owner.id)

    def mark_viewed(self, review: Review, owner: Owner, path: str, digest: str) -> None:
        """Mark the diff of a file as viewed; an empty digest removes the mark."""
        self._reviews.viewed.set(review.id, owner.id, path, digest)

    def merge(self, review: Review, by: str, head: str, *, squash: bool = False) -> Review:
        """Merge the reviewed commit of a change into its base branch on the remote.

        Raises:
            Conflict: it is not open, has conflicts or new commits, or the remote rejects it.
        """
        if not review.is_open:
            raise Conflict("the change is no longer open")
        request = merging.MergeRequest(head, by, self._clock.now(), squash)
        revisions, commit = merging.merge(self._clones, review, self._remote(review), request)
        return self._end(review, ChangeState.MERGED, revisions, merge_commit=commit, ended_by=by)

    def reopen(self, review: Review) -> Review:
        """Open a closed change again.

        Raises:
            Conflict: it is not closed, or its branch has another open change.
        """
        return self._reviews.reopen(review.id)

    def close(self, review: Review, by: str) -> Review:
        """Close a change without merging it; its branch is kept.

        Raises:
            Conflict: it is not open.
        """
        try:
            revisions = self.revisions(review)
        except DocsteadError:
            return self._reviews.end(review.id, ChangeState.CLOSED, ended_by=by)
        return self._end(review, ChangeState.CLOSED, revisions, ended_by=by)

    def _end(
        self, review: Review, state: ChangeState, revisions: ChangeRevisions, **values: str
    ) -> Review:
        tips = {"base_commit": revisions.fork or revisions.tip, "head_commit": revisions.head}
        return self._reviews.end(review.id, state, **tips, **values)

    def _remote(self, review: Review) -> GitRemote:
        forge = self._forges.of(self._tenancy.project(review.project_id))
        return replace(forge.remote, credentials=forge.credentials())


def instruction_of(text: str, about: CommentAnchor | None, earlier: Sequence[Comment]) -> str:
    """Return the agent's instruction for a comment: text, position, earlier thread."""
    about = about or (earlier[0].about if earlier else None)
    quote = f" ({_code_span(about.quote)})" if about and about.quote.strip() else ""
    parts = [text, f"This comment is about {about}{quote}."] if about else [text]
    if earlier:
        said = "\n".join(f"> {c.author or 'Docstead'}: {_quoted(c.text)}" for c in earlier)
        parts.append(f"Earlier comments of the thread:\n\n{said}")
    return "\n\n".join(parts)


def _code_span(line: str) -> str:
    """Return a line as a Markdown code span, even if it contains backticks."""
    text = line.strip()
    marks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if "`" in (text[0], text[-1]) else ""
    return f"{marks}{pad}{text}{pad}{marks}"


def _quoted(text: str) -> str:
    return text.strip().replace("\n", "\n> ")
