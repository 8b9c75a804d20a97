"""Marks on the blocks of a page that differ before and after a change."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from lxml import html
from lxml.html import HtmlElement

FIRST = "docstead-first-change"  # class that a frame scrolls to
STYLE = (
    "[data-docstead-mark]{--mark:#30a46c;box-shadow:-.375rem 0 var(--ds-bg,transparent),"
    "-.5625rem 0 var(--mark);background:color-mix(in srgb,var(--mark) 10%,transparent)}"
    "[data-docstead-mark=removed]{--mark:#e5484d}"
    f"#{FIRST}{{scroll-margin-top:8rem}}"
)
_BLOCKS = 2_000  # blocks of a page; longer pages are not compared


def mark_changes(old: Sequence[HtmlElement], new: Sequence[HtmlElement]) -> None:
    """Mark the blocks of each version that the other does not contain."""
    if max(len(old), len(new)) > _BLOCKS:
        return
    before, after = ([_text(block) for block in blocks] for blocks in (old, new))
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    changes = [each for each in matcher.get_opcodes() if each[0] != "equal"]
    for _, i1, i2, j1, j2 in changes:
        _mark(old[i1:i2], "removed")
        _mark(new[j1:j2], "added")
    if changes:
        # The same position in both versions, even if one of them has nothing to mark.
        _, i1, _, j1, _ = changes[0]
        _begin(old, i1)
        _begin(new, j1)


def _text(block: HtmlElement) -> str:
    return str(html.tostring(block, encoding="unicode", with_tail=False))


def _mark(blocks: Sequence[HtmlElement], kind: str) -> None:
    for block in blocks:
        block.set("data-docstead-mark", kind)


def _begin(blocks: Sequence[HtmlElement], number: int) -> None:
    if blocks:
        position = html.Element("span")
        position.set("id", FIRST)
        blocks[min(number, len(blocks) - 1)].addprevious(position)
