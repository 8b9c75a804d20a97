"""Words of an index with their postings, in files of neighboring words."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, islice, repeat
from operator import add

import msgspec

from docstead.outputs.search_bundle.contributions import PageContribution
from docstead.outputs.search_bundle.joining import UnsortedPostings
from docstead.outputs.search_bundle.postings import MOST_POSTINGS, Postings, decoded, heaviest
from docstead.outputs.search_bundle.word_groups import word_groups

_MOST_LIKELY = 6_000
_LIKELY_BYTES = 6_000  # of a file


class IndexedWords(msgspec.Struct, array_like=True):
    """Sorted words; for each of them its postings, their number, and its weight in headings."""

    words: list[str]
    postings: list[bytes]
    counts: list[int]
    weights: list[int]

    @classmethod
    def of(cls, found: UnsortedPostings, weights: Mapping[str, int]) -> IndexedWords:
        """Return the words of all pages; `found` has no words then, which are not held twice."""
        words, postings, counts = found.sorted()
        return cls(words, postings, counts, [weights.get(word, 0) for word in words])

    def replace(self, start: int, old: PageContribution, new: PageContribution) -> None:
        """Replace the postings of a page whose sections begin with `start`."""
        before, after = old.by_word(), new.by_word()
        for word in before.keys() | after.keys():
            if before.get(word) != after.get(word):
                self._replace(word, start, len(new.entries), after.get(word, ()))
        for word in old.named.keys() | new.named.keys():
            at = bisect_left(self.words, word)
            if self.words[at : at + 1] == [word]:
                self.weights[at] += new.named.get(word, 0) - old.named.get(word, 0)

    def groups(self) -> Iterator[tuple[int, int]]:
        """Yield the range of words in each file."""
        ends = accumulate(map(add, map(len, self.words), map(len, self.postings)))
        return word_groups(self.words, array("Q", ends))

    def separators(self, groups: Sequence[tuple[int, int]]) -> str:
        """Return, for each group, the shortest text that sorts after the previous group."""
        befores = ["", *(self.words[end - 1] for _, end in groups)]
        return " ".join(
            next(text for text in accumulate(self.words[start]) if text > before)
            for (start, _), before in zip(groups, befores, strict=False)
        )

    def likely(self) -> dict[str, list[str]]:
        """Return the words that are most likely meant, the likeliest first, for each file.

        Keys are the first letters with which the words of each file begin.
        """
        by_letter: dict[str, list[str]] = {}
        for word in self._likeliest():
            by_letter.setdefault(word[0], []).append(word)
        files: dict[str, list[str]] = {}
        size = _LIKELY_BYTES
        for letter in sorted(by_letter):
            if size >= _LIKELY_BYTES:
                words = files[letter] = []
                size = 0
            words += by_letter[letter]
            size += sum(map(len, by_letter[letter]))
        return files

    def _likeliest(self) -> list[str]:
        """Return the words with the highest ranks; of equal ones, the first."""
        ranks = list(map(add, self.weights, self.counts))
        for at, length in enumerate(map(len, self.words)):
            if length == 1:
                ranks[at] = 0
        least = _least_of_largest(ranks, _MOST_LIKELY)
        above = [at for at, rank in enumerate(ranks) if rank > least]
        equal = (at for at, rank in enumerate(ranks) if rank == least > 0)
        above.sort(key=ranks.__getitem__, reverse=True)
        likeliest = chain(above, islice(equal, _MOST_LIKELY - len(above)))
        return [self.words[at] for at in likeliest]

    def taken(self, group: tuple[int, int]) -> tuple[str, str]:
        """Return words and postings of a group, which are freed."""
        start, end = group
        shown: Iterable[bytes] = self.postings[start:end]
        if max(self.counts[start:end]) > MOST_POSTINGS:
            shown = map(heaviest, self.postings[start:end], self.counts[start:end])
        postings = b" ".join(shown).decode()
        self.postings[start:end] = repeat(b"", end - start)
        return " ".join(self.words[start:end]), postings

    def _replace(
        self, word: str, start: int, sections: int, new: Iterable[tuple[int, int]]
    ) -> None:
        """Replace the postings of one word in these sections; `new` are those of the page."""
        at = bisect_left(self.words, word)
        is_known = self.words[at : at + 1] == [word]
        postings = Postings()
        rest = list(decoded(self.postings[at])) if is_known else []
        for section, weight in rest:
            if section < start:
                postings.add(section, weight)
        for section, weight in new:
            postings.add(start + section, weight)
        for section, weight in rest:
            if section >= start + sections:
                postings.add(section, weight)
        self._put(at, word if postings.count else None, postings, is_known=is_known)

    def _put(self, at: int, word: str | None, postings: Postings, *, is_known: bool) -> None:
        end = at + is_known
        self.weights[at:end] = self.weights[at:end] or [0] if word else []
        self.words[at:end] = [word] if word else []
        self.postings[at:end] = [bytes(postings.data)] if word else []
        self.counts[at:end] = [postings.count] if word else []


def _least_of_largest(numbers: Iterable[int], count: int) -> int:
    """Return the least of the `count` largest numbers; 0 without any."""
    found = Counter(numbers)
    number = 0
    for number in sorted(found, reverse=True):
        count -= found[number]
        if count <= 0:
            break
    return number
