"""Pages that could not be rendered: their plain text below a notice."""

from __future__ import annotations

from docstead.content.diagnostics import Diagnostic
from docstead.markup.content_words import ENGLISH, ContentTexts
from docstead.markup.rendered import RenderedPage
from docstead.markup.sections import PageBody
from docstead.rendering.plain import plain_html

_TEXT = "ds-plain"


def failed_page(
    slug: str,
    diagnostics: tuple[Diagnostic, ...],
    words: ContentTexts = ENGLISH,
    body: str = "",
) -> RenderedPage:
    """Return the page as plain text of its `body`. Authors read in the diagnostics why."""
    text = f'<div class="{_TEXT}">{plain_html(body)}</div>'
    notice = (
        '<div class="ds-callout callout ds-failed" role="note" data-callout="warning">'
        f'<div class="ds-callout-body"><p>{words.not_rendered}</p></div></div>'
    )
    parsed = PageBody(text)
    headings, sections = parsed.headings(_TEXT), parsed.sections()
    return RenderedPage(slug, notice + text, headings, sections, diagnostics, failed=True)
