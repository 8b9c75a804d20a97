"""Index of one language and version."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import accumulate
from operator import sub

from docstead.content.pages import PageMeta, Section
from docstead.outputs.search_bundle.excerpts import excerpt
from docstead.outputs.search_bundle.postings import MOST_WEIGHT, Postings

Counted = Callable[[str], Mapping[str, int]]

# Weights by location: 63 is the maximum of a posting.
_TITLE, _HEADING, _KEYWORD, _PARENT, _OF_PAGE = 28, 14, 10, 4, 6
_ALONE = 14  # added to words of a title or heading, in equal shares
_BODY = 20
_HALF = 1.2  # occurrences in a section of average length that give half of the maximum
_USUAL_WORDS = 90
_OFTEN = 12

_PART_BYTES = 16_000
_RECORD_BYTES = 4_000
_QUOTES = 10  # overhead of an entry
_QUICK = 1  # level of zlib
_MOST_LISTED = 6_000
_LONGEST_WORD = 32
_MOST_DIGITS = 9  # longer numbers and hashes are not searched


class IndexScope:
    """Sections are numbered consecutively; a page's number is that of its first section."""

    def __init__(self, counted: Counted) -> None:
        self._counted = counted
        self._words: dict[str, Postings] = {}
        self._weights: dict[str, int] = {}
        self._records: list[tuple[tuple[str, ...], list[tuple[str, str, str]]]] = []
        self._packed: list[bytes] = []  # records of complete files
        self._record_bytes = 0
        self._starts = [0]
        self.sections = 0

    def add(self, meta: PageMeta, sections: Sequence[Section], address: str, part: str) -> None:
        """Index a page: an entry for itself, and one for each of its sections."""
        first = [s for s in sections if not s.anchor]
        intro = "\n".join(section.markdown for section in first)
        title = self._counted(meta.title)
        own = dict.fromkeys(title, _TITLE + _ALONE // max(1, len(title)))
        said = (meta.description or "", *meta.keywords, meta.sidebar_title or "")
        for word in self._counted(" ".join(said)):
            own[word] = own.get(word, 0) + _KEYWORD
        record = (address, meta.title, part, meta.method or "")
        self._index(intro, own, meta.boost)
        self._store(record, ("", "", meta.description or excerpt(intro)))
        for section in sections:
            if section.anchor:
                self._index(section.markdown, self._named(section, title), meta.boost)
                shown = " › ".join(section.heading_path)
                self._store(record, (section.anchor, shown, excerpt(section.markdown)))

    def parts(self) -> Iterator[tuple[str, object]]:
        """Yield name and value of each file, once: the manifest has the empty name.

        Yielded data is freed, so that a large index is never held twice.
        """
        words = sorted(self._words)
        groups = list(self._groups(words))
        yield (
            "",
            {
                "n": self.sections,
                "t": " ".join(_separators(groups)),
                "r": list(map(sub, self._starts, (0, *self._starts))),
            },
        )
        yield "-w", " ".join(self._listed())
        for number, group in enumerate(groups):
            text = " ".join(self._words.pop(word).text() for word in group)
            yield f"-t{number}", [" ".join(group), text]
        self._pack()
        self._packed.reverse()
        for number in range(len(self._packed)):
            yield f"-r{number}", json.loads(zlib.decompress(self._packed.pop()))

    def _named(self, section: Section, title: Mapping[str, int]) -> dict[str, int]:
        weights = dict.fromkeys(title, _OF_PAGE)
        for heading in section.heading_path[:-1]:
            for word in self._counted(heading):
                weights[word] = weights.get(word, 0) + _PARENT
        own = self._counted(section.heading_path[-1] if section.heading_path else "")
        weight = _HEADING + _ALONE // max(1, len(own))
        for word in own:
            weights[word] = weights.get(word, 0) + weight
        return weights

    def _index(self, text: str, named: dict[str, int], boost: float) -> None:
        """Index words of a section with weights; `named` are those of its headings."""
        for word, weight in named.items():
            if weight >= _HEADING:
                self._weights[word] = self._weights.get(word, 0) + weight
        counts = self._counted(text)
        said = _said(sum(counts.values()))
        often = len(said)
        weights = {word: said[count] if count < often else _BODY for word, count in counts.items()}
        for word, weight in named.items():
            weights[word] = weights.get(word, 0) + weight
        if boost != 1.0:
            weights = {word: max(1, round(weight * boost)) for word, weight in weights.items()}
        self._post(weights)

    def _post(self, weights: Mapping[str, int]) -> None:
        number, words = self.sections, self._words
        self.sections += 1
        for word, weight in weights.items():
            postings = words.get(word)
            if postings is None:
                if not _is_worth_it(word):
                    continue
                postings = words[word] = Postings()
            postings.add(number, weight if weight < MOST_WEIGHT else MOST_WEIGHT)

    def _store(self, page: tuple[str, ...], entry: tuple[str, str, str]) -> None:
        """Store the record of the section that was indexed last."""
        if self._record_bytes > _RECORD_BYTES:
            self._starts.append(self.sections - 1)
            self._pack()
        records = self._records
        if not records or records[-1][0] is not page:
            records.append((page, []))
            self._record_bytes += sum(map(len, page))
        records[-1][1].append(entry)
        self._record_bytes += sum(map(len, entry)) + _QUOTES

    def _pack(self) -> None:
        """Compress the records of a complete file."""
        found = [[*page, entries] for page, entries in self._records]
        self._packed.append(zlib.compress(json.dumps(found).encode(), _QUICK))
        self._records = []
        self._record_bytes = 0

    def _groups(self, words: Sequence[str]) -> Iterator[list[str]]:
        """Yield groups of neighboring words, one per file; a very frequent word may fill a file."""
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
        """Return the words that are most likely meant, the likeliest first."""
        ranked = (
            (-(self._weights.get(word, 0) + postings.count), word)
            for word, postings in self._words.items()
            if len(word) > 1
        )
        return [word for _, word in nsmallest(_MOST_LISTED, ranked)]


def _separators(groups: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield, for each group, the shortest text that sorts after the previous group."""
    before = ""
    for group in groups:
        first = group[0]
        yield next(start for start in accumulate(first) if start > before)
        before = group[-1]


def _said(words: int) -> list[int]:
    """Return the weight of a word by number of occurrences, in a section of this length."""
    half = _HALF * (0.3 + 0.7 * words / _USUAL_WORDS)
    return [int(_BODY * count / (count + half)) + 1 for count in range(_OFTEN)]


def _is_worth_it(word: str) -> bool:
    if len(word) <= _MOST_DIGITS:
        return True
    return len(word) <= _LONGEST_WORD and sum(map(str.isdigit, word)) <= _MOST_DIGITS
