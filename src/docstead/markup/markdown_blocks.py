"""Markdown blocks: list items, fenced code, table rows."""

from __future__ import annotations

from collections.abc import Sequence


def indented(mark: str, text: str) -> str:
    """Return a list item, with further lines indented by the width of `mark`."""
    first, *others = text.split("\n")
    indent = " " * len(mark)
    return "\n".join([mark + first, *(indent + line if line else "" for line in others)])


def fenced(code: str, language: str, title: str | None) -> str:
    """Return a code block whose fence is longer than any in the code."""
    mark = "```"
    while mark in code:
        mark += "`"
    info = " ".join(filter(None, (language, title)))
    return f"{mark}{info}\n{code}\n{mark}"


def language_in(names: str | None) -> str:
    """Return the language in a code block's class names, or ""."""
    marked = (name for name in (names or "").split() if name.startswith("language-"))
    return next(marked, "").removeprefix("language-")


def table_line(cells: Sequence[str]) -> str:
    """Return a table row."""
    return f"| {' | '.join(cells)} |"
