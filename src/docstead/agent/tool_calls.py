"""Execution of one tool call of the model."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from docstead.agent import stored_diffs
from docstead.agent.conversation import message_json
from docstead.agent.dialog import OpenQuestion
from docstead.agent.event_log import EventLog
from docstead.agent.prompt import CUT_CALL, PLAN_FIRST, TOO_MANY_QUESTIONS, untrusted
from docstead.agent.step_outcomes import FinishRequest, ToolDone, ToolOutcome, ToolRequest
from docstead.agent.stored_files import FIRST_PICTURE
from docstead.agent.texts import storable, with_each_text
from docstead.agent.tools import TodoRecord, ToolResult
from docstead.agent.tools.result import UserQuestion, refusal
from docstead.agent.turn_ends import TurnCancelled
from docstead.agent.turn_workspace import TurnWorkspace
from docstead.agent.values import StepRecord, Turn
from docstead.agent.workspace.secret_scan import masked
from docstead.base.clock import rfc3339
from docstead.base.errors import InvalidRequest
from docstead.models.chat import ChatMessage, ChatRole, ToolCall

_SHOWN_CHARACTERS = 2_000
_DIFF_EVERY_SECONDS = 3.0  # stored for viewers, not for every call
_SHOWN_DIFF_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class ToolRun:
    """A call in a response of the model, and the state of the clone before it."""

    turn: Turn
    model_call: int
    count: int  # index among the calls of that response
    call: ToolCall
    tree: str
    is_last: bool  # no other call of the response follows
    is_cut: bool = False  # the response was truncated within this call
    may_ask: bool = True  # no question of the same response is open
    may_write: bool = True  # no plan needs approval first

    @property
    def key(self) -> str:
        return f"tool {self.model_call}.{self.count}"

    @property
    def picture_position(self) -> int:
        """Position of the result's image among the files of its turn."""
        return self.model_call * FIRST_PICTURE + self.count


class ToolRunner:
    """Runs the tools of one job."""

    def __init__(
        self, *, turn_workspace: TurnWorkspace, event_log: EventLog, answer_seconds: float
    ) -> None:
        self._turn_workspace = turn_workspace
        self._event_log = event_log
        self._answer_seconds = answer_seconds
        self._diffed = float("-inf")
        self._has_undiffed = False  # changes since the diff was last stored

    def use(self, use: ToolRun) -> ToolOutcome:
        """Run a call, unless it was already run."""
        earlier = self._event_log.earlier(use.turn.id, use.key)
        if earlier.message is not None:
            return _remembered(earlier.message["used"])
        if earlier.is_cancelled:
            return TurnCancelled()
        begun = time.monotonic()
        result = self._result(use)
        return self._written(use, result, time.monotonic() - begun)

    def _result(self, use: ToolRun) -> ToolResult:
        if use.is_cut:
            return ToolResult(CUT_CALL, is_error=True)
        try:
            values = use.call.values()
        except InvalidRequest as error:
            return ToolResult(error.message, is_error=True, malformed=True)
        result = self._turn_workspace.toolbox(use.tree).run(use.call.name, values)
        if result.question is not None and not use.may_ask:
            return refusal(TOO_MANY_QUESTIONS)
        if result.changed and not use.may_write:
            self._turn_workspace.forget_tree()
            self._turn_workspace.at(use.tree)
            return refusal(PLAN_FIRST)
        return result

    def _written(self, use: ToolRun, result: ToolResult, seconds: float) -> ToolDone:
        tree = (
            self._turn_workspace.changed(use.tree, result.changed) if result.changed else use.tree
        )
        asked = result.question
        until = time.time() + self._answer_seconds
        used = {
            "tree": tree,
            "digest": hashlib.sha256(result.text.encode("utf-8", "replace")).hexdigest()[:16],
            "seconds": seconds,
            "is_malformed": result.malformed,
            "ending": _ending(result),
            "question": asked and [asked.kind, storable(asked.assumption), until],
        }
        text = (
            result.text
            if result.is_notice
            else untrusted(self._turn_workspace.mark, "", result.text)
        )
        message = message_json(ChatMessage(ChatRole.TOOL, text, tool_call_id=use.call.id))
        position = use.picture_position
        shown = {"picture": [use.turn.id, position]} if result.picture else {}
        entry = StepRecord(
            use.key,
            messages=[{**message, "used": used, **shown}],
            picture=(position, result.picture) if result.picture else None,
            events=_events(use, result, until),
            job={**self._job_columns(use, result), **_question_columns(asked, until)},
        )
        self._event_log.write(use.turn, entry)
        return _remembered(used)

    def _job_columns(self, use: ToolRun, result: ToolResult) -> Mapping[str, Any]:
        columns: dict[str, Any] = {}
        if result.todos is not None:
            columns["todos"] = [_shown(todo) for todo in result.todos]
        self._has_undiffed |= bool(result.changed)
        # After the last call viewers see the result while the model thinks.
        is_due = use.is_last or time.monotonic() - self._diffed > _DIFF_EVERY_SECONDS
        if self._has_undiffed and is_due:
            self._diffed, self._has_undiffed = time.monotonic(), False
            columns["diff"] = stored_diffs.kept(self._turn_workspace.diff())
        return columns


def _shown(todo: TodoRecord) -> dict[str, str]:
    shown: dict[str, str] = with_each_text(asdict(todo), lambda text: masked(storable(text)))
    return shown


def _ending(result: ToolResult) -> list[str] | None:
    ending = result.ending
    return None if ending is None else [storable(ending.title), storable(ending.summary)]


def _question_columns(asked: UserQuestion | None, until: float) -> Mapping[str, Any]:
    """Return columns of an open question, without the answer to the previous one."""
    return {"question": _question(asked, until), "answer": None} if asked else {}


def _question(asked: UserQuestion, until: float) -> dict[str, Any]:
    shown: dict[str, Any] = with_each_text(asdict(asked), lambda text: masked(storable(text)))
    moment = datetime.fromtimestamp(until, UTC)
    return {**shown, "until": rfc3339(moment)}


def _remembered(used: Mapping[str, Any]) -> ToolDone:
    request: ToolRequest = None
    if ending := used["ending"]:
        request = FinishRequest(*ending)
    elif question := used.get("question"):
        request = OpenQuestion(*question)
    return ToolDone(used["tree"], used["digest"], used["seconds"], used["is_malformed"], request)


def _events(use: ToolRun, result: ToolResult, until: float) -> list[tuple[str, Mapping[str, Any]]]:
    step = {"step": use.model_call, "id": use.call.id, "name": use.call.name}
    events: list[tuple[str, Mapping[str, Any]]] = [
        (
            "tool",
            {
                **step,
                "arguments": use.call.arguments[:_SHOWN_CHARACTERS],
                "isError": result.is_error,
                "result": result.text[:_SHOWN_CHARACTERS],
            },
        )
    ]
    if result.todos is not None:
        events.append(("plan", {"todos": [asdict(todo) for todo in result.todos]}))
    if result.question is not None:
        events.append(("question", _question(result.question, until)))
    if result.diff:
        events.append(("diff", {**step, "diff": result.diff[:_SHOWN_DIFF_CHARACTERS]}))
    return events
