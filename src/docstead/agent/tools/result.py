"""Result of a tool call: text for the model, and data for everything else."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.agent.tools.checks import CheckReport
from docstead.models.chat import InputFile


@dataclass(frozen=True, slots=True)
class TodoRecord:
    """Todo entry, with the values of the older agent API."""

    id: str
    content: str
    status: str  # pending, in_progress, completed or cancelled
    priority: str  # high, medium or low


@dataclass(frozen=True, slots=True)
class WorkSummary:
    """Title and summary with which the model delivers its work."""

    title: str
    summary: str


@dataclass(frozen=True, slots=True)
class UserQuestion:
    """A question to the user, or a plan for approval."""

    kind: str  # question or plan
    text: str
    options: tuple[str, ...]
    assumption: str  # used if there is no answer


@dataclass(frozen=True, slots=True)
class ToolResult:
    """`text` is sent to the model. `malformed` calls had an unknown tool or invalid arguments.

    A `notice` contains no text or name from a file, so it is trusted.
    """

    text: str
    is_error: bool = False
    malformed: bool = False
    diff: str = ""  # unified diff of the call's changes
    changed: tuple[str, ...] = ()  # paths, sorted
    todos: tuple[TodoRecord, ...] | None = None  # the current list, if the call changed it
    check: CheckReport | None = None
    ending: WorkSummary | None = None  # the model declares its work done
    question: UserQuestion | None = None
    is_notice: bool = False
    picture: InputFile | None = None  # image shown to the model with the text


def refusal(reason: str, *, malformed: bool = False) -> ToolResult:
    return ToolResult(reason, is_error=True, malformed=malformed)
