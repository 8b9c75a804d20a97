"""Configuration of the search script of a page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache

from docstead.site.shell.words import Words


@dataclass(frozen=True, slots=True)
class SearchView:
    """The button of the search; the link to its script is still marked."""

    script: str
    language: str  # as docs.json names it; "" where the site has one language
    version: str
    prompt: str
    words: str  # of the dialog, as JSON


@lru_cache(maxsize=64)
def search_words(words: Words, prompt: str) -> str:
    """The words of the dialog, by the names that its script knows."""
    said = {
        "search": prompt,
        "none": words.search_none,
        "hint": words.search_hint,
        "found": words.search_found,
        "select": words.search_select,
        "open": words.search_open,
        "close": words.search_close,
        "failed": words.search_failed,
    }
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))
