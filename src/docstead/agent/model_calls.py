"""A model call: limits before it, and handling of its response or error.

Failure rule: responses are stored before they are used, so that each call is paid once. A provider
error causes a wait, a retry, or the end of the turn with the provider's message.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from docstead.agent.attachments import shown_files
from docstead.agent.cancellation import CallCancelled
from docstead.agent.conversation import (
    complete,
    fitted,
    message_json,
    message_of,
    summarized,
)
from docstead.agent.event_log import EventLog
from docstead.agent.limits import TurnLimits, TurnUsage
from docstead.agent.model_usage import counted, shown_amounts, totals
from docstead.agent.prompt import CONTINUE_EMPTY, CUT_TEXT, wrap_up
from docstead.agent.step_outcomes import (
    ContextFull,
    EmptyAnswer,
    LastAnswer,
    ModelAnswer,
    ModelBusy,
    ModelEnded,
    ModelOutcome,
)
from docstead.agent.texts import storable
from docstead.agent.turn_ends import EndReason, TurnCancelled, TurnFailed, TurnStopped
from docstead.agent.values import StepRecord, Turn
from docstead.base.errors import (
    InvalidRequest,
    ModelBadAnswer,
    ModelContextFull,
    ModelError,
    ModelMisconfigured,
    ModelOutOfCredit,
    ModelRateLimited,
    ModelRefused,
    RateLimited,
)
from docstead.jobs.outage_retries import KeepTrying, try_once
from docstead.limits.model_budgets import ModelBudgets
from docstead.models.chat import (
    ChatMessage,
    ChatRole,
    FinishReason,
    InputFile,
    ModelUsage,
    ToolCall,
    ToolSpec,
    ToolUse,
)
from docstead.models.completion import Completion, CompletionClient, Transcript

NO_MODEL = (
    "agent jobs need a chat model: set DOCSTEAD_MODEL_BASE_URL and DOCSTEAD_MODEL_NAME, "
    "or name one in DOCSTEAD_AGENT_MODELS"
)

_PURPOSE = "agent"
_TRIES = 5  # consecutive
_PAUSES_SECONDS = (1.0, 5.0, 15.0, 60.0)
_BUSY_SECONDS = (15.0, 30.0, 60.0, 120.0)  # if the provider does not state a delay
_SHORTENED = 0.5  # of the window, after the provider reported that it is exceeded
_SHOWN_CHARACTERS = 2_000
_NOTHING_SPENT = TurnUsage()
_EMPTY = "the model's message was empty"

_ENDS: dict[type[ModelError], EndReason] = {
    ModelOutOfCredit: EndReason.OUT_OF_CREDIT,
    ModelRefused: EndReason.REFUSED,
    ModelMisconfigured: EndReason.MODEL_FAILED,
}


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Input of a model call."""

    turn: Turn
    number: int
    spent: TurnUsage
    tries: int  # consecutive failures before this call
    waited_seconds: float
    window_tokens: int
    system: str
    tools: Callable[[], Sequence[ToolSpec]]
    watch: Callable[[], None]  # raises an exception to abort the call
    keep_trying: KeepTrying = try_once  # so that a paid response can be stored

    @property
    def key(self) -> str:
        return f"model {self.number}"


@dataclass(frozen=True, slots=True)
class ModelBudget:
    """Daily model budget of an organization."""

    budgets: ModelBudgets
    organization_id: str

    def exhausted(self) -> str | None:
        """Return the reason why no call may start, or None."""
        try:
            self.budgets.admit(self.organization_id)
        except RateLimited as error:
            return error.message
        except ModelOutOfCredit as error:
            return error.detail
        return None

    def record(self, usage: ModelUsage) -> None:
        self.budgets.record(self.organization_id, _PURPOSE, usage)


@dataclass(frozen=True, slots=True)
class CallRecorder:
    """Records calls in the event log, and their usage in the budget."""

    event_log: EventLog
    budget: ModelBudget
    cost_of: Callable[[ModelUsage], float]

    def record(self, ask: ModelRequest, entry: StepRecord, usage: ModelUsage) -> None:
        """Record a call, once per key of its entry."""
        if ask.keep_trying(lambda: self.event_log.write(ask.turn, entry)):
            self.budget.record(usage)

    def record_failed(
        self, key: str, ask: ModelRequest, reason: str, usage: ModelUsage, begun: float
    ) -> TurnUsage:
        """Record a call without a result if its usage was reported; return that."""
        cost = self.cost_of(usage)
        if usage.has_tokens:
            data = {"step": ask.number, "reason": reason, **shown_amounts(usage, cost)}
            events, amounts = [("modelFailed", data)], totals(usage, cost)
            self.record(ask, StepRecord(key, events=events, totals=amounts), usage)
        return TurnUsage(0, counted(usage), cost, time.monotonic() - begun)


