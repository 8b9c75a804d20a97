"""Sanitization of model output for databases, commits and forges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from docstead.agent.workspace.secret_scan import masked

_TITLE_LENGTH = 120


def storable(text: str) -> str:
    """Remove characters that databases reject: NUL and lone surrogates."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def with_each_text(value: Any, change: Callable[[str], str]) -> Any:
    """Apply a function to every string in nested mappings and sequences."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: with_each_text(each, change) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [with_each_text(each, change) for each in value]
    return value


def title_of(prompt: str) -> str:
    """Return the first line of an instruction without its full stop."""
    line = first_line_of(prompt)
    return line if line.endswith("..") else line.removesuffix(".")


def first_line_of(prompt: str) -> str:
    """Return the first line of an instruction, truncated for lists."""
    lines = (line.strip() for line in storable(prompt).splitlines())
    line = masked(next(filter(None, lines), "Untitled"))
    return line if len(line) <= _TITLE_LENGTH else f"{line[: _TITLE_LENGTH - 1].rstrip()}…"
