"""Contribution of a page to the index of its language and version.

It depends on nothing but the page, so an export can take it from the previous one.
"""

from __future__ import annotations

import string
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain, compress, repeat

import msgspec

from docstead.content.generic_titles import is_generic
from docstead.content.pages import PageMeta, Section
from docstead.outputs.search_bundle.excerpts import excerpt
from docstead.outputs.search_bundle.postings import MOST_WEIGHT

Counted = Callable[[str], Mapping[str, int]]

# Weights by location: 63 is the maximum of a posting.
_TITLE, _HEADING, _KEYWORD, _PARENT, _OF_PAGE = 28, 14, 10, 4, 6
_SHARED_WEIGHT = 14  # added to words of a title or heading, in equal shares
_BODY = 20
_HALF = 1.2  # occurrences in a section of average length that give half of the maximum
_USUAL_WORDS = 90
_OFTEN = 12

_INNER = " › "  # between the parts of the site
_LONGEST_WORD = 32
_MOST_DIGITS = 9  # longer numbers and hashes are not searched
_ASCII_DIGITS = string.digits.encode()
_UNSEARCHED = 2**32 - 1  # number of such words

NUMBERS = "I"  # type of the arrays with numbers of words

Entry = tuple[str, str, str]  # anchor, headings, excerpt


class PageContribution(msgspec.Struct, frozen=True, array_like=True):
    """Sections of a page, numbered from 0: the page itself, then its headings.

    Its postings are in order of sections, each of which has one of the `counts`. `numbers` is an
    array with the position of each posting's word among the `words`, which are separated by spaces;
    `weights` has a byte for each. `named` are weights of words in titles and headings.
    """

    page: tuple[str, str, str, str]  # URL, title, part of the site, method
    entries: tuple[Entry, ...]
    words: str
    counts: tuple[int, ...]
    numbers: bytes
    weights: bytes
    named: dict[str, int]

    @property
    def distinct_words(self) -> list[str]:
        return self.words.split(" ") if self.words else []

    def by_word(self) -> dict[str, list[tuple[int, int]]]:
        """Return section and weight of each posting, by word."""
        found: dict[str, list[tuple[int, int]]] = {word: [] for word in self.distinct_words}
        postings = list(found.values())
        sections = chain.from_iterable(map(repeat, range(len(self.counts)), self.counts))
        numbers = array(NUMBERS, self.numbers)
        for number, section, weight in zip(numbers, sections, self.weights, strict=True):
            postings[number].append((section, weight))
        return found


def contribution_of(
    meta: PageMeta, sections: Sequence[Section], location: tuple[str, str], counted: Counted
) -> PageContribution:
    """Return the contribution of a page at `location`: its URL, and its part of the site."""
    return _PageSections(counted).of(meta, sections, location)


class _PageWords(dict[str, int]):
    """Positions of the searchable words of a page, in order of their first occurrence."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    @property
    def are_all_searched(self) -> bool:
        return len(self.words) == len(self)

    def __missing__(self, word: str) -> int:
        if len(word) > _MOST_DIGITS and not _is_searchable(word):
            self[word] = _UNSEARCHED
            return _UNSEARCHED
        number = self[word] = len(self.words)
        self.words.append(word)
        return number


class _PageSections:
    def __init__(self, counted: Counted) -> None:
        self._counted = counted
        self._page_words = _PageWords()
        self._numbers = array(NUMBERS)
        self._weights = bytearray()
        self._counts: list[int] = []
        self._named_words: dict[str, int] = {}
        self._entries: list[Entry] = []

    def of(
        self, meta: PageMeta, sections: Sequence[Section], location: tuple[str, str]
    ) -> PageContribution:
        intro = "\n".join(section.markdown for section in sections if not section.anchor)
        title = self._counted(meta.title)
        group = location[1].rpartition(_INNER)[2] if is_generic(meta.title) else ""
        self._index(intro, self._named_page(meta, title, self._counted(group)), meta.boost)
        self._entries.append(("", "", excerpt(meta.description or intro)))
        for section in sections:
            if section.anchor:
                self._index(section.markdown, self._named(section, title), meta.boost)
                shown = " › ".join(section.heading_path)
                self._entries.append((section.anchor, shown, excerpt(section.markdown)))
        return self._contribution(meta, location)

    def _contribution(self, meta: PageMeta, location: tuple[str, str]) -> PageContribution:
        return PageContribution(
            page=(location[0], meta.title, location[1], meta.method or ""),
            entries=tuple(self._entries),
            words=" ".join(self._page_words.words),
            counts=tuple(self._counts),
            numbers=self._numbers.tobytes(),
            weights=bytes(self._weights),
            named=self._named_words,
        )

    def _named_page(
        self, meta: PageMeta, title: Mapping[str, int], group: Mapping[str, int]
    ) -> dict[str, int]:
        weights = dict.fromkeys(group, _TITLE)
        weights |= dict.fromkeys(title, _TITLE + _SHARED_WEIGHT // max(1, len(title)))
        said = (meta.description or "", *meta.keywords, meta.sidebar_title or "")
        for word in self._counted(" ".join(said)):
            weights[word] = weights.get(word, 0) + _KEYWORD
        return weights

    def _named(self, section: Section, title: Mapping[str, int]) -> dict[str, int]:
        weights = dict.fromkeys(title, _OF_PAGE)
        for heading in section.heading_path[:-1]:
            for word in self._counted(heading):
                weights[word] = weights.get(word, 0) + _PARENT
        own = self._counted(section.heading_path[-1] if section.heading_path else "")
        weight = _HEADING + _SHARED_WEIGHT // max(1, len(own))
        for word in own:
            weights[word] = weights.get(word, 0) + weight
        return weights

    def _index(self, text: str, named: dict[str, int], boost: float) -> None:
        """Index words of the next section with weights; `named` are those of its headings."""
        for word, weight in named.items():
            if weight >= _HEADING:
                self._named_words[word] = self._named_words.get(word, 0) + weight
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
        numbers = array(NUMBERS, map(self._page_words.__getitem__, weights))
        shown = bytes(_shown(weights.values()))
        if not self._page_words.are_all_searched:
            searched = [number != _UNSEARCHED for number in numbers]
            numbers = array(NUMBERS, compress(numbers, searched))
            shown = bytes(compress(shown, searched))
        self._numbers += numbers
        self._weights += shown
        self._counts.append(len(numbers))


def _shown(weights: Collection[int]) -> Iterable[int]:
    if max(weights, default=0) <= MOST_WEIGHT:
        return weights
    return map(min, weights, repeat(MOST_WEIGHT))


def _said(words: int) -> list[int]:
    """Return the weight of a word by number of occurrences, in a section of this length."""
    half = _HALF * (0.3 + 0.7 * words / _USUAL_WORDS)
    return [int(_BODY * count / (count + half)) + 1 for count in range(_OFTEN)]


def _is_searchable(word: str) -> bool:
    if len(word) > _LONGEST_WORD:
        return False
    return word.isalpha() or _digits_in(word) <= _MOST_DIGITS


def _digits_in(word: str) -> int:
    if word.isascii():
        return len(word) - len(word.encode().translate(None, _ASCII_DIGITS))
    return sum(map(str.isdigit, word))
