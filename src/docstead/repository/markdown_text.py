"""Fast classification of MDX source as prose or code."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Patterns with a literal prefix are searched many times faster than repetitions.
_MARK = re.compile(r"```+|~~~+")
_LEAD = re.compile(r"[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+|>)*[ \t]*")
_TICKS = re.compile(r"``*")
_SIMPLE_SPAN = re.compile(r"`[^`\n]*(?:\n(?![ \t]*\n)[^`\n]*)*`")
_EMPTY_LINE = re.compile(r"\n[ \t]*\n")
_LEAD_LIMIT = 200  # characters before a fence


Ranges = list[tuple[int, int]]  # disjoint ranges (start, end) of a text, in order


def without_code(text: str) -> str:
    """Replace fenced code, code spans and comments with spaces, keeping offsets."""
    *_, (_, prose) = _code(text)
    return prose


def without_fences(text: str) -> str:
    """Replace fenced code with spaces, keeping offsets."""
    return blanked(text, _fences(text))


def code_ranges(text: str) -> Ranges:
    """Return the ranges that `without_code` replaces."""
    return sorted(each for ranges, _ in _code(text) for each in ranges)


def blanked(text: str, ranges: Ranges) -> str:
    """Replace ranges with spaces, keeping offsets and lines."""
    if not ranges:
        return text
    parts: list[str] = []
    done = 0
    for start, end in ranges:
        parts += (text[done:start], _blank(text[start:end]))
        done = end
    return "".join((*parts, text[done:]))


def enclosed(text: str, opening: str, closing: str) -> Ranges:
    """Return the ranges between two marks, inclusive, ignoring unclosed ones."""
    found: Ranges = []
    start = text.find(opening)
    while start >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0:
            break
        found.append((start, end + len(closing)))
        start = text.find(opening, end + len(closing))
    return found


def _code(text: str) -> Iterator[tuple[Ranges, str]]:
    """Yield fences, spans and comments, each kind with the text without it and those before."""
    for find in (_fences, _code_spans, _comments_of_expressions, _comments_of_html):
        ranges = find(text)
        text = blanked(text, ranges)
        yield ranges, text


def _comments_of_expressions(text: str) -> Ranges:
    return enclosed(text, "{/*", "*/}")


def _comments_of_html(text: str) -> Ranges:
    return enclosed(text, "<!--", "-->")


def _fences(text: str) -> Ranges:
    if "```" not in text and "~~~" not in text:
        return []
    found: Ranges = []
    opened: re.Match[str] | None = None
    for mark in _MARK.finditer(text):
        earliest = max(0, mark.start() - _LEAD_LIMIT - 1)
        line_start = text.rfind("\n", earliest, mark.start()) + 1
        if earliest and not line_start:  # the line begins earlier
            continue
        if not _LEAD.fullmatch(text, line_start, mark.start()):
            continue
        line_end = text.find("\n", mark.end())
        line_end = len(text) if line_end < 0 else line_end
        info = text[mark.end() : line_end]
        if opened is None:
            opened = mark if "`" not in info else None
        elif mark.group().startswith(opened.group()) and not info.strip():
            found.append((opened.start(), line_end))
            opened = None
    if opened is not None:
        found.append((opened.start(), len(text)))
    return found


def _code_spans(text: str) -> Ranges:
    """Return code spans, which end with an equal number of backticks in the same paragraph."""
    if "``" not in text and "\\`" not in text:
        return [span.span() for span in _SIMPLE_SPAN.finditer(text)]
    found: Ranges = []
    paragraph: Ranges = []
    for ticks in _TICKS.finditer(text):
        if paragraph and _is_divided(text, paragraph[-1][1], ticks.start()):
            found += _pairs(paragraph)
            paragraph = []
        if text[ticks.start() - 1 : ticks.start()] != "\\":
            paragraph.append(ticks.span())
    return found + _pairs(paragraph)


def _is_divided(text: str, start: int, end: int) -> bool:
    """Report whether there is an empty line in a range; most ranges have no line break."""
    at = text.find("\n", start, end)
    return at >= 0 and _EMPTY_LINE.search(text, at, end) is not None


def _pairs(runs: Ranges) -> Ranges:
    found: Ranges = []
    at = 0
    while at < len(runs):
        start, end = runs[at]
        size, closing = end - start, at + 1
        while closing < len(runs) and runs[closing][1] - runs[closing][0] != size:
            closing += 1
        if closing < len(runs):
            found.append((start, runs[closing][1]))
            at = closing
        at += 1
    return found


def _blank(text: str) -> str:
    if "\n" not in text:
        return " " * len(text)
    return "\n".join(" " * len(line) for line in text.split("\n"))
