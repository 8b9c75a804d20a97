"""Questions with slips of the keyboard: one in short questions, two in longer ones.

Letters are swapped (35 %), left out (30 %), doubled (20 %) or replaced by a neighbour on the
keyboard (15 %), never the first or the last one. The same question always gets the same slips.
"""

from __future__ import annotations

import random
import re

_WORD = re.compile(r"(?<![\w`/.\-])[A-Za-z]?[a-z]{3,}(?![\w`/(\-]|\.\w)")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_LONG = 6  # words of at least three letters
_SWAPPED, _LEFT_OUT, _DOUBLED = 0.35, 0.65, 0.85
_MOST_TRIES = 9  # swapping two equal letters changes nothing


def misspelled(question: str) -> str:
    """Return the question with one or two words misspelled; itself if it has no plain words."""
    chance = random.Random(question)
    words = list(_WORD.finditer(question))
    count = min(len(words), 1 if len(words) < _LONG else 2)
    for word in sorted(chance.sample(words, count), key=lambda each: -each.start()):
        question = f"{question[: word.start()]}{_slipped(word[0], chance)}{question[word.end() :]}"
    return question


def _slipped(word: str, chance: random.Random) -> str:
    slips = (_slip(word, chance) for _ in range(_MOST_TRIES))
    return next((slip for slip in slips if slip != word), word)


def _slip(word: str, chance: random.Random) -> str:
    index, kind = chance.randrange(1, len(word) - 1), chance.random()
    before, letter, after = word[:index], word[index], word[index + 1 :]
    if kind < _SWAPPED:
        return f"{before}{after[0]}{letter}{after[1:]}"
    if kind < _LEFT_OUT:
        return before + after
    if kind < _DOUBLED:
        return before + letter + letter + after
    return before + _neighbour(letter) + after


def _neighbour(letter: str) -> str:
    row = next(row for row in _ROWS if letter in row)
    index = row.index(letter)
    return row[index + 1] if index + 1 < len(row) else row[index - 1]
