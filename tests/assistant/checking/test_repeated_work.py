"""Passages are read once for all sentences of an answer."""

from __future__ import annotations

from typing import Any

import pytest

from docstead.assistant.checking import checker as checker_module
from docstead.assistant.checking.checker import Checker
from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.hard_facts import FactSources
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.extractive.evidence import Excerpt
from docstead.search.analyser import Analyser

pytestmark = pytest.mark.anyio

ANALYSER = Analyser()
PASSAGE = "Ferries leave at 7:30 each morning. Tickets cost 12 crowns, and dogs travel free. " * 20
SENTENCES = (
    "Dogs and their owners may board the ship with a reserved ticket.",
    "Bicycles are welcome on every deck.",
    "The crew helps with luggage.",
)


def passage(text: str) -> ExcerptSpans:
    return ExcerptSpans(Excerpt("/ferries", "Ferries", ("Crossing",), text, 1.0), ANALYSER)


async def test_the_texts_with_known_facts_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[FactSources] = []

    class CountedSources(FactSources):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr(checker_module, "FactSources", CountedSources)
    checker, materials, known = Checker(ANALYSER), [passage(PASSAGE)], TextFacts("", ANALYSER)
    for sentence in SENTENCES:
        assert (await checker.sentence(sentence, list(materials), (), "Dogs?", known)).is_kept
    assert len(made) == 1


async def test_facts_of_a_later_passage_are_known() -> None:
    checker, materials = Checker(ANALYSER), [passage(PASSAGE)]
    sentence = "A cabin is booked with the option `--cabin`, and costs 96 crowns."

    async def is_kept() -> bool:
        return (await checker.sentence(sentence, list(materials), (), "Cabins?")).is_kept

    assert not await is_kept()
    materials.append(passage("Add `--cabin` for a cabin. It costs 96 crowns."))
    assert await is_kept()
    materials.pop()
    assert not await is_kept()
