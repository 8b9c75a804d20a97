"""Index of one language and version, joined from the contributions of its pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from docstead.outputs.search_bundle.contributions import PageContribution
from docstead.outputs.search_bundle.indexed_words import IndexedWords
from docstead.outputs.search_bundle.joining import UnsortedPostings
from docstead.outputs.search_bundle.json_texts import json_text
from docstead.outputs.search_bundle.records import SectionRecords

ScopeState = tuple[IndexedWords, SectionRecords]


class IndexScope:
    """Sections are numbered consecutively; a page's number is that of its first section."""

    def __init__(self, state: ScopeState | None = None) -> None:
        """Begin with the state of an earlier index, or with no pages."""
        self._postings = UnsortedPostings()
        self._weights: dict[str, int] = {}
        self._joined: IndexedWords | None = state[0] if state else None
        self._records = state[1] if state else SectionRecords()

    @property
    def sections(self) -> int:
        return self._records.sections

    def add(self, page: PageContribution) -> None:
        """Add a page after all others."""
        self._postings.add(page)
        for word, weight in page.named.items():
            self._weights[word] = self._weights.get(word, 0) + weight
        for entry in page.entries:
            self._records.add(page.page, entry)

    def replace(self, start: int, old: PageContribution, new: PageContribution) -> None:
        """Replace the page whose first section is `start` by one with as many sections."""
        self._vocabulary.replace(start, old, new)
        self._records.replace(start, new.page, new.entries)

    @property
    def state(self) -> ScopeState:
        return self._vocabulary, self._records

    def manifest(self) -> dict[str, object]:
        """Return the number of sections, and the start of each file of `parts`."""
        return {
            "n": self.sections,
            "t": self._vocabulary.separators(self._groups),
            "r": self._records.distances,
            "w": "".join(self._likely),
        }

    def parts(self) -> Iterator[tuple[str, str]]:
        """Yield name and JSON of each file, once.

        Yielded data is freed, so that a large index is never held twice.
        """
        for number, likely in enumerate(self._likely.values()):
            yield f"w{number}", json_text(" ".join(likely))
        for number, group in enumerate(self._groups):
            yield f"t{number}", json_text(self._vocabulary.taken(group))
        for number, text in enumerate(self._records.files()):
            yield f"r{number}", text

    @cached_property
    def _groups(self) -> list[tuple[int, int]]:
        return list(self._vocabulary.groups())

    @cached_property
    def _likely(self) -> dict[str, list[str]]:
        return self._vocabulary.likely()

    @property
    def _vocabulary(self) -> IndexedWords:
        """Words of all pages, once the last has been added."""
        if self._joined is None:
            self._joined = IndexedWords.of(self._postings, self._weights)
            self._postings = UnsortedPostings()  # those of a large site take much memory
        return self._joined
