"""Fonts of pages that Chromium prints."""

from __future__ import annotations

from docstead.rendering import chromium
from docstead.rendering.chromium import ORIGIN, OfflineDocument

_FACE = "@font-face{font-display:optional}"


def test_printed_pages_use_fonts_however_late_they_come() -> None:
    files = {"site.css": (_FACE.encode(), "text/css"), "a.txt": (_FACE.encode(), "text/plain")}
    job = OfflineDocument(f"<style>{_FACE}</style>", files.get)
    bodies = [
        (chromium._response(url, job) or (b"", {}))[0]
        for url in (f"{ORIGIN}/site.css", f"{ORIGIN}/a.txt")
    ]
    assert bodies == [b"@font-face{font-display:block}", _FACE.encode()]
    page, _ = chromium._response(chromium._DOCUMENT, job) or (b"", {})
    assert page == b"<style>@font-face{font-display:block}</style>"
