"""Notices in place of pages that could not be rendered."""

from __future__ import annotations

from html import escape

from docstead.content.diagnostics import Diagnostic, Severity
from docstead.site.content_words import ENGLISH, ContentWords
from docstead.site.rendered import RenderedPage


def failed_page(
    slug: str, diagnostics: tuple[Diagnostic, ...], words: ContentWords = ENGLISH
) -> RenderedPage:
    """A page whose content is not shown: a notice names the fault and its place."""
    faults = [each for each in diagnostics if each.severity is Severity.ERROR] or diagnostics
    items = "".join(
        f"<li><code>{escape(f'{fault.file}:{fault.line}:{fault.column}')}</code> "
        f"{escape(fault.message)}</li>"
        for fault in faults
    )
    html = (
        '<div class="ds-callout callout ds-failed" role="alert" data-callout="danger">'
        f'<div class="ds-callout-body"><p>{words.not_rendered}</p>'
        f"<ul>{items}</ul></div></div>"
    )
    return RenderedPage(slug, html, (), (), diagnostics, failed=True)
