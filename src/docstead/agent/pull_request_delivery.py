"""Delivery of a pushed branch as a pull request, an idempotent step: it is found by its branch."""

from __future__ import annotations

from collections.abc import Callable

from docstead.agent.delivery import CheckResult
from docstead.agent.delivery_failures import DeliveryFailures
from docstead.agent.event_log import EventLog
from docstead.agent.forges import Forge, ForgeChange
from docstead.agent.pull_request import Description, Findings
from docstead.agent.pull_request_records import UNKNOWN_STATE
from docstead.agent.pull_request_writer import PullRequestWriter
from docstead.agent.records import AgentRecords
from docstead.agent.step_outcomes import BranchPushed, NothingPushed, OfferOutcome, WorkOffered
from docstead.agent.turn_ends import EndReason, TurnCancelled, TurnEnd, is_delivered
from docstead.agent.turn_workspace import TurnWorkspace
from docstead.agent.values import AgentJob, StepRecord, Turn
from docstead.agent.workspace.secret_scan import masked
from docstead.base.errors import OUTAGES, DocsteadError


class PullRequestDelivery:
    """Opens and updates the pull requests of one job."""

    def __init__(
        self,
        job: AgentJob,
        *,
        turn_workspace: TurnWorkspace,
        forge: Callable[[], Forge],
        event_log: EventLog,
        records: AgentRecords,
        failures: DeliveryFailures,
        writer: PullRequestWriter,
    ) -> None:
        self._job = job
        self._turn_workspace = turn_workspace
        self._forge = forge
        self._event_log = event_log
        self._records = records
        self._failures = failures
        self._writer = writer

    def deliver(
        self,
        turn: Turn,
        pushed: BranchPushed | NothingPushed,
        end: TurnEnd,
        checked: CheckResult,
        tries: int = 0,
    ) -> OfferOutcome:
        """Open or update the pull request; a turn that was cancelled meanwhile opens none."""
        if is_delivered(end) and self._records.is_cancelled(turn.id):
            outcome = self._deliver(turn, pushed, TurnCancelled(), checked, tries)
            return TurnCancelled() if isinstance(outcome, WorkOffered) else outcome
        return self._deliver(turn, pushed, end, checked, tries)

    def _deliver(
        self,
        turn: Turn,
        pushed: BranchPushed | NothingPushed,
        end: TurnEnd,
        checked: CheckResult,
        tries: int,
    ) -> OfferOutcome:
        if isinstance(pushed, NothingPushed):
            return WorkOffered(has_changes=False)
        if pushed.is_direct:
            return WorkOffered(has_changes=pushed.is_new)
        try:
            known = self._forge().find(self._job.branch)
            found = Findings(checked.diagnostics, checked.count, pushed.note)
            text = self._writer.describe(turn, end, known, found)
            change = self._updated_change(text, pushed, end, known)
        except OUTAGES:
            raise
        except DocsteadError as error:
            retry = self._failures.retry(turn, error, tries, f"pull request wait {tries}")
            return retry or self._failures.end(turn, EndReason.CHANGE_FAILED, error, end)
        if change is None:
            return WorkOffered(has_changes=pushed.is_new)
        data = {
            "url": change.url, "number": change.number, "draft": change.draft,
            "follows": change.follows,
        }  # fmt: skip
        values = {"pr_link": change.url, "title": masked(text.title), **UNKNOWN_STATE}
        entry = StepRecord("pull request", events=[("pullRequest", data)], job=values)
        self._event_log.write(turn, entry)
        self._writer.record_state(change)
        self._writer.report_check(pushed.commit, checked.count)
        self._writer.request_reviews(turn, change)
        return WorkOffered(has_changes=pushed.is_new)

    def _updated_change(
        self, text: Description, pushed: BranchPushed, end: TurnEnd, known: ForgeChange | None
    ) -> ForgeChange | None:
        """Update the pull request; a failed turn opens none, but updates an open one."""
        forge, branch = self._forge(), self._job.branch
        if known is not None and known.is_open:
            return forge.update(known, title=text.title, body=text.body, draft=text.draft)
        if not is_delivered(end) or (known is not None and not pushed.is_new):
            return None
        base = self._turn_workspace.workspace().base_branch
        return forge.open(branch, base=base, title=text.title, body=text.body, draft=text.draft)
