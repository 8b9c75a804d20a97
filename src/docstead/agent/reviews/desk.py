"""What people do with a change on its page: look, comment, merge, close."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from docstead.accounts.tenancy import Tenancy
from docstead.agent.forges.choice import Forges
from docstead.agent.forges.forge import ChangeState
from docstead.agent.reviews import merging
from docstead.agent.reviews.preview_task import Preview
from docstead.agent.reviews.previews import Previews
from docstead.agent.reviews.records import Comment, Place, Review, Reviews
from docstead.agent.reviews.sides import Clones, Sides
from docstead.agent.workspace.remote import Remote
from docstead.base.clock import Clock
from docstead.base.errors import Conflict, DocsteadError, InvalidRequest

COMMENT_CHARACTERS = 10_000

# Gives the agent's job of a change another instruction; raises where there is none to give it to.
FollowUp = Callable[[Review, str], None]


class ReviewDesk:
    """The changes of all projects."""

    def __init__(
        self,
        *,
        reviews: Reviews,
        tenancy: Tenancy,
        forges: Forges,
        clones: Clones,
        previews: Previews,
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
        """The change.

        Raises:
            NotFound: unknown, or another organization's.
        """
        return self._reviews.get(change_id, organization_id=organization_id)

    def of_project(self, project_id: str) -> list[Review]:
        """Newest first."""
        return self._reviews.of_project(project_id)

    def comments(self, review: Review) -> list[Comment]:
        return self._reviews.comments(review.id)

    def sides(self, review: Review) -> Sides:
        """Both sides, fetched. Raises `SourceUnreadable` or `BranchGone` with the reason."""
        return self._clones.sides(review, self._remote(review))

    def settled(self, review: Review, sides: Sides) -> Review:
        """The change, ended if its commits have reached the base branch in another way."""
        if not review.is_open or not sides.is_merged:
            return review
        return self._end(review, ChangeState.MERGED, sides, merge_commit=sides.tip)

    def conflicts(self, sides: Sides) -> tuple[str, ...]:
        """The files on which a merge would fail."""
        return merging.conflicts(sides)

    def preview(self, sides: Sides) -> Preview:
        """What the change does to the site; the first time it takes seconds."""
        return self._previews.of(sides)

    def known_preview(self, sides: Sides) -> Preview | None:
        """The preview if somebody has asked for it before."""
        return self._previews.known(sides)

    def document(self, sides: Sides, side: str, slug: str) -> str:
        """A changed page "before" or "after", as a document that needs nothing else."""
        return self._previews.document(sides, side, slug)

    def comment(self, review: Review, author: str, text: str, about: Place | None = None) -> None:
        """Tell the agent what to do better.

        Raises:
            InvalidRequest: the text is empty or too long, or the job takes no more messages.
            Conflict: the change is not open any more.
        """
        text = text.strip()
        if not text:
            raise InvalidRequest("text: must not be empty")
        if len(text) > COMMENT_CHARACTERS:
            raise InvalidRequest(f"text: at most {COMMENT_CHARACTERS} characters")
        if not review.is_open:
            raise Conflict("the change is not open any more")
        self._follow_up(review, f"About {about}: {text}" if about else text)
        self._reviews.comment(review.id, text, author=author, about=about)

    def merge(self, review: Review, by: str) -> Review:
        """Bring the change into its base branch on the remote.

        Raises:
            Conflict: it is not open, does not fit, or the remote refuses it; says which.
        """
        if not review.is_open:
            raise Conflict("the change is not open any more")
        remote, now = self._remote(review), self._clock.now()
        sides, commit = merging.merge(self._clones, review, remote, by, now)
        return self._end(review, ChangeState.MERGED, sides, merge_commit=commit, ended_by=by)

    def close(self, review: Review, by: str) -> Review:
        """End the change without merging it; its branch stays.

        Raises:
            Conflict: it is not open any more.
        """
        try:
            sides = self.sides(review)
        except DocsteadError:
            return self._reviews.end(review.id, ChangeState.CLOSED, ended_by=by)
        return self._end(review, ChangeState.CLOSED, sides, ended_by=by)

    def _end(self, review: Review, state: ChangeState, sides: Sides, **values: str) -> Review:
        tips = {"base_commit": sides.fork or sides.tip, "head_commit": sides.head}
        return self._reviews.end(review.id, state, **tips, **values)

    def _remote(self, review: Review) -> Remote:
        forge = self._forges.of(self._tenancy.project(review.project_id))
        return replace(forge.remote, credentials=forge.credentials())
