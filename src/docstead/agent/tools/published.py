"""Passages of the documentation as readers find them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

PUBLISHED = "published"  # the argument that searches them


@dataclass(frozen=True, slots=True)
class PublishedPassage:
    """A part of a published page."""

    path: str  # address in the site, "/guides/start#install"
    title: str
    text: str


SearchPublished = Callable[[str, int], Sequence[PublishedPassage]]  # the question, passages at most
