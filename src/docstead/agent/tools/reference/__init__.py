"""Reference for authors of pages: components, frontmatter and `docs.json`."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

from pydantic import Field

from docstead.agent.tools.result import ToolResult
from docstead.agent.tools.tool import Arguments, Tool

Topic = Literal["components", "frontmatter", "settings"]


class ReferenceArguments(Arguments):
    topic: Topic = Field(description="settings: docs.json with navigation and redirects.")


class Reference:
    """Answers with one of the reference texts."""

    def tools(self) -> tuple[Tool, ...]:
        return (
            Tool(
                "reference",
                "Components, frontmatter keys and settings that pages can use here.",
                ReferenceArguments,
                self.show,
            ),
        )

    def show(self, asked: ReferenceArguments) -> ToolResult:
        return ToolResult(_text(asked.topic))


@cache
def _text(topic: Topic) -> str:
    return (resources.files(__name__) / f"{topic}.md").read_text(encoding="utf-8").rstrip()
