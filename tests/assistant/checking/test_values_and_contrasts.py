"""Defaults, table cells, contrasts, preferences, requirements and denials in other words."""

from __future__ import annotations

import pytest

from docstead.assistant.checking.contradictions import contradiction
from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.extractive.evidence import Excerpt
from docstead.search.analyser import Analyser

ANALYSER = Analyser()
PASSAGE = """
By default, the greenhouse opens at most 4 vents. By default shading is disabled, and the
sun dries the beds.

The mist parameter caps the rounds of a watering. It defaults to `10`.

By default, `skipWeeding` is set to false.

By default, the shed returns all tools in one box.

| Setting | Type | Default |
|---|---|---|
| `lamp_color` | `red`, `blue` | `blue` |

| Plan | Frost alarms | Night heating | Day heating |
|---|---|---|---|
| Free garden | 0 | no | yes |
| Large garden | 8 | yes | yes |

An oak tag marks the owner of a bed. An elm tag guides visitors to the exit.

The pump moves the water, not the fertilizer.

Use clay pots instead of plastic trays. If `bed_count` is also set, `bed_count` takes precedence.

Digging by hand is quicker since no fuel is needed.

The order of the seeds doesn't matter, so sow them in any row.

Roots grow without requiring the gardener to prune each one.

Growing without a lamp

Pruning by itself does not immediately widen the path.

You can't rename the labels assigned to a seed tray.

The trays of the cellar are not affected.

Leaves in the compost turn to soil within 30 days.

At most one harvest report is printed per week.

Grafts are available only after the roots of the tree are examined.

A part of the ripe fruit is returned to the growers.
"""
MATERIAL = ExcerptSpans(Excerpt("/a", "Garden", ("Beds",), PASSAGE, 1.0), ANALYSER)


def reason(text: str) -> str:
    return contradiction(TextFacts(text, ANALYSER), [MATERIAL])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The greenhouse opens 9 vents by default.", "the default is 4 there"),
        ("Out of the box, the greenhouse opens unlimited vents.", "the default is 4 there"),
        ("Shading is on by default, so the beds stay moist.", "it is off by default"),
        ("The mist parameter is 5 by default.", "the default is 10 there"),
        ("Weeding is skipped by default.", "it is off by default"),
        ("By default, the shed returns 3 tools.", "the default has no limit there"),
        ("The Free garden comes with one of the frost alarms.", "the table says 0"),
        ("The Free garden has night heating.", "the table says no for Night heating"),
        ("The Free garden has both kinds of heating.", "the table says no for Night heating"),
        ("The Large garden doesn't have night heating.", "the table says yes"),
        (
            "The elm tag marks the owner of a bed, and the oak tag guides visitors to the exit.",
            "have changed places",
        ),
        ("The pump moves the fertilizer, but not the water.", "have changed places"),
        ("Use plastic trays instead of clay pots.", "the other way round there"),
        ("`row_count` overrides `bed_count`.", "comes first there"),
        ("Digging by machine is quicker than digging by hand.", "comes first there"),
        ("The seeds have to be sown in the order of the rows.", "it is not required there"),
        ("The gardener has to prune each of the roots.", "it is not required there"),
        ("Growing needs a lamp.", "lamp is not needed there"),
        ("Pruning widens the path right away.", "widen is denied there"),
        ("You can rename the labels of a seed tray at any time.", "renam is denied there"),
        ("Trays in the cellar are watered as well.", "are not affected"),
        ("Leaves in the compost turn to soil within a week.", "it says 30 days there"),
        ("Several harvest reports are printed per week.", "it says one there"),
        ("Get your grafts first and have the roots examined then.", "the order"),
        ("Ripe fruit isn't returned to the growers.", "return is not denied there"),
    ],
)
def test_a_passage_speaks_against_it(text: str, expected: str) -> None:
    assert expected in reason(text)


@pytest.mark.parametrize(
    "text",
    [
        "The greenhouse opens four vents by default.",
        "Unless you turn shading on, the sun dries the beds.",
        "Weeding isn't skipped by default.",
        "Lamps are blue by default.",
        "The Large garden has 8 frost alarms.",
        "The Free garden has day heating, but no night heating.",
        "The Free garden doesn't have night heating.",
        "The Large garden has both kinds of heating.",
        "The oak tag marks the owner of a bed, and the elm tag guides visitors to the exit.",
        "The pump moves water, but not fertilizer.",
        "Use clay pots rather than plastic trays.",
        "`bed_count` overrides `row_count`.",
        "Digging by hand is quicker than digging by machine.",
        "You don't have to sow the seeds in an order.",
        "Growing works without a lamp.",
        "Don't return the ripe fruit to the growers.",
        "Pruning doesn't widen the path right away.",
        "Paths widen later.",
        "Leaves in the compost turn to soil within 720 hours.",
        "A single harvest report is printed per week.",
        "Have the roots examined first, then get your grafts.",
        "Tag each bed and show visitors the exit.",
    ],
)
def test_true_sentences_in_similar_words_are_kept(text: str) -> None:
    assert reason(text) == ""
