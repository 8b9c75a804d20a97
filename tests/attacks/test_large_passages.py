"""Passages of a hostile repository are small, and read in linear time."""

from __future__ import annotations

import pytest

from docstead.search.analyser import Analyser
from docstead.search.chunks import split_section
from docstead.search.entries import split_entries
from docstead.search.snippets import snippet
from growth import assert_linear

_MOST_CHARACTERS = 21_000  # two pieces of 10,000, as an introduction may be repeated
_LONG = "x" * 100_000
TEXTS = (
    _LONG,
    f"{_LONG} " * 30,
    f"{'x' * 9_000}\n\n" * 30,
    f"Before:\n\n```{_LONG}\n" + "code line\n" * 1_000 + "```",
    f"```py\n{_LONG}\n{_LONG}\n```",
    f"| {_LONG} | b |\n|---|---|\n" + "| a row | b |\n" * 1_000,
    f"| a | b |\n|---|---|\n| {_LONG} | b |\n| c | {_LONG} |",
    "".join(f"- {_LONG}\n" for _ in range(10)),
)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_a_word_without_an_end_is_cut(text: str) -> None:
    pieces = split_section(text)
    assert max(map(len, pieces)) < _MOST_CHARACTERS
    assert sum(map(len, pieces)) < 2 * len(text)


def test_the_head_of_a_table_of_symptoms_is_not_repeated_without_an_end() -> None:
    text = f"| Problem | {_LONG} |\n|---|---|\n" + "| a row | b |\n" * 100 + f"| c | {_LONG} |"
    pieces = [piece for _, piece in split_entries(text, ())]
    assert max(map(len, pieces)) < _MOST_CHARACTERS
    assert sum(map(len, pieces)) < 5 * len(text)


@pytest.mark.parametrize(
    "text",
    ["[a](b) {}", "[a](b) !{}", "x\n{}y", "```\nx\n{}y\n```", "[a](b)\n|{}|y", "{}[a](b"],
)
@pytest.mark.parametrize("piece", ["[", "![", "[](", "[](()", " ", "\n", "|", "> ", "-", "*_"])
def test_a_snippet_takes_linear_time(text: str, piece: str) -> None:
    """A page of 40 kB held the service for three seconds with one search, one of 400 kB for 290."""
    analyser = Analyser()
    assert_linear(lambda size: snippet(text.format(piece * size), [], analyser), 2_000)
