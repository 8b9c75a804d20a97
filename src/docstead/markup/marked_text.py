"""Highlighting of a text within highlighted code, across token elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape, unescape

_PIECE = re.compile(r"(<[^>]*>)|([^<]+)")


def with_marked_text(line: str, text: str) -> str:
    """Wrap each occurrence of a text in a line of highlighted code in `<mark>`.

    A `<mark>` never spans tokens, so an occurrence may need several.
    """
    plain = unescape(re.sub(r"<[^>]*>", "", line))
    spans = [match.span() for match in re.finditer(re.escape(text), plain)]
    if not spans:
        return line
    html, at = [], 0
    for tag, escaped in _PIECE.findall(line):
        if tag:
            html.append(tag)
            continue
        piece = unescape(escaped)
        html += _pieces(piece, at, spans)
        at += len(piece)
    return "".join(html)


def _pieces(piece: str, start: int, spans: list[tuple[int, int]]) -> Iterator[str]:
    done = 0
    for first, last in spans:
        begin, end = max(first - start, done), min(last - start, len(piece))
        if begin >= end:
            continue
        yield escape(piece[done:begin], quote=False)
        yield f'<mark class="ds-mark">{escape(piece[begin:end], quote=False)}</mark>'
        done = end
    yield escape(piece[done:], quote=False)
