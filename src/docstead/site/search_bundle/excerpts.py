"""The first words of a section as plain text, for the list of results."""

from __future__ import annotations

import re

EXCERPT_LENGTH = 150
_READ = 500  # characters of Markdown that surely hold an excerpt

_FENCE = r"^\s*(?:`{3,}|~{3,})"
_BLOCKS = re.compile(rf"{_FENCE}.*?(?:{_FENCE}\s*$|\Z)", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"\A\s*#{1,6}\s[^\n]*\n?")
_MARKS = re.compile(
    r"!\[[^\]]*\]\([^)]*\)|\[([^\]]*)\]\([^)]*\)"  # images; links become their texts
    r"|^[\s|:+-]+$|^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+|\d+[.)]\s+|\|)"  # rules; what begins a block
    r"|\*\*|__|~~|`+|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|<[^>\n]*>|\\(?=\W)|\|",
    re.MULTILINE,
)


def excerpt(markdown: str) -> str:
    """At most `EXCERPT_LENGTH` characters; code blocks stand in only where nothing else does."""
    start = _HEADING.sub("", markdown[:_READ])
    prose = _plain(_BLOCKS.sub(" ", start) if "```" in start or "~~~" in start else start)
    prose = prose or _plain(start)
    if len(prose) <= EXCERPT_LENGTH:
        return prose
    cut = prose[:EXCERPT_LENGTH]
    head, blank, _ = cut.rpartition(" ")
    return f"{head if blank and len(head) > EXCERPT_LENGTH // 2 else cut}…"


def _plain(markdown: str) -> str:
    return " ".join(_MARKS.sub(r"\1", markdown).split())
