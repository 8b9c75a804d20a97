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

Optionally respect the harbour's closing signals.

The ticket must have the same name as the passenger's passport.

Give the harbour office a copy role on the crew list.

This means that bringing your own life boat is not supported at this time.

Departure order is not guaranteed because of the tides.

Do not include bicycles or scooters.

Once expired, the tickets will no longer be valid when used by passengers.

You can change the route of a ferry that has left.

If a harbour is closed, all crossings to that harbour will be stopped immediately.

| Service | Deck | Lounge |
|---|---|---|
| Hot meals | no | yes |
"""


MATERIAL = ExcerptSpans(Excerpt("/a", "Ferries", ("Crossing",), PASSAGE, 1.0), ANALYSER)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ferries to the island can be on a weekly cleaning cycle.", "1 in a month there"),
        ("`gate_time` is the boarding window in minutes.", "it says seconds there"),
        ("The shortest boarding duration is 30 minutes.", "5 minutes there"),
        ("Lane 58 is the one for cars.", "58 is said of something else"),
        ("All cabins share one key card.", "gets its own there"),
        ("Each of the luggage tags has its own printer.", "it says single there"),
        ("Night crossings are available on any route.", "it says only there, not any"),
        ("Only the crew can call the harbour.", "not limited there by only"),
        ("Closing signals of the harbour are respected by default.", "optionally there"),
        ("The ticket may have another name than the passport.", "must … same there"),
        ("Give the crew list a copy role on the harbour office.", "have changed places"),
        ("You can bring your own life boat.", "support is denied there"),
        ("Ferries always keep the departure order.", "it says not guaranteed there"),
        ("On the upper deck you can include bicycles of friends.", "it says Do not include"),
        ("Expired tickets remain valid for passengers.", "valid is denied there"),
        ("A ferry that has left cannot get another route.", "it is not denied"),
        ("Crossings continue even if a harbour is closed.", "it says stop there"),
        ("Hot meals are served on both decks and in the lounge.", "Deck is no there"),
        ("Hot meals are served in the lounge, but not on deck.", ""),
        ("Hot meals are served on deck.", "Deck is no there"),
        ("Hot meals are on deck, but not in the lounge.", "Deck is no there"),
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
        "If you like, closing signals of the harbour are respected.",
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
