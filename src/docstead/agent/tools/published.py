"""Searching the documentation as readers see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import Field

from docstead.agent.tools.result import ToolResult
from docstead.agent.tools.tool import Arguments, Tool


@dataclass(frozen=True, slots=True)
class PublishedPassage:
    """A part of a published page."""

    path: str  # address in the site, "/guides/start#install"
    title: str
    text: str


SearchPublished = Callable[[str, int], Sequence[PublishedPassage]]  # the question, passages at most


class PublishedArguments(Arguments):
    query: str = Field(min_length=1, max_length=500, description="Words or a question.")
    limit: int = Field(8, ge=1, le=20, description="Passages, at most.")


class PublishedSearch:
    def __init__(self, search: SearchPublished) -> None:
        self._search = search

    def tools(self) -> tuple[Tool, ...]:
        return (
            Tool(
                "search_docs",
                "Search the documentation by meaning and words, as last published: without this "
                "job's changes.",
                PublishedArguments,
                self.search,
            ),
        )

    def search(self, asked: PublishedArguments) -> ToolResult:
        found = self._search(asked.query, asked.limit)
        shown = (f"## {each.title}\n{each.path}\n\n{each.text}" for each in found)
        return ToolResult("\n\n".join(shown) or "[nothing was found]")
