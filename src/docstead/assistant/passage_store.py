"""Passages given to a model, numbered for citation."""

from __future__ import annotations

import re
from collections.abc import Iterable

from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.extractive.evidence import Excerpt
from docstead.assistant.writing.markdown_units import visible
from docstead.search.analyser import Analyser

# Delimiters in a passage, which could end its frame.
_FRAME = re.compile(
    r"<(?=/?\s*(?:documentation|selection|note|skill|page|outline)\b)", re.IGNORECASE
)


class PassageStore:
    """Grows as tools find more passages; known passages keep their numbers."""

    def __init__(self, analyser: Analyser) -> None:
        self._analyser = analyser
        self._materials: list[ExcerptSpans] = []
        self._background: list[ExcerptSpans] = []
        self._numbers: dict[tuple[str, str], int] = {}
        self.known = TextFacts("", analyser)  # may be repeated, but not cited

    @property
    def materials(self) -> tuple[ExcerptSpans, ...]:
        """All material that can support a sentence, passages first."""
        return (*self._materials, *self._background)

    @property
    def excerpts(self) -> tuple[Excerpt, ...]:
        """The passages in order of their numbers."""
        return tuple(each.excerpt for each in self._materials)

    def add_background(self, text: str) -> None:
        """Add text that may be repeated but is not a page: skills, instructions, selections."""
        if text.strip():
            self._background.append(ExcerptSpans(Excerpt("", "", (), text, 0.0), self._analyser))

    def add_known(self, text: str) -> None:
        """Add text of the reader or their page, whose numbers and names may be repeated."""
        self.known = TextFacts(f"{self.known.source}\n{text}", self._analyser)

    def add(self, excerpts: Iterable[Excerpt]) -> list[int]:
        """Add excerpts and return their numbers, from 1."""
        return [self._numbered(each) for each in excerpts]

    def cited(self, numbers: Iterable[int]) -> list[ExcerptSpans]:
        """Return the passages with these numbers, ignoring unknown ones."""
        return [self._materials[n - 1] for n in numbers if 0 < n <= len(self._materials)]

    def at(self, urls: Iterable[str]) -> list[ExcerptSpans]:
        """Return the passages at these URLs, with or without anchors."""
        links = [url.partition("?")[0] for url in urls]
        return [
            material
            for material in self._materials
            if any(material.excerpt.link in (w, w.partition("#")[0]) for w in links)
        ]

    def shown(self, excerpts: Iterable[Excerpt]) -> str:
        """Return the passages as shown to the model."""
        found = list(excerpts)
        numbers = self.add(found)
        return "\n\n".join(map(self._shown, numbers)) or "No passage was found."

    def _numbered(self, excerpt: Excerpt) -> int:
        key = (excerpt.link, excerpt.markdown)
        if key not in self._numbers:
            self._materials.append(ExcerptSpans(excerpt, self._analyser))
            self._numbers[key] = len(self._materials)
        return self._numbers[key]

    def _shown(self, number: int) -> str:
        excerpt = self._materials[number - 1].excerpt
        return f"[{number}] {framed(excerpt.name)}\n{excerpt.link}\n{framed(excerpt.markdown)}"


def framed(text: str) -> str:
    """Sanitize text for the prompt: no hidden characters and no end of its frame."""
    return _FRAME.sub("‹", visible(text))
