"""Failures of a delivery, and the decision whether it is tried again."""

from __future__ import annotations

import time

from docstead.agent.event_log import EventLog
from docstead.agent.forges.errors import patience_seconds
from docstead.agent.records import AgentRecords
from docstead.agent.step_outcomes import RetryAt
from docstead.agent.turn_ends import EndReason, TurnEnd, TurnFailed, is_delivered
from docstead.agent.values import StepRecord, Turn
from docstead.base.errors import DocsteadError


class DeliveryFailures:
    """Records failures of the delivery of turns."""

    def __init__(self, event_log: EventLog, records: AgentRecords) -> None:
        self._event_log = event_log
        self._records = records

    def retry(self, turn: Turn, error: DocsteadError, attempt: int, step: str) -> RetryAt | None:
        """Record under `step` that an attempt is repeated after a wait; None if it is not."""
        wait = patience_seconds(error, attempt)
        if wait is None or self._records.is_cancelled(turn.id):
            return None
        data = {"seconds": round(wait, 1), "reason": error.message}
        self._event_log.write(turn, StepRecord(step, events=[("wait", data)]))
        return RetryAt(time.time() + wait)

    def end(self, turn: Turn, reason: EndReason, error: DocsteadError, end: TurnEnd) -> TurnEnd:
        """Return an end with a delivery error, unless the turn itself failed before."""
        data = {"reason": reason.value, "error": error.message}
        self._event_log.write(turn, StepRecord(f"failed {reason}", events=[("failure", data)]))
        return TurnFailed(reason, error.message, end.reply) if is_delivered(end) else end
