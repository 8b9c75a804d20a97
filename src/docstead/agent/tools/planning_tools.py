"""Tools for the todo list, and for ending the work."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema

from docstead.agent.tools.result import TodoRecord, ToolResult, WorkSummary
from docstead.agent.tools.tool import AgentTool, ToolArguments

_TITLE = 100  # characters
_STATUSES = {"[x]": "completed", "[>]": "in_progress", "[ ]": "pending", "[-]": "cancelled"}


class TodoItem(ToolArguments):
    """An entry of the list. Models add fields that other tools have, such as `id`."""

    model_config = ConfigDict(extra="ignore")

    content: str = Field(min_length=1, max_length=500)
    status: Literal["pending", "in_progress", "completed", "cancelled"] = "pending"
    priority: Literal["high", "medium", "low"] = "medium"


def _item(value: Any) -> Any:
    """Parse an entry in Markdown list syntax, or an object as other tools use."""
    if not isinstance(value, str):
        return value
    text = value.strip().removeprefix("- ")
    status = _STATUSES.get(text[:3])
    return {"content": text[3:].strip(), "status": status} if status else {"content": text}


TodoEntry = Annotated[TodoItem, BeforeValidator(_item), WithJsonSchema({"type": "string"})]


class TodoArguments(ToolArguments):
    todos: list[TodoEntry] = Field(max_length=50, description="'[x] done', '[>] now', '[ ] open'")


class FinishArguments(ToolArguments):
    title: str = Field(min_length=1, description="'Fix links'")
    summary: str = Field(min_length=1, max_length=5_000)


class PlanningTools:
    def tools(self) -> tuple[AgentTool, ...]:
        return (
            AgentTool(
                "update_todos",
                "Replace the todo list.",
                TodoArguments,
                self.update,
            ),
            AgentTool(
                "finish",
                "Hand the work in.",
                FinishArguments,
                self.finish,
            ),
        )

    def update(self, asked: TodoArguments) -> ToolResult:
        todos = tuple(
            TodoRecord(str(number), item.content, item.status, item.priority)
            for number, item in enumerate(asked.todos, 1)
        )
        open_count = sum(todo.status in ("pending", "in_progress") for todo in todos)
        text = f"{len(todos)} todos, {open_count} of them open"
        return ToolResult(text, todos=todos, is_notice=True)

    def finish(self, asked: FinishArguments) -> ToolResult:
        return ToolResult(
            "submitted", ending=WorkSummary(asked.title[:_TITLE], asked.summary), is_notice=True
        )
