"""Configuration of the search script of a page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SearchView:
    """The button of the search; the link to its script is still marked."""

    script: str
    language: str  # as docs.json names it; "" where the site has one language
    version: str
    prompt: str
