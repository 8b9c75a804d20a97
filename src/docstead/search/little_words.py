"""Slips in the little words of English questions.

Such as "te", "fr" and "hpw" for "the", "for" and "how", or "dosen't" for "doesn't".
"""

from __future__ import annotations

from functools import lru_cache

from docstead.search.spelling import slips

_LITTLE_TEXT = """
the for how can use are not you has get its was let who why our any all may did
"""
_LITTLE = tuple(_LITTLE_TEXT.split())  # the most common first
_DENIED_TEXT = """
don doesn didn can couldn isn aren wasn weren won wouldn haven hasn hadn shouldn mustn
"""
_DENIED = tuple(_DENIED_TEXT.split())  # before "'t"
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SHORTEST, _LONGEST = 2, 3  # letters of what is typed


@lru_cache(maxsize=4_000)  # words of readers
def little_word(typed: str) -> str:
    """Return the intended little word, or ""; the first letter is assumed to be correct."""
    if not _SHORTEST <= len(typed) <= _LONGEST or typed in _LITTLE:
        return ""
    return next((word for word in _LITTLE if _is_slip(typed, word)), "")


@lru_cache(maxsize=4_000)
def contraction(typed: str) -> str:
    """Return the intended contraction of "not", or "" if this one is right or unclear."""
    begin, mark, end = typed[:-2], typed[-2:-1], typed[-1:]
    if end != "t" or mark not in "'’" or begin in _DENIED:
        return ""
    near = [word for word in _DENIED if word[0] == begin[:1] and slips(begin, word, 1) == 1]
    return f"{near[0]}{mark}t" if len(near) == 1 else ""


def _is_slip(typed: str, word: str) -> bool:
    """Report whether a letter is left out, the last two are swapped, or an adjacent key was hit."""
    if typed[0] != word[0]:
        return False
    if len(typed) < len(word):
        return typed[1:] in (word[1:2], word[2:3])
    if typed[1:] == word[:0:-1]:
        return True
    differ = [pair for pair in zip(typed, word, strict=True) if pair[0] != pair[1]]
    return len(differ) == 1 and _are_adjacent(*differ[0])


def _are_adjacent(one: str, other: str) -> bool:
    positions = ((row.find(one), row.find(other)) for row in _ROWS)
    return any(min(pair) >= 0 and abs(pair[0] - pair[1]) == 1 for pair in positions)
