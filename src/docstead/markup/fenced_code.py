"""Removal of fenced code from Markdown, in linear time.

A pattern that searches for the end of each fence would read the rest of the text for each unclosed
one.
"""

from __future__ import annotations

import re

_OPENING = re.compile(r"[ \t]*(?:(`{3,})[^`]*|(~{3,}).*)")


def without_fenced_code(markdown: str) -> str:
    """Replace each fence with an empty line; unclosed fences are text."""
    if "```" not in markdown and "~~~" not in markdown:
        return markdown
    lines, kept, at = markdown.split("\n"), list[str](), 0
    unclosed: dict[str, int] = {}  # by character: the shortest fence that is not closed below
    while at < len(lines):
        fence = _fence(lines[at])
        end = None
        if fence and len(fence) < unclosed.get(fence[0], len(markdown)):
            end = next((n for n in range(at + 1, len(lines)) if _closes(lines[n], fence)), None)
            if end is None:
                unclosed[fence[0]] = len(fence)
        kept.append(lines[at] if end is None else "")
        at = (at if end is None else end) + 1
    return "\n".join(kept)


def _fence(line: str) -> str:
    opening = _OPENING.fullmatch(line)
    return (opening[1] or opening[2]) if opening else ""


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and not bare.strip(fence[0])
