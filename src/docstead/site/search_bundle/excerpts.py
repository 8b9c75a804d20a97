"""The first words of a section as plain text, for the list of results."""

from __future__ import annotations

import re

EXCERPT_LENGTH = 170
_READ = 900  # characters of Markdown that surely hold an excerpt

_FENCE = r"^\s*(?:`{3,}|~{3,})"
_BLOCKS = re.compile(rf"{_FENCE}.*?(?:{_FENCE}\s*$|\Z)", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"\A\s*#{1,6}\s[^\n]*\n?")
_RULE = re.compile(r"^[\s|:+-]+$", re.MULTILINE)
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_BLOCK_MARK = re.compile(r"^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+|\d+[.)]\s+|\|)", re.MULTILINE)
_INLINE_MARK = re.compile(r"\*\*|__|~~|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|<[^>\n]*>|\\(?=\W)")
_BLANKS = re.compile(r"[\s|]+")


def excerpt(markdown: str) -> str:
    """At most `EXCERPT_LENGTH` characters; code blocks stand in only where nothing else does."""
    start = _HEADING.sub("", markdown[:_READ])
    prose = _plain(_BLOCKS.sub(" ", start)) or _plain(start)
    if len(prose) <= EXCERPT_LENGTH:
        return prose
    cut = prose[:EXCERPT_LENGTH]
    head, blank, _ = cut.rpartition(" ")
    return f"{head if blank and len(head) > EXCERPT_LENGTH // 2 else cut}…"


def _plain(markdown: str) -> str:
    text = _RULE.sub(" ", _IMAGE.sub(" ", markdown))
    text = _BLOCK_MARK.sub("", _LINK.sub(r"\1", text))
    return _BLANKS.sub(" ", _INLINE_MARK.sub("", text)).strip()
