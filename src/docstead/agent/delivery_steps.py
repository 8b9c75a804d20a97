"""Steps in which the work of a turn is checked and delivered."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from docstead.agent.delivery import CheckResult, DeliveryRequest, TurnDelivery
from docstead.agent.pull_request_delivery import PullRequestDelivery
from docstead.agent.step_outcomes import (
    BranchPushed,
    ConflictShown,
    DeliveryOutcome,
    NothingPushed,
    PushedInConflict,
    RetryAt,
    SecretShown,
    WorkCommitted,
    WorkOffered,
)
from docstead.agent.turn_ends import EndReason, TurnEnd, TurnFailed, TurnFinished
from docstead.agent.turn_progress import CHECKS, TurnProgress
from docstead.agent.turn_steps import TOO_LONG, TurnSteps, numbered
from docstead.agent.values import Turn


class DeliverySteps:
    """Checks and delivers the work of one turn."""

    def __init__(
        self,
        turn: Turn,
        steps: TurnSteps,
        delivery: TurnDelivery,
        pull_requests: PullRequestDelivery,
    ) -> None:
        self._turn = turn
        self._steps = steps
        self._delivery = delivery
        self._pull_requests = pull_requests

    def check(self, end: TurnEnd, progress: TurnProgress) -> CheckResult:
        """Check the work; diagnostics are sent to the model while it may fix them."""
        progress.argued += 1
        return self._checked(end, progress, is_last=progress.argued >= CHECKS)

    def _checked(
        self, end: TurnEnd, progress: TurnProgress, *, is_last: bool, is_joined: bool = False
    ) -> CheckResult:
        progress.checks += 1
        check = partial(
            self._delivery.check,
            self._turn,
            progress.checks,
            progress.tree,
            is_last=is_last or not isinstance(end, TurnFinished),
            is_joined=is_joined,
        )
        return self._steps.run(f"check {progress.checks}", check)

    def deliver(self, end: TurnEnd, progress: TurnProgress, checked: CheckResult) -> TurnEnd | None:
        """Deliver the work; return the end, or None if the turn continues."""
        match self._pushed(end, progress, checked):
            case SecretShown():
                progress.begin_round(has_work=True)
                return None
            case ConflictShown(tree, has_work):
                progress.tree = tree
                progress.begin_round(has_work=has_work)
                return None
            case NothingPushed() as nothing:
                return self._proposal_end(nothing, end, checked, progress)
            case BranchPushed() as pushed:
                return self._joined_end(pushed, end, checked, progress)
            case PushedInConflict(pushed, conflict):
                return self._joined_end(pushed, conflict, checked, progress)
            case ended:
                return ended

    def _joined_end(
        self, pushed: BranchPushed, end: TurnEnd, checked: CheckResult, progress: TurnProgress
    ) -> TurnEnd | None:
        """The end of pushed work; None if the model repairs what others' commits broke."""
        is_other = not pushed.is_direct and pushed.tree not in ("", progress.tree)
        progress.tree = pushed.tree or progress.tree
        if is_other:
            is_last = progress.was_joined_enough
            checked = self._checked(end, progress, is_last=is_last, is_joined=True)
            if checked.go_on:
                progress.begin_round(has_work=pushed.is_new)
                return None
        return self._proposal_end(pushed, end, checked, progress)

    def _pushed(
        self, end: TurnEnd, progress: TurnProgress, checked: CheckResult
    ) -> DeliveryOutcome:
        tries = progress.joins
        is_last = not isinstance(end, TurnFinished) or progress.was_joined_enough
        work = DeliveryRequest(self._turn, progress.tree, end, tries, is_last)
        committed = self._steps.run(numbered("commit", tries), partial(self._delivery.commit, work))
        if not isinstance(committed, WorkCommitted):
            return committed
        pushed = self._steps.run_with_retries(
            partial(_push_step, tries),
            partial(self._delivery.push, work, committed, checked),
            progress,
        )
        if isinstance(pushed, RetryAt):
            return TurnFailed(EndReason.PUSH_FAILED, TOO_LONG, end.reply)
        return pushed

    def _proposal_end(
        self,
        pushed: BranchPushed | NothingPushed,
        end: TurnEnd,
        checked: CheckResult,
        progress: TurnProgress,
    ) -> TurnEnd:
        """Return the end after the work was delivered."""
        deliver = partial(self._pull_requests.deliver, self._turn, pushed, end, checked)
        name_of = partial(numbered, "pull request")
        match self._steps.run_with_retries(name_of, deliver, progress):
            case WorkOffered(has_changes) if isinstance(end, TurnFinished):
                return replace(end, has_changes=has_changes)
            case WorkOffered():
                return end
            case RetryAt():
                return TurnFailed(EndReason.CHANGE_FAILED, TOO_LONG, end.reply)
            case ended:
                return ended


def _push_step(joins: int, tries: int) -> str:
    again = f" again {tries}" if tries else ""
    return f"{numbered('push', joins)}{again}"
