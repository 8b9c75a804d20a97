"""Addresses that lead to the words themselves (URL fragment text directives)."""

from __future__ import annotations

import re
from urllib.parse import quote

_SHORT = 12  # words that are named as they are; of longer quotes the two ends
_END = 5
_LEAST = 2
_WORD = re.compile(r"\S+")


def address_of(link: str, quoted: str) -> str:
    """The link, made to scroll to the words; a browser that does not know how stays with it."""
    words = _WORD.findall(_comparable(quoted))
    if len(words) < _LEAST:
        return link
    if len(words) <= _SHORT:
        directive = _escaped(" ".join(words))
    else:
        directive = f"{_escaped(' '.join(words[:_END]))},{_escaped(' '.join(words[-_END:]))}"
    return f"{link}{'' if '#' in link else '#'}:~:text={directive}"


def _comparable(quoted: str) -> str:
    """Words as a browser shows them: bars and marks of lists are no text."""
    return re.sub(r"^[\s|*>#-]+|[\s|]+$", "", quoted)


def _escaped(words: str) -> str:
    """Hyphens and commas have a meaning of their own in a directive."""
    return quote(words, safe="").replace("-", "%2D")
