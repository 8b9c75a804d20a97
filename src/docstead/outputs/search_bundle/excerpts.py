"""Excerpts: the beginning of a section as plain text, for search results."""

from __future__ import annotations

import re

from docstead.search.chunks import without_own_heading

EXCERPT_LENGTH = 150
# Characters of Markdown that usually, and certainly, contain an excerpt.
_READ_FIRST, _READ = 240, 500

_FENCE = r"^\s*(?:`{3,}|~{3,})"
_BLOCKS = re.compile(rf"{_FENCE}.*?(?:{_FENCE}\s*$|\Z)", re.DOTALL | re.MULTILINE)
_LINKS = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
# Two alternatives, of which each fails at once at most characters.
_MARKS = re.compile(
    r"^(?:[\s|:+-]+$|\s*(?:#{1,6}\s+|>\s?|[-*+]\s+|\d+[.)]\s+|\|))"  # rules; begins of blocks
    r"|(?=[*_~`<\\|])"
    r"(?:\*\*|__|~~|`+|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|<[^>\n]*>|\\(?=\W)|\|)",
    re.MULTILINE,
)


def excerpt(markdown: str) -> str:
    """Return at most `EXCERPT_LENGTH` characters; code only if there is nothing else."""
    prose = _prose(_whole(markdown[:_READ_FIRST])) if len(markdown) > _READ_FIRST else ""
    if len(prose) <= EXCERPT_LENGTH:
        start = markdown[:_READ]
        prose = _prose(start) or _plain(without_own_heading(start))
    if len(prose) <= EXCERPT_LENGTH:
        return prose
    cut = prose[:EXCERPT_LENGTH]
    head, blank, _ = cut.rpartition(" ")
    return f"{head if blank and len(head) > EXCERPT_LENGTH // 2 else cut}…"


def _whole(start: str) -> str:
    """Remove a link that was cut in two."""
    at = start.rfind("[")
    return start if at < 0 or ")" in start[at:] else start[:at]


def _prose(start: str) -> str:
    text = without_own_heading(start)
    return _plain(_BLOCKS.sub(" ", text) if "```" in text or "~~~" in text else text)


def _plain(markdown: str) -> str:
    text = _LINKS.sub(_read_aloud, markdown) if "](" in markdown else markdown
    return " ".join(_MARKS.sub("", text).split())


def _read_aloud(link: re.Match[str]) -> str:
    """Return the text of a link, and nothing of an image."""
    return "" if link[0].startswith("!") else link[1]
