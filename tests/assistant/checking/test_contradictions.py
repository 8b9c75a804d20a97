"""Sentences in words of their own: a near sentence speaks against some, and against others not."""

from __future__ import annotations

import asyncio

import pytest

from docstead.assistant.checking.checker import Checker
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.extractive.evidence import Excerpt
from docstead.search.analyser import Analyser

ANALYSER = Analyser()
PASSAGE = """
Stop the courier first, then the depot. Parcels are handed over by couriers of the region.

The label parameter is required for every parcel.

The weight of a parcel is not used for routing. Shipments to islands may leave a day later.

Use port 7000 for the depot, 7100 for the courier, or 7200 for the scanner.

The order of addresses doesn't matter. A depot keeps a small cache of labels.

The gateway refuses to start if `DEPOT_KEY` is unset. You can weigh parcels without opening a box.

The scanner has a 15-second timeout. The Parcel Registry automatically sorts labels. A scan may
take 3000 ms. Each depot can't see other depots.

| Feature | Depot | Courier |
|---|---|---|
| Night shifts | x | ✓ |

| Setting | Default | |
|---|---|---|
| `LABEL_FONT` | none | default font of labels of the depot |
| `LABEL_SIZE` | `a6` | size of labels of the depot |
"""


def reason(text: str) -> str:
    material = ExcerptSpans(Excerpt("/a", "Depots", ("Shipping",), PASSAGE, 1.0), ANALYSER)
    checked = asyncio.run(Checker(ANALYSER).sentence(text, [material], (), "How do depots work?"))
    return "" if checked.is_kept else checked.reason or "unsupported"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stop the depot first and the courier afterwards.", "the other way round"),
        ("The label parameter of a parcel is optional.", "it says required there"),
        ("The weight decides on the routing.", "rout is denied there"),
        ("Couriers only hand over parcels of the weekend.", "it is not limited there by only"),
        ("Shipments to islands always arrive on time.", "it is not said there of always"),
        ("Labels are in a large cache of the depot.", "it says small there, not large"),
        ("You have 15 minutes until the device gives up.", "15-second there, not 15 minutes"),
        ("You sort labels of the registry yourself.", "it says automatically there"),
    ],
)
def test_a_near_sentence_speaks_against_it(text: str, expected: str) -> None:
    assert expected in reason(text)


@pytest.mark.parametrize(
    "text",
    [
        "Begin with the courier, and stop the depot when that is done.",
        "The scanner listens on port 7200.",
        "Every parcel needs a label parameter.",
        "You may give addresses in any order.",
        "Routing takes no account of the weight.",
        "Without `DEPOT_KEY` the gateway doesn't start.",
        "There is no need to open a box to weigh parcels.",
        "Some shipments to islands need another day.",
        "Treat the driver kindly.",
        "If you only want to weigh, leave out the label.",
        "Parcels may go to any region; islands are only an example.",
        "A scan is over within 3 seconds.",
        "Zuständig ist die Parcel Registry.",
        "Am 15. des Monats",
        "Night shifts are for couriers.",
        "The default of `LABEL_SIZE` of the depot is `a6`.",
    ],
)
def test_other_words_for_it_stay(text: str) -> None:
    assert reason(text) == ""
