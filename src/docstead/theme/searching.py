"""Configuration of a page's search."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SearchView:
    """The search button; the link to its script is marked."""

    script: str
    language: str  # as in docs.json; "" on sites with one language
    version: str
    prompt: str
