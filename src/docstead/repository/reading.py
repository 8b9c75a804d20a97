"""Accessibility checks of a page: image descriptions and heading levels."""

from __future__ import annotations

import re

from docstead.repository.positions import Diagnostics, LineIndex

_UNNAMED = re.compile(r"!\[\s*\]\(")
_IMAGE = re.compile(r"<img\b(?P<attributes>(?:[^<>{}]|\{[^{}]*\}){0,2000})>")
_ALT = re.compile(r"(?:^|\s)(?:alt|aria-hidden|role|\{\.\.\.)")
_HEADING = re.compile(r"\n[ ]{0,3}(#{1,6})[ \t]+\S")
_TITLE_LEVEL = 1


def check_reading(text: str, lines: LineIndex, diagnostics: Diagnostics) -> None:
    """Report images without alternative text, and skipped heading levels.

    `text` is MDX without its code (`without_code`).
    """
    if "![" in text or "<img" in text:
        _check_images(text, lines, diagnostics)
    _check_headings(text, lines, diagnostics)


def _check_images(text: str, lines: LineIndex, diagnostics: Diagnostics) -> None:
    markdown = (match.start() for match in _UNNAMED.finditer(text))
    html = (m.start() for m in _IMAGE.finditer(text) if not _ALT.search(m["attributes"]))
    for offset in sorted((*markdown, *html)):
        diagnostics.info(
            lines.position(offset),
            "missing-alt",
            "image has no alt text",
            'Write ![what it shows](…), or alt="" if it is decorative.',
        )


def _check_headings(text: str, lines: LineIndex, diagnostics: Diagnostics) -> None:
    before, followed = _TITLE_LEVEL, "the page's title"
    for match in _HEADING.finditer(f"\n{text}"):
        level = len(match[1])
        if level > before + 1:
            message = f"a heading of level {level} follows {followed}"
            hint = f"Begin it with {'#' * (before + 1)}."
            diagnostics.info(lines.position(match.start(1) - 1), "heading-jump", message, hint)
        before, followed = level, f"one of level {level}"
