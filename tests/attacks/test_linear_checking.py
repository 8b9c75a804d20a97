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
    assert_linear(lambda size: sources.facts(piece * size, like), 2_000)


@pytest.mark.parametrize("piece", ["first a ", "first ", "a "])
def test_the_order_of_steps(piece: str) -> None:
    analyser = Analyser()
    steps = Excerpt("/a", "Keys", ("Rotate",), "First create a key, then delete the old one.", 1.0)
    material = ExcerptSpans(steps, analyser)

    def run(size: int) -> None:
        text = f"First create a key, delete the old one {piece * size}."
        contradiction(TextFacts(text, analyser), (material,))

    assert_linear(run, 500)
