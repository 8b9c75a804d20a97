"""One use of a tool, as the model asked for it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from docstead.agent import differences
from docstead.agent.conversation import message_json
from docstead.agent.desk import Desk
from docstead.agent.journal import Journal
from docstead.agent.prompt import CUT_CALL, untrusted
from docstead.agent.texts import storable, with_each_text
from docstead.agent.tools import Todo, ToolResult
from docstead.agent.values import EndReason, Entry, Turn, TurnEnd
from docstead.agent.workspace.secret_scan import masked
from docstead.base.errors import InvalidRequest
from docstead.models.chat import Message, Role, ToolCall

_SHOWN_CHARACTERS = 2_000
_DIFF_EVERY_SECONDS = 3.0  # the whole difference is for those who watch
_SHOWN_DIFF_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class Use:
    """A call of one of the model's answers, and what the clone is to show before it."""

    turn: Turn
    thought: int
    count: int  # among the calls of that answer
    call: ToolCall
    tree: str
    is_cut: bool = False  # the answer ended inside this call

    @property
    def key(self) -> str:
        return f"tool {self.thought}.{self.count}"


@dataclass(frozen=True, slots=True)
class Used:
    """Result of a tool call. Small, and recorded."""

    tree: str  # what the clone shows after it
    digest: str = ""  # of the result
    seconds: float = 0.0
    is_malformed: bool = False  # no tool understood the call
    ending: tuple[str, str] | None = None  # title and summary, where the model asked for the end
    end: TurnEnd | None = None


class Using:
    """Uses the tools of one job."""

    def __init__(self, *, desk: Desk, journal: Journal) -> None:
        self._desk = desk
        self._journal = journal
        self._diffed = float("-inf")
        self._has_undiffed = False  # changes since the difference was last stored

    def use(self, use: Use) -> Used:
        """Do what the call says; what was done before is not done again."""
        earlier = self._journal.earlier(use.turn.id, use.key)
        if earlier.message is not None:
            return _remembered(earlier.message["used"])
        if earlier.is_cancelled:
            return Used(use.tree, end=TurnEnd(EndReason.CANCELLED))
        begun = time.monotonic()
        result = self._result(use)
        return self._written(use, result, time.monotonic() - begun)

    def _result(self, use: Use) -> ToolResult:
        if use.is_cut:
            return ToolResult(CUT_CALL, is_error=True)
        try:
            values = use.call.values()
        except InvalidRequest as error:
            return ToolResult(error.message, is_error=True, malformed=True)
        return self._desk.toolbox(use.tree).run(use.call.name, values)

    def _written(self, use: Use, result: ToolResult, seconds: float) -> Used:
        tree = self._desk.changed(use.tree, result.changed) if result.changed else use.tree
        used = {
            "tree": tree,
            "digest": hashlib.sha256(result.text.encode("utf-8", "replace")).hexdigest()[:16],
            "seconds": seconds,
            "is_malformed": result.malformed,
            "ending": _ending(result),
        }
        text = untrusted(self._desk.mark, f"result of {use.call.name}", result.text)
        message = message_json(Message(Role.TOOL, text, tool_call_id=use.call.id))
        entry = Entry(
            use.key,
            messages=[{**message, "used": used}],
            events=_events(use, result),
            job=self._job_columns(result),
        )
        self._journal.write(use.turn, entry)
        return _remembered(used)

    def _job_columns(self, result: ToolResult) -> Mapping[str, Any]:
        columns: dict[str, Any] = {}
        if result.todos is not None:
            columns["todos"] = [_shown(todo) for todo in result.todos]
        self._has_undiffed |= bool(result.changed)
        if self._has_undiffed and time.monotonic() - self._diffed > _DIFF_EVERY_SECONDS:
            self._diffed, self._has_undiffed = time.monotonic(), False
            columns["diff"] = differences.kept(self._desk.diff())
        return columns


def _shown(todo: Todo) -> dict[str, str]:
    shown: dict[str, str] = with_each_text(asdict(todo), lambda text: masked(storable(text)))
    return shown


def _ending(result: ToolResult) -> list[str] | None:
    ending = result.ending
    return None if ending is None else [storable(ending.title), storable(ending.summary)]


def _remembered(used: Mapping[str, Any]) -> Used:
    ending = used["ending"]
    return Used(**{**used, "ending": ending and (ending[0], ending[1])})


def _events(use: Use, result: ToolResult) -> list[tuple[str, Mapping[str, Any]]]:
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
    if result.diff:
        events.append(("diff", {**step, "diff": result.diff[:_SHOWN_DIFF_CHARACTERS]}))
    return events
