"""The passages that a model has been given, by the numbers that it cites them with."""

from __future__ import annotations

import re
from collections.abc import Iterable

from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.extractive.evidence import Excerpt
from docstead.assistant.writing.markdown_units import visible
from docstead.search.analyser import Analyser

# A passage must not end its own frame and go on as somebody else's words.
_FRAME = re.compile(
    r"<(?=/?\s*(?:documentation|selection|note|skill|page|outline)\b)", re.IGNORECASE
)


class PassageStore:
    """Grows while tools find more; a passage that is already there keeps its number."""

    def __init__(self, analyser: Analyser) -> None:
        self._analyser = analyser
        self._materials: list[ExcerptSpans] = []
        self._background: list[ExcerptSpans] = []
        self._numbers: dict[tuple[str, str], int] = {}
        self.known = TextFacts("", analyser)  # may be repeated, and is not cited

    @property
    def materials(self) -> tuple[ExcerptSpans, ...]:
        """All that a sentence may rest on, passages first."""
        return (*self._materials, *self._background)

    @property
    def excerpts(self) -> tuple[Excerpt, ...]:
        """The passages, in the order of their numbers."""
        return tuple(each.excerpt for each in self._materials)

    def add_background(self, text: str) -> None:
        """Something that may be said and is no page: skills, instructions, what was selected."""
        if text.strip():
            self._background.append(ExcerptSpans(Excerpt("", "", (), text, 0.0), self._analyser))

    def add_known(self, text: str) -> None:
        """Add text of the reader or their page: its numbers and names may be repeated."""
        self.known = TextFacts(f"{self.known.source}\n{text}", self._analyser)

    def add(self, excerpts: Iterable[Excerpt]) -> list[int]:
        """Their numbers, from 1."""
        return [self._numbered(each) for each in excerpts]

    def cited(self, numbers: Iterable[int]) -> list[ExcerptSpans]:
        """The passages of these numbers; those that nobody was given are passed over."""
        return [self._materials[n - 1] for n in numbers if 0 < n <= len(self._materials)]

    def at(self, addresses: Iterable[str]) -> list[ExcerptSpans]:
        """The passages at these addresses, with or without their anchors."""
        wanted = [address.partition("?")[0] for address in addresses]
        return [
            material
            for material in self._materials
            if any(material.excerpt.link in (w, w.partition("#")[0]) for w in wanted)
        ]

    def shown(self, excerpts: Iterable[Excerpt]) -> str:
        """The passages as a model reads them."""
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
    """Text that is only read: nothing hidden in it, and no end of the frame around it."""
    return _FRAME.sub("‹", visible(text))
