"""One use of a tool, as the model asked for it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from docstead.agent import stored_diffs
from docstead.agent.conversation import message_json
from docstead.agent.event_log import EventLog
from docstead.agent.prompt import CUT_CALL, PLAN_FIRST, TOO_MANY_QUESTIONS, untrusted
from docstead.agent.stored_files import FIRST_PICTURE
from docstead.agent.texts import storable, with_each_text
from docstead.agent.tools import Todo, ToolResult
from docstead.agent.tools.result import UserQuestion, refusal
from docstead.agent.turn_workspace import TurnWorkspace
from docstead.agent.values import EndReason, StepRecord, Turn, TurnEnd
from docstead.agent.workspace.secret_scan import masked
from docstead.base.clock import rfc3339
from docstead.base.errors import InvalidRequest
from docstead.models.chat import ChatMessage, ChatRole, ToolCall

_SHOWN_CHARACTERS = 2_000
_DIFF_EVERY_SECONDS = 3.0  # the whole difference is for those who watch
_SHOWN_DIFF_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class ToolRun:
    """A call of one of the model's answers, and what the clone is to show before it."""

    turn: Turn
    thought: int
    count: int  # among the calls of that answer
    call: ToolCall
    tree: str
    is_cut: bool = False  # the answer ended inside this call
    may_ask: bool = True  # no question of the same answer is open
    may_write: bool = True  # no plan has to be proposed before

    @property
    def key(self) -> str:
        return f"tool {self.thought}.{self.count}"

    @property
    def picture_position(self) -> int:
        """Position of a picture of the result among the files of its turn."""
        return self.thought * FIRST_PICTURE + self.count


@dataclass(frozen=True, slots=True)
class ToolRunResult:
    """Result of a tool call. Small, and recorded."""

    tree: str  # what the clone shows after it
    digest: str = ""  # of the result
    seconds: float = 0.0
    is_malformed: bool = False  # no tool understood the call
    ending: tuple[str, str] | None = None  # title and summary, where the model asked for the end
    end: TurnEnd | None = None
    question: tuple[str, str, float] | None = None  # kind, assumption, Unix seconds of its end


class ToolRunner:
    """Uses the tools of one job."""

    def __init__(
        self, *, turn_workspace: TurnWorkspace, event_log: EventLog, answer_seconds: float
    ) -> None:
        self._turn_workspace = turn_workspace
        self._event_log = event_log
        self._answer_seconds = answer_seconds
        self._diffed = float("-inf")
        self._has_undiffed = False  # changes since the difference was last stored

    def use(self, use: ToolRun) -> ToolRunResult:
        """Do what the call says; what was done before is not done again."""
        earlier = self._event_log.earlier(use.turn.id, use.key)
        if earlier.message is not None:
            return _remembered(earlier.message["used"])
        if earlier.is_cancelled:
            return ToolRunResult(use.tree, end=TurnEnd(EndReason.CANCELLED))
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

    def _written(self, use: ToolRun, result: ToolResult, seconds: float) -> ToolRunResult:
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
        place = use.picture_position
        shown = {"picture": [use.turn.id, place]} if result.picture else {}
        entry = StepRecord(
            use.key,
            messages=[{**message, "used": used, **shown}],
            picture=(place, result.picture) if result.picture else None,
            events=_events(use, result, until),
            job={**self._job_columns(result), **_question_columns(asked, until)},
        )
        self._event_log.write(use.turn, entry)
        return _remembered(used)

    def _job_columns(self, result: ToolResult) -> Mapping[str, Any]:
        columns: dict[str, Any] = {}
        if result.todos is not None:
            columns["todos"] = [_shown(todo) for todo in result.todos]
        self._has_undiffed |= bool(result.changed)
        if self._has_undiffed and time.monotonic() - self._diffed > _DIFF_EVERY_SECONDS:
            self._diffed, self._has_undiffed = time.monotonic(), False
            columns["diff"] = stored_diffs.kept(self._turn_workspace.diff())
        return columns


def _shown(todo: Todo) -> dict[str, str]:
    shown: dict[str, str] = with_each_text(asdict(todo), lambda text: masked(storable(text)))
    return shown


def _ending(result: ToolResult) -> list[str] | None:
    ending = result.ending
    return None if ending is None else [storable(ending.title), storable(ending.summary)]


def _question_columns(asked: UserQuestion | None, until: float) -> Mapping[str, Any]:
    """Open a question, without the answer to the one before."""
    return {"question": _question(asked, until), "answer": None} if asked else {}


def _question(asked: UserQuestion, until: float) -> dict[str, Any]:
    shown: dict[str, Any] = with_each_text(asdict(asked), lambda text: masked(storable(text)))
    moment = datetime.fromtimestamp(until, UTC)
    return {**shown, "until": rfc3339(moment)}


def _remembered(used: Mapping[str, Any]) -> ToolRunResult:
    ending, question = used["ending"], used.get("question")
    return ToolRunResult(
        **{
            **used,
            "ending": ending and (ending[0], ending[1]),
            "question": question and tuple(question),
        }
    )


def _events(use: ToolRun, result: ToolResult, until: float) -> list[tuple[str, Mapping[str, Any]]]:
    step = {"step": use.thought, "id": use.call.id, "name": use.call.name}
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
