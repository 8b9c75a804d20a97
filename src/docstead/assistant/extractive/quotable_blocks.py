"""Blocks of a section that a quote may contain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_PICTURES = re.compile(r"(?:\[?!\[[^\]\n]*\]\([^)\n]*\)(?:\]\([^)\n]*\))?\s*)+")
_DESCRIPTION = re.compile(r"!\[([^\]\n]*)\]")
_BREAK = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")


def quotable(blocks: Iterable[str]) -> Iterator[str]:
    """Yield the blocks without pictures, their captions and lines between parts.

    The linked section shows the pictures. A caption repeats a picture's description.
    """
    descriptions: list[str] = []
    for block in blocks:
        if _PICTURES.fullmatch(block):
            descriptions = _DESCRIPTION.findall(block)
            continue
        if block.strip() not in descriptions and not _BREAK.fullmatch(block.strip()):
            yield block
        descriptions = []
