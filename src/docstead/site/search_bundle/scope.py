"""The index of one language and version."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from docstead.content.pages import PageMeta, Section
from docstead.site.search_bundle.excerpts import excerpt
from docstead.site.search_bundle.postings import MOST_WEIGHT, Postings

Counted = Callable[[str], Mapping[str, int]]

# What a word weighs by where it stands: 63 is the most that a posting can hold.
_TITLE, _HEADING, _KEYWORD, _PARENT, _OF_PAGE = 40, 24, 12, 6, 8
_BODY = 20
_HALF = 1.2  # occurrences in a section of usual length that give half of what a body can
_USUAL_WORDS = 90

_PART_BYTES = 24_000
_RECORD_BYTES = 9_000
_MOST_LISTED = 8_000
_LONGEST_WORD = 32
_MOST_DIGITS = 9  # longer numbers and hashes are not looked for


class Scope:
    """Sections are numbered as they come; a page's own number is that of its first."""

    def __init__(self, counted: Counted) -> None:
        self._counted = counted
        self._words: dict[str, Postings] = {}
        self._weights: dict[str, int] = {}
        self._records: list[list[list[object]]] = [[]]
        self._record_bytes = 0
        self._starts = [0]
        self.sections = 0

    def add(self, meta: PageMeta, sections: Sequence[Section], address: str, part: str) -> None:
        """Index a page: an entry for itself, and one for each of its sections."""
        first = [s for s in sections if not s.anchor]
        intro = "\n".join(section.markdown for section in first)
        title = self._counted(meta.title)
        own = dict.fromkeys(title, _TITLE)
        said = (meta.description or "", *meta.keywords, meta.sidebar_title or "")
        for word in self._counted(" ".join(said)):
            own[word] = own.get(word, 0) + _KEYWORD
        record: list[object] = [address, meta.title, part, meta.method or "", []]
        entries: list[list[str]] = [["", "", meta.description or excerpt(intro)]]
        self._index(intro, own, meta.boost)
        for section in sections:
            if section.anchor:
                self._index(section.markdown, self._named(section, title), meta.boost)
                entries.append([section.anchor, *self._shown(section)])
        record[-1] = entries
        self._store(record, len(entries))

    def parts(self) -> Iterator[tuple[str, object]]:
        """Name and value of each file: the manifest has the empty name."""
        words = sorted(self._words)
        groups = list(self._groups(words))
        starts = self._starts if self._records[-1] else self._starts[:-1]
        yield "", {"n": self.sections, "t": " ".join(g[0] for g in groups), "r": starts}
        yield "-w", " ".join(self._listed())
        for number, group in enumerate(groups):
            text = " ".join(self._words[word].text() for word in group)
            yield f"-t{number}", [" ".join(group), text]
        for number, records in enumerate(self._records):
            if records:
                yield f"-r{number}", records

    def _named(self, section: Section, title: Mapping[str, int]) -> dict[str, int]:
        weights = dict.fromkeys(title, _OF_PAGE)
        for heading in section.heading_path[:-1]:
            for word in self._counted(heading):
                weights[word] = weights.get(word, 0) + _PARENT
        for word in self._counted(section.heading_path[-1] if section.heading_path else ""):
            weights[word] = weights.get(word, 0) + _HEADING
        return weights

    def _shown(self, section: Section) -> tuple[str, str]:
        return " › ".join(section.heading_path), excerpt(section.markdown)

    def _index(self, text: str, named: dict[str, int], boost: float) -> None:
        number = self.sections
        self.sections += 1
        counts = self._counted(text)
        half = _HALF * (0.3 + 0.7 * sum(counts.values()) / _USUAL_WORDS)
        weights = named
        for word, count in counts.items():
            weights[word] = weights.get(word, 0) + int(_BODY * count / (count + half)) + 1
        known = self._words
        for word, weight in weights.items():
            postings = known.get(word)
            if postings is None:
                if not _is_worth_it(word):
                    continue
                postings = known[word] = Postings()
            weighed = weight if boost == 1.0 else max(1, round(weight * boost))
            postings.add(number, min(MOST_WEIGHT, weighed))
        for word, weight in named.items():
            if weight >= _HEADING:
                self._weights[word] = self._weights.get(word, 0) + weight

    def _store(self, record: list[object], sections: int) -> None:
        size = sum(len(str(each)) for each in record)
        if self._records[-1] and self._record_bytes + size > _RECORD_BYTES:
            self._starts.append(self.sections - sections)
            self._records.append([])
            self._record_bytes = 0
        self._records[-1].append(record)
        self._record_bytes += size

    def _groups(self, words: Sequence[str]) -> Iterator[list[str]]:
        """Neighbouring words for one file each; a very common word may fill one alone."""
        group: list[str] = []
        size = 0
        for word in words:
            cost = len(word) + min(len(self._words[word].data), _PART_BYTES)
            if group and size + cost > _PART_BYTES:
                yield group
                group, size = [], 0
            group.append(word)
            size += cost
        if group:
            yield group

    def _listed(self) -> list[str]:
        """The words that are most likely meant, the likeliest first."""

        def rank(word: str) -> tuple[int, str]:
            return -(self._weights.get(word, 0) + self._words[word].count), word

        known = (word for word in self._words if len(word) > 1)
        return sorted(known, key=rank)[:_MOST_LISTED]


def _is_worth_it(word: str) -> bool:
    return len(word) <= _LONGEST_WORD and sum(map(str.isdigit, word)) <= _MOST_DIGITS
