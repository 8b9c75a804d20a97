"""Result of a tool: text for the model, and facts for everybody else."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.agent.tools.checks import CheckReport
from docstead.models.chat import InputFile


@dataclass(frozen=True, slots=True)
class Todo:
    """One entry of the job's list. The values are those of the older agent API."""

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
    assumption: str  # without an answer


@dataclass(frozen=True, slots=True)
class ToolResult:
    """`text` is what the model reads. `malformed` calls named no tool or had wrong arguments.

    A `notice` has no word from a file or a name of one, so that nobody else speaks in it.
    """

    text: str
    is_error: bool = False
    malformed: bool = False
    diff: str = ""  # unified, of what the call has changed
    changed: tuple[str, ...] = ()  # paths, sorted
    todos: tuple[Todo, ...] | None = None  # the list as it is now, where the call changed it
    check: CheckReport | None = None
    ending: WorkSummary | None = None  # the model says that it is done
    question: UserQuestion | None = None
    is_notice: bool = False
    picture: InputFile | None = None  # that the model sees with the text


def refusal(reason: str, *, malformed: bool = False) -> ToolResult:
    return ToolResult(reason, is_error=True, malformed=malformed)
