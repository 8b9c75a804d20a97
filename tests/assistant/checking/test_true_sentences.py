"""True sentences that resemble contradictions or unknown facts, and similar false ones."""

from __future__ import annotations

import asyncio

import pytest

from docstead.assistant.checking.checker import Checker
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.extractive.evidence import Excerpt
from docstead.search.analyser import Analyser

ANALYSER = Analyser()
PASSAGE = """
Harbour pilots can book a berth with the harbour app. Write to berths@harbour.test for help.

The berth agent takes a text order and answers with a video reply.

In winter mode, each night closes the gates, so barges won't wait across nights.

Barges with a permit may wait in the outer basin, and they may leave by the Dock Message Channel.

You can move a barge before the inspection of its cargo.

The console stands at localhost:8000/berths. Tugs are reached by the Open Tug Protocol (OTP).

A crane of the type CRN lifts crates of up to 90 pounds.

| Crane | Lifts |
|---|---|
| `north` | crates of the harbour |
| `south` | barrels of the harbour |
"""
MATERIAL = ExcerptSpans(Excerpt("/a", "Harbour", ("Berths",), PASSAGE, 1.0), ANALYSER)


def reason(text: str) -> str:
    checked = asyncio.run(Checker(ANALYSER).sentence(text, [MATERIAL], (), "How do I moor?"))
    return "" if checked.is_kept else checked.reason or "unsupported"


@pytest.mark.parametrize(
    "text",
    [
        "If you give the berth agent a text order, it writes a text reply.",  # a doubled word
        "The harbour app helps Console pilots book a berth.",  # a name that stands elsewhere
        "Barges with a permit wait in the outer basin across nights.",  # denied, but farther away
        "Barges with a permit wait in the outer basin, not at the gates of the harbour.",
        "Crates may be lifted by CRNs.",
        "Call the tugs by the Offshore Tug Protocol (OTP).",
        "Barges leave by the Dock Message Channel (DMC).",
        "Open `/berths` to see the console.",
        "**Pilots** - Reserve a berth with the app.",
        "Two kinds of tugs (small and large) exist.",
        "Mooring takes a few hundred crates, or several dozen barrels.",
        "For the last two, call the harbour.",
        "The harbour app is an SDK for AI.",
        "CRUD operations move a berth.",
        "Set the TTL of a berth in the REST console.",
    ],
)
def test_it_is_kept(text: str) -> None:
    assert reason(text) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Write to pilots@harbour.test for help.", "pilots@harbour.test is not there"),
        ("Call the tugs by the Offshore Tug Protocol (OSTP).", "is not there"),
        ("Mooring takes a hundred crates.", "100 is not there"),
        ("The harbour app supports RBAC.", "rbac is not there"),
        ("Orders can be sent by SMTP.", "smtp is not there"),
        ("The last two barges wait in the outer basin.", "2 is not there"),
        ("Open `/tugs` to see the console.", "/tugs is not there"),
        ("The `north` crane lifts barrels of the harbour.", "north is said of something else"),
        ("You can't move a barge before the inspection of its cargo.", "it denies what is not"),
    ],
)
def test_it_is_left_out(text: str, expected: str) -> None:
    assert expected in reason(text)
