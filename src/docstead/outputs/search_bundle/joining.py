"""Postings of all pages, sorted by word.

Until then they are numbers in arrays, because a large site has millions of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain, repeat

from docstead.outputs.search_bundle.contributions import NUMBERS, PageContribution
from docstead.outputs.search_bundle.postings import Postings

_FEW = 250_000  # postings that are sorted faster than numpy is imported


class _WordNumbers(dict[str, int]):
    """Numbers of words, in order of their first occurrence."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


class UnsortedPostings:
    """Collects the postings of pages in order."""

    def __init__(self) -> None:
        self._word_numbers = _WordNumbers()
        self._numbers = array(NUMBERS)  # the word of each posting
        self._weights = bytearray()
        self._counts = array(NUMBERS)  # postings of each section

    def add(self, page: PageContribution) -> None:
        numbers = tuple(map(self._word_numbers.__getitem__, page.distinct_words))
        self._numbers.extend(map(numbers.__getitem__, array(NUMBERS, page.numbers)))
        self._weights += page.weights
        self._counts.extend(page.counts)

    def sorted(self, few: int = _FEW) -> tuple[list[str], list[bytes], list[int]]:
        """Return the sorted words, the postings of each, and their number. Call it once.

        At most `few` postings are sorted without numpy.
        """
        words, ranks = self._ranked()
        if len(self._numbers) <= few:
            return words, *_sorted_singly(ranks, self._numbers, self._weights, self._counts)
        from docstead.outputs.search_bundle.sorting import sorted_together

        return words, *sorted_together(ranks, self._numbers, self._weights, self._counts)

    def _ranked(self) -> tuple[list[str], array[int]]:
        """Return the sorted words, and the position of each word among them, by number."""
        known = list(self._word_numbers)  # by number
        self._word_numbers.clear()  # before the postings become as many objects
        order = sorted(range(len(known)), key=known.__getitem__)
        ranks = array(NUMBERS, bytes(len(known) * self._numbers.itemsize))
        for rank, number in enumerate(order):
            ranks[number] = rank
        return list(map(known.__getitem__, order)), ranks


def _sorted_singly(
    ranks: Sequence[int], numbers: Sequence[int], weights: bytearray, counts: Sequence[int]
) -> tuple[list[bytes], list[int]]:
    postings = [Postings() for _ in ranks]
    sections = chain.from_iterable(map(repeat, range(len(counts)), counts))
    of_postings = map(postings.__getitem__, map(ranks.__getitem__, numbers))
    for own, section, weight in zip(of_postings, sections, weights, strict=True):
        own.add(section, weight)
    return [bytes(each.data) for each in postings], [each.count for each in postings]
