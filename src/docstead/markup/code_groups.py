"""Code groups: a tab bar with titles, and the blocks as its panels.

    <div class="ds-code-group code-group">
      <div class="ds-code-bar"><div class="ds-tab-list" role="tablist">
        <button role="tab" aria-selected="true" data-active>icon app.js</button>…
      </div></div>
      <div class="ds-code ds-code-panel" role="tabpanel" data-title="app.js">…</div>…
    </div>

A group with a menu has the name of the first block in place of the tabs, and its language:

    <div class="ds-code-bar">
      <div class="ds-code-name">icon <span>app.js</span></div>
      <div class="ds-code-menu"><p class="ds-select">JavaScript</p></div>
      <template><div data-language="JavaScript">icon <span>app.js</span></div>…</template>
    </div>

A script puts a list over the language, and names the icon of the block that it shows. In stateful
components it creates the whole bar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

from docstead.markup.content_words import ENGLISH, ContentTexts
from docstead.markup.fences import FenceMeta
from docstead.markup.highlight import language_name, panel, title

if TYPE_CHECKING:
    from docstead.markup.grammars import SiteGrammars  # starts V8, which few callers need

_MENU = " data-dropdown "
_ICON = '<i data-ds-icon="{}"></i>'  # without the names of one that is shown
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
    choice = _menu(blocks) if _MENU in opening else _tab_list(blocks, words)
    return f"{opening}{_BAR.format(choice)}{panels}</div>"


def _menu(blocks: Sequence[CodeBlock]) -> str:
    """Return the name and the language of the first block, and the names of all."""
    icon = title("", replace(blocks[0].meta, title=None))
    language = escape(language_name(blocks[0].language))
    return (
        f'<div class="ds-code-name">{icon}{_name(blocks[0])}</div>'
        f'<div class="ds-code-menu"><p class="ds-select">{language}</p></div>'
        f"<template>{''.join(map(_choice, blocks))}</template>"
    )


def _choice(block: CodeBlock) -> str:
    icon = _ICON.format(escape(block.meta.icon)) if block.meta.icon else ""
    return (
        f'<div data-language="{escape(language_name(block.language))}">{icon}{_name(block)}</div>'
    )


def _name(block: CodeBlock) -> str:
    return f"<span>{escape(block.title or '')}</span>"


def _tab_list(blocks: Sequence[CodeBlock], words: ContentTexts) -> str:
    tabs = "".join(_tab(block, words, is_first=number == 0) for number, block in enumerate(blocks))
    return f'<div class="ds-tab-list" role="tablist">{tabs}</div>'


def _tab(block: CodeBlock, words: ContentTexts, *, is_first: bool) -> str:
    state = ' aria-selected="true" data-active=""' if is_first else ' aria-selected="false"'
    name = block.language or words.example
    shown = title(name, block.meta)
    label = f' aria-label="{escape(name)}"' if block.meta.icon and not block.title else ""
    return f'<button type="button" class="ds-tab-button" role="tab"{state}{label}>{shown}</button>'
