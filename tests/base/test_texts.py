"""Texts as they may be kept and shown."""

from __future__ import annotations

import pytest

from docstead.base.texts import duration, shortened


@pytest.mark.parametrize(
    ("text", "length", "expected"),
    [
        ("one two", 7, "one two"),
        ("one two", 6, "one…"),
        ("one two three", 8, "one two…"),  # the word is whole
        ("one two, three", 9, "one two…"),
        ("one: two", 5, "one…"),
        ("one two", 0, ""),
        ("one two", 1, "…"),
        ("字" * 9, 5, "字字字字…"),
        ("見る 字字字字字字字字", 8, "見る 字字字字…"),
        ("", 0, ""),
    ],
)
def test_a_text_is_cut_after_a_word(text: str, length: int, expected: str) -> None:
    assert shortened(text, length) == expected
    assert len(shortened(text, length)) <= length


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "1 second"),
        (15, "15 seconds"),
        (119, "119 seconds"),
        (121, "3 minutes"),
        (900, "15 minutes"),
        (2541, "43 minutes"),
        (3600, "1 hour"),
        (3640, "61 minutes"),
        (7201, "2 hours and 1 minute"),
        (86400, "24 hours"),
        (86681, "24 hours and 5 minutes"),
    ],
)
def test_durations_have_a_unit(seconds: int, words: str) -> None:
    assert duration(seconds) == words
