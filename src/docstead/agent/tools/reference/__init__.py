"""Reference for page authors: components, frontmatter, `docs.json` and the API."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

from pydantic import Field

from docstead.agent.tools.operations import OperationReader
from docstead.agent.tools.result import ToolResult
from docstead.agent.tools.tool import AgentTool, ToolArguments

Topic = Literal["components", "frontmatter", "settings", "operations"]


class ReferenceArguments(ToolArguments):
    topic: Topic
    operation: str = Field("", max_length=1_000, description="'GET /users'; default: all.")


class Reference:
    """Returns a reference text, or operations of OpenAPI files."""

    def __init__(self, operations: OperationReader) -> None:
        self._operations = operations

    def tools(self) -> tuple[AgentTool, ...]:
        return (
            AgentTool(
                "reference",
                "Look up components, frontmatter, docs.json, OpenAPI operations.",
                ReferenceArguments,
                self.show,
            ),
        )

    def show(self, asked: ReferenceArguments) -> ToolResult:
        if asked.topic == "operations":
            return self._operations.read(asked.operation)
        return ToolResult(_text(asked.topic))


@cache
def _text(topic: Topic) -> str:
    return (resources.files(__name__) / f"{topic}.md").read_text(encoding="utf-8").rstrip()
