"""Contribution of a page to the index of its language and version.

It depends on nothing but the page, so an export can take it from the previous one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from docstead.content.generic_titles import is_generic
from docstead.content.pages import PageMeta, Section
from docstead.outputs.search_bundle.excerpts import excerpt
from docstead.outputs.search_bundle.postings import MOST_WEIGHT, WEIGHT_DIGITS, following

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

Entry = tuple[str, str, str]  # anchor, headings, excerpt


class PageContribution(msgspec.Struct, frozen=True, array_like=True):
    """Sections of a page, numbered from 0: the page itself, then its headings.

    `firsts`, `lasts` and `counts` have a number for each of the `words`: the first and last section
    with it, and how many there are. `postings` are its postings, without the distance to the first
    section. Words and postings are separated by spaces. `weights` are those of words in titles and
    headings.
    """

    page: tuple[str, str, str, str]  # URL, title, part of the site, method
    entries: tuple[Entry, ...]
    words: str
    firsts: tuple[int, ...]
    lasts: tuple[int, ...]
    counts: tuple[int, ...]
    postings: bytes
    weights: dict[str, int]

    def by_word(self) -> Iterator[tuple[str, int, int, int, bytes]]:
        """Yield each word with its first and last section, their number, and its postings."""
        words, postings = self.words.split(" "), self.postings.split(b" ")
        return zip(words, self.firsts, self.lasts, self.counts, postings, strict=True)


def contribution_of(
    meta: PageMeta, sections: Sequence[Section], location: tuple[str, str], counted: Counted
) -> PageContribution:
    """Return the contribution of a page at `location`: its URL, and its part of the site."""
    return _PageSections(counted).of(meta, sections, location)


class _PageSections:
    def __init__(self, counted: Counted) -> None:
        self._counted = counted
        # For each word: postings without the distance to the first section, first and last
        # section, and their number.
        self._words: dict[str, bytes] = {}
        self._firsts: dict[str, int] = {}
        self._lasts: dict[str, int] = {}
        self._counts: dict[str, int] = {}
        self._weights: dict[str, int] = {}
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
            words=" ".join(self._words),
            firsts=tuple(self._firsts.values()),
            lasts=tuple(self._lasts.values()),
            counts=tuple(self._counts.values()),
            postings=b" ".join(self._words.values()),
            weights=self._weights,
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
        number, words, lasts, counts = len(self._entries), self._words, self._lasts, self._counts
        firsts = self._firsts
        for word, weight in weights.items():
            shown = weight if weight < MOST_WEIGHT else MOST_WEIGHT
            if word in words:
                words[word] += following(number - lasts[word], shown)
                lasts[word] = number
                counts[word] += 1
            elif len(word) <= _MOST_DIGITS or _is_searchable(word):
                words[word] = WEIGHT_DIGITS[shown]
                firsts[word] = lasts[word] = number
                counts[word] = 1


def _said(words: int) -> list[int]:
    """Return the weight of a word by number of occurrences, in a section of this length."""
    half = _HALF * (0.3 + 0.7 * words / _USUAL_WORDS)
    return [int(_BODY * count / (count + half)) + 1 for count in range(_OFTEN)]


def _is_searchable(word: str) -> bool:
    if len(word) > _LONGEST_WORD:
        return False
    return word.isalpha() or sum(map(str.isdigit, word)) <= _MOST_DIGITS
