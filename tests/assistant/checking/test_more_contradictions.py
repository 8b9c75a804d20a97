"""Contradictions in words of their own, and true sentences that resemble them."""

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
Library cards are available on all plans.

When a duplicate card is scanned, the scanner accepts it quietly.

Book boxes aren't currently supported for audio discs.

Returning books by mail isn't advised in winter.

The night shelves are not blocked during the inventory.

Each reservation is held for 1 day. By default, readers have 5 loans.

At most one reminder letter is sent per loan.

Members can add or remove branches in their profile.

A green label marks borrowed novels. A yellow label marks damaged atlases.

In the main hall, desks stay reserved for 30 minutes. In the reading room, desks stay reserved for
2 hours.

Walking to the archive is faster since it is nearer.

All fines are waived for children; the Student switch does not change that.

The loan period (defaults to remaining days of the term).

First stamp the books to mark them, and then shelve the books by color.

Slips of the printer last 7200000ms.
"""
MATERIAL = ExcerptSpans(Excerpt("/a", "Library cards", ("Lending",), PASSAGE, 1.0), ANALYSER)


def against(text: str) -> str:
    return contradiction(TextFacts(text, ANALYSER), [MATERIAL])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A duplicate card is rejected by the scanner.", "it says accept"),
        ("Book boxes work for audio discs, too.", "is denied there"),
        ("Returning books by mail is a good idea in winter.", "advis is denied there"),
        ("The night shelves are blocked during the inventory.", "block is denied there"),
        ("Only fines of students are waived for children.", "it says all fines there"),
        ("First shelve the books, then stamp the books.", "the other way round"),
        ("Slips of the printer last a time in seconds.", "it says ms there"),
    ],
)
def test_a_passage_speaks_against_it(text: str, expected: str) -> None:
    assert expected in against(text)


@pytest.mark.parametrize(
    "text",
    [
        "Every plan has library cards.",
        "If a card is scanned twice, the scanner takes it without a word.",
        "Audio discs can't go into book boxes yet.",
        "Better not return books by mail in winter.",
        "During the inventory you can use the night shelves.",
        "A reservation is held for 24 hours.",
        "A loan leads to one reminder letter.",
        "Yellow labels mark damaged atlases, and green labels mark borrowed novels.",
        "In the main hall, desks stay reserved for 30 minutes.",
        "Fines are waived for children, students or not.",
        "**Reminders**: at most one letter is sent per loan.",
        "There are two ways to add a branch.",
        "Should branches of members be removed in their profile?",
        "2.",
    ],
)
def test_true_sentences_in_similar_words_are_kept(text: str) -> None:
    checked = asyncio.run(Checker(ANALYSER).sentence(text, [MATERIAL], (), "How do I lend?"))
    assert checked.is_kept, checked.reason


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("Eine Reservierung gilt für einen Tag, und das ist nicht zu ändern.", True),
        ("Die Reservierung gilt für eine Stunde, und das ist nicht zu ändern.", False),
        ("予約は1日有効です。", True),
    ],
)
def test_durations_in_other_languages(text: str, *, is_kept: bool) -> None:
    checked = asyncio.run(Checker(ANALYSER).sentence(text, [MATERIAL], (), "How do I lend?"))
    assert checked.is_kept is is_kept, checked.reason


def test_json_is_compared_by_its_keys() -> None:
    text = 'Set it up:\n\n```json\n{"loan": {"period": 3, "branches": ["a"]}}\n```\n'
    material = ExcerptSpans(Excerpt("/a", "Loans", (), text, 1.0), ANALYSER)
    checker = Checker(ANALYSER)
    assert checker.code('{"loan": {"period": 5}}', [material]).is_kept
    assert not checker.code('{"fine": {"amount": 5}}', [material]).is_kept
