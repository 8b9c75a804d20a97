"""TextMate grammars: languages that a repository describes itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grammar:
    """TextMate grammar of one language."""

    file: str  # path in the repository
    names: tuple[str, ...]  # that fences call the language by, in lower case
    scope: str  # what grammars call it: "source.flow"
    source: str  # the JSON of the whole
