"""Notices for pages that could not be rendered, with their plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from docstead.content.diagnostics import Diagnostic
from docstead.markup.content_words import ENGLISH, ContentTexts
from docstead.markup.rendered import RenderedPage
from docstead.markup.sections import PageBody

_TEXT = "ds-plain"
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*)")
_CODE = re.compile(r"(?:import|export)\b")
_TAG = re.compile(r"[ \t]*(?:</?[A-Za-z][^<>]*>|\{.*\})[ \t]*$")
_WORD = re.compile(r"[^\W_]+")


def failed_page(
    slug: str,
    diagnostics: tuple[Diagnostic, ...],
    words: ContentTexts = ENGLISH,
    body: str = "",
) -> RenderedPage:
    """Return a page with its `body` as plain text. Diagnostics explain the error to authors."""
    text = f'<div class="{_TEXT}">{plain_html(body)}</div>'
    notice = (
        '<div class="ds-callout callout ds-failed" role="note" data-callout="warning">'
        f'<div class="ds-callout-body"><p>{words.not_rendered}</p></div></div>'
    )
    parsed = PageBody(text)
    headings, sections = parsed.headings(_TEXT), parsed.sections()
    return RenderedPage(slug, notice + text, headings, sections, diagnostics, failed=True)


def plain_html(body: str) -> str:
    """Return a page's source as plain HTML, which runs no code and keeps its markup visible."""
    anchors: dict[str, int] = {}
    blocks = (_block(kind, lines, anchors) for kind, lines in _blocks(body.splitlines()))
    return "\n".join(block for block in blocks if block)


def _blocks(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield fences, headings, code and paragraphs with their lines."""
    kind, taken, closing = "text", list[str](), ""
    for line in lines:
        if kind == "fence":
            if line.strip().startswith(closing):
                yield kind, taken
                kind, taken = "text", []
            else:
                taken.append(line)
            continue
        if fence := _FENCE.match(line):
            yield kind, taken
            kind, taken, closing = "fence", [], fence[1]
        elif not line.strip() or _HEADING.match(line):
            yield kind, taken
            kind, taken = "text", []
            yield "heading", [line]
        elif not taken and _CODE.match(line):
            kind, taken = "code", [line]
        elif kind == "code" or not _TAG.match(line):
            taken.append(line)
    yield kind, taken


def _block(kind: str, lines: list[str], anchors: dict[str, int]) -> str:
    if kind == "fence":
        return f"<pre><code>{escape(chr(10).join(lines))}</code></pre>"
    if kind == "heading" and (found := _HEADING.match(lines[0])):
        level = max(2, len(found[1]))
        anchor = "-".join(_WORD.findall(found[2].lower()))
        anchors[anchor] = count = anchors.get(anchor, 0) + 1
        anchor += f"-{count}" if count > 1 else ""
        return f'<h{level} id="{escape(anchor)}">{escape(found[2])}</h{level}>'
    return f"<p>{escape(chr(10).join(lines))}</p>" if kind == "text" and lines else ""
