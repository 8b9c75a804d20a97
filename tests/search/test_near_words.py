"""Words that mean nearly the same."""

from __future__ import annotations

import pytest

from docstead.search.analyser import Analyser
from docstead.search.near_words import near_words


@pytest.mark.parametrize(
    ("word", "near"), [("pictures", "image"), ("lawyer", "attorneys"), ("bigger", "large")]
)
def test_words_of_like_meaning_are_near(word: str, near: str) -> None:
    stem = Analyser().stem
    assert stem(near) in dict(near_words(stem(word)))


def test_the_nearest_come_first_and_none_is_the_word_itself() -> None:
    found = near_words("seller")
    closeness = [each for _, each in found]
    assert closeness == sorted(closeness, reverse=True)
    assert 0.5 < closeness[-1] <= closeness[0] < 1
    assert "seller" not in dict(found)


@pytest.mark.parametrize("stem", ["", "xqzzt", "webhook-signature"])
def test_what_is_no_english_word_has_none_near_it(stem: str) -> None:
    assert near_words(stem) == ()
