"""The part of a passage that shows why it was found."""

from __future__ import annotations

import pytest

from docstead.search.analyser import Analyser
from docstead.search.query import QueryTerm
from docstead.search.snippets import plain, snippet

ANALYSER = Analyser()


def marked(markdown: str, *words: str) -> tuple[str, list[str]]:
    terms = [QueryTerm(word, (ANALYSER.stem(word),), 2.0, 1.0) for word in words]
    found = snippet(markdown, terms, ANALYSER)
    return found.text, [found.text[start:end] for start, end in found.highlights]


def test_it_stands_around_the_match() -> None:
    text, words = marked("filler words here " * 40 + "To *revoke* a `token`, press it.", "token")
    assert text.startswith("…")
    assert text.endswith("To revoke a token, press it.")
    assert words == ["token"]


def test_other_forms_of_a_word_are_marked() -> None:
    assert marked("Revoking tokens.", "revoke", "token")[1] == ["Revoking", "tokens"]


def test_characters_without_blanks_are_marked_together() -> None:
    assert marked("在控制台中创建密钥", "创建", "建密")[1] == ["创建密"]


def test_a_passage_without_the_words_begins_at_its_beginning() -> None:
    assert marked("One two three.", "nowhere") == ("One two three.", [])


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**a** [b](/c) `d`", "a b d"),
        ("```python\nx = 1\n```", "x = 1"),
        ("| a | b |\n| --- | --- |\n| c | d |", "a b c d"),
        ("> - item", "item"),
    ],
)
def test_marks_are_left_out(markdown: str, text: str) -> None:
    assert plain(markdown) == text
