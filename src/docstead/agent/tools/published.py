"""Passages of the published documentation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

PUBLISHED = "published"  # name of the argument that searches them


@dataclass(frozen=True, slots=True)
class PublishedPassage:
    """A section of a published page."""

    path: str  # URL in the site, such as "/guides/start#install"
    title: str
    text: str


SearchPublished = Callable[[str, int], Sequence[PublishedPassage]]  # question, maximum of passages
