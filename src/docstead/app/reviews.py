"""Assembly of the review pages from the settings."""

from __future__ import annotations

from functools import partial

from docstead.agent.agent import AgentJobs, new_turn_id
from docstead.agent.reviews.previews import ChangePreviews
from docstead.agent.reviews.records import Review
from docstead.agent.reviews.revisions import ReviewClones
from docstead.agent.reviews.service import ReviewService
from docstead.agent.values import Instruction
from docstead.app.agent import signing_key_of
from docstead.app.shared import SharedServices
from docstead.base.errors import InvalidRequest


def reviews_of(shared: SharedServices, agent: AgentJobs) -> ReviewService:
    cache = shared.settings.data / "cache" / "reviews"
    return ReviewService(
        reviews=shared.forges.reviews,
        tenancy=shared.tenancy,
        forges=shared.forges,
        clones=ReviewClones(cache / "clones", signing=signing_key_of(shared.settings)),
        previews=ChangePreviews(shared.builders, cache / "previews"),
        follow_up=partial(_follow_up, agent),
        clock=shared.clock,
    )


def _follow_up(agent: AgentJobs, review: Review, text: str) -> str:
    """Send a comment to the job that works on the change's branch, as its next instruction."""
    job = agent.on_branch(review.project_id, review.branch)
    if job is None:
        raise InvalidRequest(f"no agent job works on {review.branch}")
    turn_id = new_turn_id()
    agent.follow_up(job, Instruction.of(text), turn_id=turn_id)
    return turn_id
