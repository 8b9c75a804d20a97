"""Code groups: a tab bar with titles, and the blocks as its panels.

    <div class="ds-code-group code-group">
      <div class="ds-code-bar"><div class="ds-tab-list" role="tablist">
        <button role="tab" aria-selected="true" data-active>icon app.js</button>…
      </div></div>
      <div class="ds-code ds-code-panel" role="tabpanel" data-title="app.js">…</div>…
    </div>

A script adds the menu of groups that have one. In stateful components it creates the whole bar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from docstead.markup.content_words import ENGLISH, ContentTexts
from docstead.markup.fences import FenceMeta
from docstead.markup.highlight import panel, title

if TYPE_CHECKING:
    from docstead.markup.grammars import SiteGrammars  # starts V8, which few callers need

_MENU = " data-dropdown "
_BAR = '<div class="ds-code-bar" data-component-part="code-group-tab-bar">{}</div>'


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A code block with its options."""

    code: str
    language: str
    meta: FenceMeta

    @property
    def title(self) -> str | None:
        return self.meta.title


def code_group(
    opening: str,
    blocks: Sequence[CodeBlock],
    grammars: SiteGrammars | None = None,
    words: ContentTexts = ENGLISH,
) -> str:
    """Return the group as HTML; `opening` is the start tag of its element."""
    panels = "".join(
        panel(each.code, each.language, each.meta, grammars, words, is_first=number == 0)
        for number, each in enumerate(blocks)
    )
    tabs = "" if _MENU in opening else _tab_list(blocks, words)
    return f"{opening}{_BAR.format(tabs)}{panels}</div>"


def _tab_list(blocks: Sequence[CodeBlock], words: ContentTexts) -> str:
    tabs = "".join(_tab(block, words, is_first=number == 0) for number, block in enumerate(blocks))
    return f'<div class="ds-tab-list" role="tablist">{tabs}</div>'


def _tab(block: CodeBlock, words: ContentTexts, *, is_first: bool) -> str:
    state = ' aria-selected="true" data-active=""' if is_first else ' aria-selected="false"'
    name = block.language or words.example
    shown = title(name, block.meta)
    label = f' aria-label="{escape(name)}"' if block.meta.icon and not block.title else ""
    return f'<button type="button" class="ds-tab-button" role="tab"{state}{label}>{shown}</button>'
