"""Marks on the blocks of a page that are not the same before and after."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from lxml import html
from lxml.html import HtmlElement

FIRST = "docstead-first-change"  # what a frame scrolls to
STYLE = (
    "[data-docstead-mark]{outline:2px solid;outline-offset:5px;border-radius:2px}"
    "[data-docstead-mark=added]{outline-color:#30a46c;background:rgb(48 164 108/9%)}"
    "[data-docstead-mark=removed]{outline-color:#e5484d;background:rgb(229 72 77/9%)}"
    f"#{FIRST}{{scroll-margin-top:8rem}}"
)
_BLOCKS = 2_000  # of one page; longer ones are not compared


def mark_changes(old: Sequence[HtmlElement], new: Sequence[HtmlElement]) -> None:
    """Mark the blocks of each side that the other side does not have."""
    if max(len(old), len(new)) > _BLOCKS:
        return
    before, after = ([_text(block) for block in blocks] for blocks in (old, new))
    removed: list[HtmlElement] = []
    added: list[HtmlElement] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind != "equal":
            removed += old[i1:i2]
            added += new[j1:j2]
    _mark(removed, "removed")
    _mark(added, "added")


def _text(block: HtmlElement) -> str:
    return str(html.tostring(block, encoding="unicode", with_tail=False))


def _mark(blocks: Sequence[HtmlElement], kind: str) -> None:
    for block in blocks:
        block.set("data-docstead-mark", kind)
    if blocks:
        place = html.Element("span")
        place.set("id", FIRST)
        blocks[0].addprevious(place)
