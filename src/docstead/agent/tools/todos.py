"""The todo list, and the end of the work."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from docstead.agent.tools.result import Ending, Todo, ToolResult
from docstead.agent.tools.tool import Arguments, Tool


class TodoItem(Arguments):
    content: str = Field(min_length=1, max_length=500)
    status: Literal["pending", "in_progress", "completed", "cancelled"] = "pending"
    priority: Literal["high", "medium", "low"] = "medium"


class TodoArguments(Arguments):
    todos: list[TodoItem] = Field(
        max_length=50, description="The whole list; it replaces the old one."
    )


class FinishArguments(Arguments):
    title: str = Field(
        min_length=1, max_length=100, description="The change in one line, as a commit subject."
    )
    summary: str = Field(
        min_length=1, max_length=5_000,
        description="What changed and why, for reviewers. Markdown.",
    )  # fmt: skip


class Planning:
    def tools(self) -> tuple[Tool, ...]:
        return (
            Tool(
                "update_todos",
                "Write the job's todo list.",
                TodoArguments,
                self.update,
            ),
            Tool(
                "finish",
                "Hand the work in, once, after check.",
                FinishArguments,
                self.finish,
            ),
        )

    def update(self, asked: TodoArguments) -> ToolResult:
        todos = tuple(
            Todo(str(number), item.content, item.status, item.priority)
            for number, item in enumerate(asked.todos, 1)
        )
        open_count = sum(todo.status in ("pending", "in_progress") for todo in todos)
        return ToolResult(f"{len(todos)} todos, {open_count} of them open", todos=todos)

    def finish(self, asked: FinishArguments) -> ToolResult:
        return ToolResult("handed in", ending=Ending(asked.title, asked.summary))
