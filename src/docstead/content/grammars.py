"""TextMate grammars of languages that a repository defines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grammar:
    """TextMate grammar of one language."""

    file: str  # path in the repository
    names: tuple[str, ...]  # names in code fences, in lower case
    scope: str  # scope name: "source.flow"
    source: str  # the complete grammar as JSON
