"""Comparison of facts with a text, ignoring case, whitespace and Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_MARKS = re.compile(r"[`*\\]|(?<!\w)_|_(?!\w)|^[ \t]*>[ \t]?", re.MULTILINE)
_LAST_MARKS = " .:;"


class StatedFacts:
    """A text in which facts are looked up."""

    def __init__(self, markdown: str) -> None:
        self._text = _normalized(markdown)

    def hold(self, facts: Iterable[str]) -> bool:
        """Report whether the text contains the words of each fact, in order."""
        return all(_normalized(fact).rstrip(_LAST_MARKS) in self._text for fact in facts)


def _normalized(markdown: str) -> str:
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", markdown)).casefold().split())