class ModelCaller:
    """Calls the model for the turns of one job. `cost_of` returns the price of a call.

    `model_of` returns the model that answered, which is stored in the job; `files_of` the files
    attached to a turn's instruction.
    """

    def __init__(
        self,
        *,
        model: CompletionClient | None,
        event_log: EventLog,
        limits: TurnLimits,
        cost_of: Callable[[ModelUsage], float],
        model_of: Callable[[ModelUsage], str],
        budget: ModelBudget,
        files_of: Callable[[str], Sequence[InputFile]],
    ) -> None:
        self._model = model
        self._event_log = event_log
        self._limits = limits
        self._cost_of = cost_of
        self._model_of = model_of
        self._budget = budget
        self._recorder = CallRecorder(event_log, budget, cost_of)
        self._files_of = files_of
        self._read = 0  # messages of the event log
        self._said: list[ChatMessage] = []  # the same messages as sent to the model
        self._repeated = 0  # tokens of the last call and response, which are the prefix of the next

    def call(self, ask: ModelRequest) -> ModelOutcome:
        """Return the next response of a turn, or the stored one if the step is repeated."""
        earlier = self._event_log.earlier(ask.turn.id, ask.key)
        if earlier.message is not None:
            return _remembered(earlier.message)
        if earlier.is_cancelled:
            return ModelEnded(_NOTHING_SPENT, TurnCancelled())
        if self._model is None:
            return _failed(EndReason.MODEL_FAILED, NO_MODEL)
        exhausted = ask.spent.exhausted(self._limits)
        if exhausted is not None:
            error = ask.spent.explained(exhausted, self._limits)
            return ModelEnded(_NOTHING_SPENT, TurnStopped(exhausted, error))
        refusal = self._budget.exhausted()
        if refusal is not None:
            return _failed(EndReason.OUT_OF_CREDIT, refusal)
        return self._call(self._model, ask, ask.spent.nearly_exhausted(self._limits))

    def _call(
        self, model: CompletionClient, ask: ModelRequest, last_for: EndReason | None
    ) -> ModelOutcome:
        begun = time.monotonic()
        received = Transcript()  # with the usage of a call that fails
        messages, tools = self._messages(ask, last_for), ask.tools()
        try:
            completion = model.complete(
                messages,
                tools=tools,
                tool_use=ToolUse.AUTO if last_for is None else ToolUse.NONE,
                listener=received.add,
                watch=ask.watch,
            )
        except CallCancelled:
            paid = received.paid(model.name, messages, tools)
            spent = self._record_failed(ask, "the turn was cancelled", paid, begun)
            return ModelEnded(spent, TurnCancelled())
        except ModelError as error:
            spent = self._record_failed(ask, _words(error), received.usage, begun)
            return self._failed(ask, error, spent)
        if last_for is None and _is_blank(completion):
            return self._empty(ask, self._record_failed(ask, _EMPTY, completion.usage, begun))
        return self._written(ask, completion, last_for, time.monotonic() - begun)

    def _record_failed(
        self, ask: ModelRequest, reason: str, usage: ModelUsage, begun: float
    ) -> TurnUsage:
        key = f"{ask.key} failed {ask.tries}"
        return self._recorder.record_failed(key, ask, reason, usage, begun)

    def _messages(self, ask: ModelRequest, last_for: EndReason | None) -> list[ChatMessage]:
        new = self._event_log.messages(ask.turn.job_id, self._read)
        self._read += len(new)
        said = complete([*self._said, *map(self._message, summarized(new))])
        # Keep messages shortened, because providers cache prefixes of a conversation.
        self._said = fitted(said, ask.window_tokens)
        if self._said != said:
            self._repeated = 0
        last = [] if last_for is None else [ChatMessage(ChatRole.USER, wrap_up(last_for))]
        return [ChatMessage(ChatRole.SYSTEM, ask.system), *self._said, *last]

    def _message(self, kept: Mapping[str, Any]) -> ChatMessage:
        message = message_of(kept)
        if turn_id := kept.get("filesOf"):
            return replace(message, files=shown_files(self._files_of(turn_id)))
        if position := kept.get("picture"):
            picture = self._event_log.picture(*position)
            return replace(message, files=(picture,) if picture else ())
        return message

    def _written(
        self, ask: ModelRequest, completion: Completion, last_for: EndReason | None, seconds: float
    ) -> ModelOutcome:
        usage = completion.usage
        cost = self._cost_of(usage)
        calls = completion.tool_calls if last_for is None else ()
        is_cut = last_for is None and _is_cut(completion)
        spent = TurnUsage(1, counted(usage, self._repeated), cost, seconds)
        self._repeated = usage.input_tokens + usage.output_tokens
        message = ChatMessage(
            ChatRole.ASSISTANT,
            storable(completion.text),
            tool_calls=_without_cut(calls) if is_cut else calls,
            reasoning=completion.reasoning,
            original=completion.original,
        )
        kept = {
            **message_json(message),
            "spent": [spent.steps, spent.tokens, spent.cost, spent.seconds],
            "lastFor": last_for,
            "cut": is_cut,
        }  # fmt: skip
        nudges = (
            [message_json(ChatMessage(ChatRole.USER, CUT_TEXT))] if is_cut and not calls else []
        )
        entry = StepRecord(
            ask.key,
            messages=[kept, *nudges],
            events=[("model", _event(ask.number, completion, cost))],
            totals={"steps": 1, **totals(usage, cost)},
            job={"model": model} if (model := self._model_of(usage)) else {},
        )
        self._recorder.record(ask, entry, usage)
        return _remembered(kept)

    def _failed(self, ask: ModelRequest, error: ModelError, spent: TurnUsage) -> ModelOutcome:
        if isinstance(error, ModelContextFull):
            return self._full(ask, error, spent)
        for kind, reason in _ENDS.items():
            if isinstance(error, kind):
                return _failed(reason, _words(error), spent)
        if isinstance(error, ModelBadAnswer) and "empty" in error.detail:
            return self._empty(ask, spent)
        wait = _wait(error, ask.tries)
        too_long = ask.waited_seconds + wait > self._limits.waiting_seconds
        if too_long or (ask.tries + 1 >= _TRIES and not isinstance(error, ModelRateLimited)):
            return _failed(EndReason.MODEL_FAILED, _words(error), spent)
        data = {"step": ask.number, "seconds": round(wait, 1), "reason": error.detail}
        key = f"{ask.key} wait {ask.tries}"
        self._event_log.write(ask.turn, StepRecord(key, events=[("wait", data)]))
        return ModelBusy(spent, time.time() + wait)

    def _full(
        self, ask: ModelRequest, error: ModelError, spent: TurnUsage
    ) -> ContextFull | ModelEnded:
        smallest = self._limits.context_tokens * _SHORTENED**_TRIES
        if ask.window_tokens * _SHORTENED > smallest:
            return ContextFull(spent)
        return _failed(EndReason.MODEL_FAILED, _words(error), spent)

    def _empty(self, ask: ModelRequest, spent: TurnUsage) -> EmptyAnswer:
        """Request another response after an empty one, which is not part of the conversation."""
        nudge = message_json(ChatMessage(ChatRole.USER, CONTINUE_EMPTY))
        data = {"step": ask.number, "reason": _EMPTY}
        key = f"{ask.key} empty {ask.tries}"
        entry = StepRecord(key, messages=[nudge], events=[("nudge", data)])
        ask.keep_trying(lambda: self._event_log.write(ask.turn, entry))
        return EmptyAnswer(spent)


