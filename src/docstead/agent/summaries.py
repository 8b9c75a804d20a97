"""The model's summary of a job's earlier turns, which replaces their messages.

A follow-up starts with a summary if the earlier turns fill half of the context window. It is stored
once. If the model gives no usable response, the messages are kept and shortened by rules
(`conversation.fitted`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from docstead.agent.cancellation import CallCancelled
from docstead.agent.conversation import (
    REPLACES,
    complete,
    fitted,
    message_json,
    message_of,
    size_of,
    summarized,
    window_characters,
)
from docstead.agent.event_log import EventLog
from docstead.agent.limits import TurnUsage
from docstead.agent.model_calls import CallRecorder, ModelBudget, ModelRequest
from docstead.agent.model_usage import counted, shown_amounts, totals
from docstead.agent.prompt import SUMMARIZE, summary_message
from docstead.agent.records import AgentRecords
from docstead.agent.refusals import is_refusal
from docstead.agent.texts import storable
from docstead.agent.values import StepRecord, Turn
from docstead.base.errors import ModelError
from docstead.models.chat import ChatMessage, ChatRole, FinishReason, ModelUsage, ToolUse
from docstead.models.completion import Completion, CompletionClient, Transcript

SUMMARY_KEY = "summary"  # name of the step and key of its entry
_LONG = 0.5  # of the context window, for earlier turns
_LONGEST = 0.25  # of the context window, for notes on them
_SHOWN_CHARACTERS = 2_000

_log = logging.getLogger(__name__)


class TurnSummarizer:
    """Summarizes the earlier turns of one job; `mark` delimits untrusted text."""

    def __init__(
        self,
        *,
        model: CompletionClient | None,
        event_log: EventLog,
        records: AgentRecords,
        window_tokens: int,
        cost_of: Callable[[ModelUsage], float],
        budget: ModelBudget,
        mark: str,
    ) -> None:
        self._model = model
        self._event_log = event_log
        self._records = records
        self._window_characters = window_characters(window_tokens)
        self._cost_of = cost_of
        self._budget = budget
        self._recorder = CallRecorder(event_log, budget, cost_of)
        self._mark = mark

    def is_due(self, turn: Turn) -> bool:
        """Report whether the earlier turns are long enough to be summarized."""
        if self._model is None or turn.position == 1:
            return False
        messages = (message_of(each) for each in summarized(self._earlier(turn)))
        return size_of(messages) > self._window_characters * _LONG

    def summarize(self, ask: ModelRequest) -> TurnUsage:
        """Request a summary of the earlier turns; return the usage."""
        known = self._event_log.earlier(ask.turn.id, SUMMARY_KEY)
        if known.message is not None:
            return TurnUsage(*known.message["spent"])
        if self._model is None or known.is_cancelled or self._budget.exhausted():
            return TurnUsage()
        kept, begun = self._earlier(ask.turn), time.monotonic()
        received = Transcript()  # with the usage of a call that fails
        messages, tools = self._request(ask, kept), ask.tools()
        try:
            # Providers reject a history with calls of tools that are not declared.
            completion = self._model.complete(
                messages,
                tools=tools,
                tool_use=ToolUse.NONE,
                listener=received.add,
                watch=ask.watch,
            )
        except CallCancelled:
            paid = received.paid(self._model.name, messages, tools)
            return self._failed(ask, "the turn was cancelled", paid, begun)
        except ModelError as error:
            _log.warning("job %s is not summarized: %s", ask.turn.job_id, error.detail)
            return self._failed(ask, error.detail, received.usage, begun)
        return self._written(ask, completion, len(kept), time.monotonic() - begun)

    def _failed(self, ask: ModelRequest, reason: str, usage: ModelUsage, begun: float) -> TurnUsage:
        key = f"{SUMMARY_KEY} failed"
        return self._recorder.record_failed(key, ask, storable(reason), usage, begun)

    def _earlier(self, turn: Turn) -> list[Mapping[str, Any]]:
        """Return the stored messages of earlier turns."""
        own = len(self._event_log.messages_of_turn(turn.id))
        messages = self._event_log.messages(turn.job_id)
        return messages[: len(messages) - own]

    def _request(self, ask: ModelRequest, kept: Sequence[Mapping[str, Any]]) -> list[ChatMessage]:
        said = fitted(complete([message_of(each) for each in summarized(kept)]), ask.window_tokens)
        return [
            ChatMessage(ChatRole.SYSTEM, ask.system),
            *said,
            ChatMessage(ChatRole.USER, SUMMARIZE),
        ]

    def _written(
        self, ask: ModelRequest, completion: Completion, replaces: int, seconds: float
    ) -> TurnUsage:
        usage = completion.usage
        cost = self._cost_of(usage)
        spent = TurnUsage(1, counted(usage), cost, seconds)
        notes = self._notes(completion)
        entry = StepRecord(
            SUMMARY_KEY,
            messages=[self._stored(ask.turn, notes, replaces, spent)],
            events=[("summary", _event(notes, usage, cost))],
            totals={"steps": 1, **totals(usage, cost)},
        )
        self._recorder.record(ask, entry, usage)
        return spent

    def _notes(self, completion: Completion) -> str | None:
        """Return the notes in a response; None if refused, truncated or too long."""
        text = storable(completion.text).strip()
        is_cut = completion.finish is FinishReason.LENGTH
        fits = 0 < len(text) <= self._window_characters * _LONGEST
        return text if fits and not is_cut and not is_refusal(text) else None

    def _stored(
        self, turn: Turn, notes: str | None, replaces: int, spent: TurnUsage
    ) -> dict[str, Any]:
        """Return the message to store. Without notes it only records the usage."""
        took = [spent.steps, spent.tokens, spent.cost, spent.seconds]
        if notes is None:
            return {**message_json(ChatMessage(ChatRole.USER, "")), REPLACES: 0, "spent": took}
        turns = self._records.turns(turn.job_id)
        prompts = [each.instruction.prompt for each in turns if each.position < turn.position]
        message = ChatMessage(ChatRole.USER, summary_message(self._mark, prompts, notes))
        return {**message_json(message), REPLACES: replaces, "spent": took}


def _event(notes: str | None, usage: ModelUsage, cost: float) -> dict[str, Any]:
    return {"text": (notes or "")[:_SHOWN_CHARACTERS], **shown_amounts(usage, cost)}
