"""Correction of unknown words.

A word that is still being typed is completed; a misspelled one is replaced by words at an edit
distance of one, or two from eight letters on. The first letter is assumed to be correct.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

_SHORTEST_CORRECTED = 4
_SHORTEST_WITH_TWO_SLIPS = 8
_SHORTEST_COMPLETED = 3
_MOST = 3
_SWAPPED = 2  # letters that a transposition affects

WordsWithPrefix = Callable[[str], Iterable[tuple[str, int]]]  # words with their numbers of passages


def suggestions(word: str, words_with_prefix: WordsWithPrefix) -> list[str]:
    """Return up to three known words that may be meant, the likeliest first."""
    if len(word) < _SHORTEST_COMPLETED or not word.isalpha():
        return []
    completed = list(words_with_prefix(word))
    if completed:
        return _likeliest((0, -count, known) for known, count in completed)
    if len(word) < _SHORTEST_CORRECTED:
        return []
    most = most_slips(word)
    # Comparing lengths rules out most words, and is much cheaper than edit distances.
    lengths = range(len(word) - most, len(word) + most + 1)
    alike = ((known, n) for known, n in words_with_prefix(word[0]) if len(known) in lengths)
    near = ((slips(word, known, most), -n, known) for known, n in alike)
    return _closest([found for found in near if found[0] <= most])


def most_slips(word: str) -> int:
    """Return the maximum edit distance for a word of this length."""
    return 2 if len(word) >= _SHORTEST_WITH_TWO_SLIPS else 1


def slips(one: str, other: str, most: int) -> int:
    """Return the edit distance with transpositions, at most `most` + 1."""
    if abs(len(one) - len(other)) > most or len(set(one) ^ set(other)) > 2 * most:
        return most + 1
    one, other = _without_common_ends(one, other)
    if not one or not other:
        return len(one) + len(other)
    if len(one) == len(other) == 1 or (sorted(one) == sorted(other) and len(one) == _SWAPPED):
        return 1
    return _distance(one, other) if most > 1 else most + 1


def _without_common_ends(one: str, other: str) -> tuple[str, str]:
    start, shorter = 0, min(len(one), len(other))
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return one[start : len(one) - end], other[start : len(other) - end]


def _distance(one: str, other: str) -> int:
    """Return the optimal string alignment distance, in which a transposition counts as one."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, other_letter in enumerate(other, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other_letter))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == other_letter:
                best = min(best, last[j - 2] + 1)
            row.append(best)
    return row[-1]


def _closest(found: list[tuple[int, int, str]]) -> list[str]:
    least = min((count for count, _, _ in found), default=0)
    return _likeliest(each for each in found if each[0] == least)


def _likeliest(found: Iterable[tuple[int, int, str]]) -> list[str]:
    return [word for _, _, word in sorted(found)[:_MOST]]
