"""HTML fragments for reference pages, with the markup of page components."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape, unescape
from typing import TYPE_CHECKING

from docstead.markup.code_groups import CodeBlock
from docstead.markup.code_groups import code_group as html_of_group
from docstead.markup.highlight import FenceMeta, highlight
from docstead.markup.rendered import LINK_MARK
from docstead.reference.common.tags import apply_tags

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_OWN_LINK = re.compile(r'(href|src)="(?=/(?!/))')
_SOURCE = re.compile(r'<ds-source data-language="([^"]*)" data-title="([^"]*)">([^<]*)</ds-source>')
_GROUP = re.compile(
    r'(<div class="ds-code-group code-group">)((?:<ds-source [^>]*>[^<]*</ds-source>)+)</div>'
)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("table_open", lambda *_: '<div class="ds-table"><table>\n')
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    apply_tags(parser)
    return parser


def _fence(_: object, tokens: Sequence[Token], index: int, *__: object) -> str:
    return code(tokens[index].content.rstrip("\n"), tokens[index].info.partition(" ")[0])


def markdown(text: object) -> str:
    """Render a description of a specification as HTML; most tags in it are shown literally."""
    if not isinstance(text, str) or not text.strip():
        return ""
    return _rendered(text.strip())


@lru_cache(maxsize=1_024)  # many operations have equal descriptions
def _rendered(text: str) -> str:
    html: str = _parser().render(text)
    return _OWN_LINK.sub(rf'\1="{LINK_MARK}', html)


def described_html(text: str) -> str:
    """Render an operation's description, with headings below that of the page."""
    html = markdown(text).replace("<h1>", "<h2>").replace("</h1>", "</h2>")
    return f'<div class="ds-operation-about">{html}</div>' if html else ""


def code(source: str, language: str, title: str = "") -> str:
    """Return a code block as `<ds-source>`, to be replaced by `highlighted`."""
    facts = f'data-language="{escape(language.strip().lower())}" data-title="{escape(title)}"'
    return f"<ds-source {facts}>{escape(source, quote=False)}</ds-source>"


def highlighted(html: str) -> str:
    """Replace `<ds-source>` elements with highlighted code."""
    return _SOURCE.sub(_highlighted, _GROUP.sub(_grouped, html))


def _grouped(found: re.Match[str]) -> str:
    return html_of_group(found[1], [_block(each) for each in _SOURCE.finditer(found[2])])


def _highlighted(found: re.Match[str]) -> str:
    block = _block(found)
    return highlight(block.code, block.language, block.meta)


def _block(found: re.Match[str]) -> CodeBlock:
    language, title, source = map(unescape, found.groups())
    return CodeBlock(source, language, FenceMeta(title=title))


def code_group(
    blocks: Iterable[str], kind: str, label: str, *, are_alternatives: bool = False
) -> str:
    """Return code blocks next to the text, if there is room. One of alternatives is printed."""
    inner = "".join(blocks)
    if not inner:
        return ""
    alternatives = " data-alternatives" if are_alternatives else ""
    return (
        f'<aside class="ds-example {kind}-example" data-ds-example="{kind}"{alternatives} '
        f'aria-label="{escape(label)}"><div class="ds-code-group code-group">{inner}</div></aside>'
    )


def tabs(panels: Iterable[tuple[str, str]]) -> str:
    """Return titled panels, of which a script shows one at a time."""
    sections = "".join(
        f'<div class="ds-tab" role="tabpanel" data-title="{escape(title)}" '
        f'data-component-part="tab-content">{html}</div>'
        for title, html in panels
    )
    if not sections:
        return ""
    return (
        '<div class="ds-tabs tabs" data-sync="false">'
        f'<div class="ds-tab-panels" data-component-part="tabs-panels">{sections}</div></div>'
    )


_PILLS = {"required": "field-required-pill", "deprecated": "field-deprecated-pill"}


def pill(kind: str, html: str) -> str:
    """Return a label next to a field's name."""
    part = _PILLS.get(kind, "field-info-pill")
    return f'<span class="ds-field-pill ds-field-{kind}" data-component-part="{part}">{html}</span>'


def expandable(title: str, body: str, *, is_open: bool = False) -> str:
    """Return a collapsible box; title and body are HTML."""
    state = " open" if is_open else ""
    return (
        f'<details class="ds-expandable expandable" data-component-part="expandable"{state}>'
        '<summary class="ds-expandable-summary" data-component-part="expandable-button">'
        f'{title}</summary><div class="ds-expandable-body expandable-content" '
        f'data-component-part="expandable-content">{body}</div></details>'
    )


def field_box(
    name: str, anchor: str, pills: str, body: str, *, position: str = "", before: str = ""
) -> str:
    """Return a field like a manual one; `before` and `pills` are labels around its name."""
    where = f' data-place="{escape(position)}"' if position else ""
    return (
        f'<div class="ds-field field" id="{anchor}"{where}><div class="ds-field-head">'
        f'{before}<div class="ds-field-label" data-component-part="field-name">'
        f'<a class="ds-field-name" href="#{anchor}"><code>{escape(name)}</code></a></div>'
        f'<div class="ds-field-meta" data-component-part="field-meta">{pills}</div></div>'
        f'<div class="ds-field-body" data-component-part="field-content">{body}</div></div>'
    )


def section(anchor: str, title: str, html: str, note: str = "") -> str:
    """Return a section with a heading, or "" if it is empty."""
    if not html and not note:
        return ""
    hook = "api-section-heading"
    shown = f'<code class="ds-section-note {hook}-subtitle">{escape(note)}</code>' if note else ""
    named = f'<h2 id="{anchor}" class="ds-section-title {hook}-title">{escape(title)}</h2>'
    head = f'<div class="ds-section-head {hook}">{named}{shown}</div>'
    return f'<section class="ds-section api-section">{head}{html}</section>'
