"""Sentences of a model are checked in linear time."""

from __future__ import annotations

import pytest

from docstead.assistant.checking.contradictions import contradiction
from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.hard_facts import FactSources
from docstead.assistant.checking.measures import measures
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.extractive.evidence import Excerpt
from docstead.search.analyser import Analyser
from growth import assert_linear


@pytest.mark.parametrize("piece", ["1", "1.", "a."])
def test_numbers_with_units(piece: str) -> None:
    assert_linear(lambda size: list(measures(piece * size)), 4_000)


@pytest.mark.parametrize("piece", ["a", "a.", "a-", "a- "])
def test_names_and_abbreviations(piece: str) -> None:
    like = TextFacts("A page.", Analyser())
    sources = FactSources((), (like,))
    assert_linear(lambda size: sources.facts(piece * size, like.analyser), 2_000)


@pytest.mark.parametrize("piece", ["first a ", "first ", "a "])
def test_the_order_of_steps(piece: str) -> None:
    analyser = Analyser()
    steps = Excerpt("/a", "Keys", ("Rotate",), "First create a key, then delete the old one.", 1.0)
    material = ExcerptSpans(steps, analyser)

    def run(size: int) -> None:
        text = f"First create a key, delete the old one {piece * size}."
        contradiction(TextFacts(text, analyser), (material,))

    assert_linear(run, 500)


RULES = """
By default, queues have 4 workers. A key can't be moved, and it isn't copied. Use keys instead of
names. A queue doesn't need a worker. At most one key is used.

| Plan | Keys | Queues |
|---|---|---|
| Free | no | 2 |

An old key opens the door, while a new key closes the gate.
"""
_PIECES = [
    "not a key ",
    "key while queue ",
    "keys instead of names ",
    "without a key ",
    "several keys ",
    "a key, so by default, ",
    "both keys ",
    "by default ",
    "must ",
    "1 day ",
    "never",
]


@pytest.mark.parametrize("piece", _PIECES)
def test_values_and_contrasts(piece: str) -> None:
    analyser = Analyser()
    material = ExcerptSpans(Excerpt("/a", "Keys", ("Rotate",), RULES, 1.0), analyser)

    def run(size: int) -> None:
        contradiction(TextFacts(f"A key of a queue {piece * size}.", analyser), (material,))

    assert_linear(run, 500)


def test_long_passages() -> None:
    analyser = Analyser()
    claim = "By default, a new key opens the door, and an old key closes the gate of all queues."

    def run(size: int) -> None:
        material = ExcerptSpans(Excerpt("/a", "Keys", ("Rotate",), RULES * size, 1.0), analyser)
        contradiction(TextFacts(claim, analyser), (material,))

    assert_linear(run, 20)
