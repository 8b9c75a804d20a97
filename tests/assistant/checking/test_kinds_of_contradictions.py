"""Kinds of contradiction: false sentences of each, and true ones in similar words."""

from __future__ import annotations

import asyncio

import pytest

from docstead.assistant.checking.checker import Checker
from docstead.assistant.checking.contradictions import contradiction
from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.extractive.evidence import Excerpt
from docstead.search.analyser import Analyser

ANALYSER = Analyser()
PASSAGE = """
Ferries to the island may be placed on a monthly cleaning cycle.

Set the boarding window with `gate_time` (in seconds).

The minimum boarding duration is 5 minutes. A crossing takes 30 minutes.

Use lane 46 for cars or lane 58 for trucks.

Every cabin gets its own key card. Luggage tags are printed on a single printer.

Night crossings require a reservation and are only available on select routes.

Allowing anyone to call the harbour helps ensure that ferries leave on time.

The ticket must have the same name as the passenger's passport.

This means that bringing your own life boat is not supported at this time.

Departure order is not guaranteed because of the tides.

Once expired, the tickets will no longer be valid when used by passengers.

You can change the route of a ferry that has left.

If a harbour is closed, all crossings to that harbour will be stopped immediately.
"""
MATERIAL = ExcerptSpans(Excerpt("/a", "Ferries", ("Crossing",), PASSAGE, 1.0), ANALYSER)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`gate_time` is the boarding window in minutes.", "it says seconds there"),
        ("All cabins share one key card.", "gets its own there"),
        ("Each of the luggage tags has its own printer.", "it says single there"),
        ("Night crossings are available on any route.", "it says only there, not any"),
        ("Only the crew can call the harbour.", "not limited there by only"),
        ("You can bring your own life boat.", "support is denied there"),
        ("Expired tickets remain valid for passengers.", "valid is denied there"),
        ("Crossings continue even if a harbour is closed.", "it says stop there"),
    ],
)
def test_a_passage_speaks_against_it(text: str, expected: str) -> None:
    found = contradiction(TextFacts(text, ANALYSER), [MATERIAL])
    assert expected in found
    assert bool(found) == bool(expected)


@pytest.mark.parametrize(
    "text",
    [
        "Expect ferries to the island to be cleaned once a month.",
        "`gate_time` holds the seconds of the boarding window.",
        "Boarding takes at least 5 minutes.",
        "Trucks go to lane 58, cars to lane 46.",
        "A key card of its own comes with each cabin.",
        "Night crossings exist on some routes only.",
        "The crew, too, may call the harbour.",
        "Ticket and passport need the same name.",
        "You can't bring a life boat of your own.",
        "Ferries don't always leave in departure order.",
        "A ferry's route can still be changed after it left.",
        "Crossings stop when their harbour closes.",
        "More than one ferry may be on the cleaning cycle.",
    ],
)
def test_true_sentences_in_similar_words_are_kept(text: str) -> None:
    checked = asyncio.run(Checker(ANALYSER).sentence(text, [MATERIAL], (), "How do I cross?"))
    assert checked.is_kept, checked.reason


LIGHTS = """
After a storm, the lights of the lighthouse glow red.

A lighthouse glows with red lights.

Red lights of a lighthouse are called glows.

The lights in the lighthouse glow at night.

%s
"""
FAR = "Of the many lights that stand along this old coast in rain and fog"


@pytest.mark.parametrize(
    ("text", "last", "is_kept"),
    [
        ("Only the lights of the lighthouse glow.", f"{FAR}, only the largest glow.", True),
        ("Only the lights of the lighthouse glow.", f"{FAR}, the smallest glow.", False),
        ("Lights not only glow in a lighthouse.", f"{FAR}, the smallest glow.", True),
    ],
)
def test_a_farther_sentence_with_only_confirms_a_limit(text: str, last: str, is_kept: bool) -> None:
    passage = ExcerptSpans(Excerpt("/a", "Storms", ("Night",), LIGHTS % last, 1.0), ANALYSER)
    assert (contradiction(TextFacts(text, ANALYSER), [passage]) == "") is is_kept


WORD_FOR_WORD = ExcerptSpans(
    Excerpt(
        "/b",
        "Crew",
        ("Keys",),
        "You can board without a ticket, and the gate can't be opened without a key.\n\n"
        "Within a harbour the berth is frozen: no ferry changes it for another ferry.\n\n"
        "Any passenger may not be a sailor.",
        1.0,
    ),
    ANALYSER,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "You cannot board without a ticket, and the gate can't be opened without a key.",
            "it is not denied there",
        ),
        (
            "You can board without a ticket, and the gate can be opened without a key.",
            "it is denied there",
        ),
        (
            "Within a harbour the berth isn't frozen: no ferry changes it for another ferry.",
            "it is not denied there",
        ),
        ("Any passenger may be a sailor.", "sailor is denied there"),
        ("You can board without a ticket, and the gate cannot be opened without a key.", ""),
        ("Any passenger may not be a trained sailor.", ""),
    ],
)
def test_a_sentence_of_the_passage_with_not_once_more_or_less(text: str, expected: str) -> None:
    assert contradiction(TextFacts(text, ANALYSER), [WORD_FOR_WORD]) == expected