def smaller(window_tokens: int) -> int:
    """Return a smaller window to try after the provider reported that it is exceeded."""
    return int(window_tokens * _SHORTENED)


def _remembered(kept: Any) -> ModelAnswer | LastAnswer:
    message, spent = message_of(kept), TurnUsage(*kept["spent"])
    if kept["lastFor"] is not None:
        return LastAnswer(spent, message.text, EndReason(kept["lastFor"]))
    return ModelAnswer(spent, message.text, message.tool_calls, bool(kept.get("cut")))


def _failed(reason: EndReason, error: str, spent: TurnUsage = _NOTHING_SPENT) -> ModelEnded:
    return ModelEnded(spent, TurnFailed(reason, error))


def _is_cut(completion: Completion) -> bool:
    """Report whether the output token limit truncated the last call, or text without calls."""
    if completion.finish is not FinishReason.LENGTH:
        return False
    calls = completion.tool_calls
    return not calls or not _is_whole(calls[-1])


def _is_blank(completion: Completion) -> bool:
    """Report whether a response has neither calls nor visible text, and is not truncated."""
    is_cut = completion.finish is FinishReason.LENGTH
    return not completion.tool_calls and not completion.text.strip() and not is_cut


def _is_whole(call: ToolCall) -> bool:
    try:
        return bool(call.values())
    except InvalidRequest:
        return False


def _without_cut(calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    """Return the calls, with only the name of the truncated last one."""
    return (*calls[:-1], replace(calls[-1], arguments="{}")) if calls else ()


def _wait(error: ModelError, tries: int) -> float:
    if isinstance(error, ModelRateLimited):
        if error.retry_after_seconds is not None:
            return error.retry_after_seconds
        return _BUSY_SECONDS[min(tries, len(_BUSY_SECONDS) - 1)]
    return _PAUSES_SECONDS[min(tries, len(_PAUSES_SECONDS) - 1)]


def _words(error: ModelError) -> str:
    """Return the provider's message; the error's own message is for readers of a site."""
    return storable(error.detail)


def _event(number: int, completion: Completion, cost: float) -> dict[str, Any]:
    return {
        "step": number,
        "text": completion.text[:_SHOWN_CHARACTERS],
        "toolCalls": [
            {"id": call.id, "name": call.name, "arguments": call.arguments[:_SHOWN_CHARACTERS]}
            for call in completion.tool_calls
        ],
        **shown_amounts(completion.usage, cost),
    }
