"""Fits the weights of `docstead/assistant/extractive/confidence.py`, and prints what they answer.

    python evals/runners/confidence.py --repositories FOLDER [--only OWNER/NAME ...]
        [--seed-defect exchanged]

FOLDER has the documentation of the sets in `datasets/readers`, each repository as `OWNER+NAME`. The
first quotes of all questions are labelled by what `readers.py` counts: good with a right page and
the fact, bad without a right page or with less than half of that, and for what is not covered; what
is between counts half. Weights for each documentation are fitted to the others. The
table has shares of covered questions for several thresholds, and how many others are answered.
Good quotes must be surer than others: the status is 1 if the area under the curve is too small, or
if FOLDER lacks documentation. `--seed-defect exchanged` tries this evaluation: each quote gets the
traits of another one. This is noticed if the area is too small; the status is then 1. It is 2 if
FOLDER lacks documentation, or if the area is too small without the defect, too.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from corpus import SITE, Corpus, add_options, opened
from docstead.assistant.closest import closest_sections
from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.extractive.confidence import QuoteTraits, traits_of
from docstead.assistant.extractive.quotes import QuoteFinder
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.retrieval import Retrieval
from docstead.search.chunks import blocks
from readers import HAS_THE_FACT, READERS, fact_share, is_right
from seeded_defects import finish
from sets import are_all_there, documentation_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_FILES = ("questions", "mix-work", "mix-kept")
_GRADES = {"good": 1.0, "partial": 0.5, "bad": 0.0, "not covered": 0.0}
_DEFECT = "exchanged"
_STEPS = 50
_LEAST_AREA = 0.6  # under the curve, held out; .5 is chance
_HELD_BACK = 10.0  # weight of the penalty on large weights
_THRESHOLDS = (-9.0, -1.2, -1.0, -0.9, -0.8, -0.6, -0.4, -0.3, -0.2, 0.0, 0.2, 0.4, 0.6)


@dataclass(frozen=True)
class FirstQuote:
    documentation: str
    label: str
    traits: QuoteTraits
    passes: bool  # the gate
    is_near: bool  # a right page is among the closest sections


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repositories", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--only", action="append", metavar="OWNER/NAME")
    parser.add_argument("--seed-defect", choices=(_DEFECT,), help="try this evaluation")
    add_options(parser)
    options = parser.parse_args()
    lines = [
        line for each in _FILES for line in (READERS / f"{each}.jsonl").read_text().split("\n")
    ]
    rows = [json.loads(line) for line in lines if line]
    rows = [row for row in rows if not options.only or row["documentation"] in options.only]
    quotes: list[FirstQuote] = []
    for name in dict.fromkeys(row["documentation"] for row in rows):
        own = [row for row in rows if row["documentation"] == name]
        folder = documentation_of(own[0], options.repositories)
        if folder.is_dir():
            corpus = opened(name.replace("/", "+"), folder, options)
            quotes += filter(None, (first_quote(corpus, row) for row in own))
    is_complete = are_all_there(rows, options.repositories)
    is_sound = is_good = bool(quotes) and report(quotes)
    if options.seed_defect and is_sound:
        print(f"with the defect '{_DEFECT}'")
        is_good = report(_exchanged(quotes))
    finish(is_good, options.seed_defect, is_complete=is_complete, is_sound=is_sound)


def _exchanged(quotes: Sequence[FirstQuote]) -> list[FirstQuote]:
    """Give each quote the traits of one that is half the list away."""
    half = len(quotes) // 2
    others = [*quotes[half:], *quotes[:half]]
    return [replace(quote, traits=o.traits) for quote, o in zip(quotes, others, strict=True)]


def first_quote(corpus: Corpus, row: dict[str, Any]) -> FirstQuote | None:
    """Return the first quote for a question, even if the gate refuses it."""
    question = Question((ConversationMessage(Speaker.USER, row["question"]),))
    before = [row["previous"]] if row["previous"] else []
    found = Retrieval(corpus.index, corpus.site, AbsoluteLinks(SITE)).find(question, before)
    extractive = QuoteFinder(found.stems, blocks)
    quotes = extractive.quotes(found.asked, found.words, found.candidates, len(found.excerpts))
    if not quotes or found.nearness is None:
        return None
    first = quotes[0]
    parts = extractive.completed(found.asked, found.words, first, found.candidates)
    near = (is_right(row, each.url) for each in closest_sections(found))
    return FirstQuote(
        row["documentation"],
        _label(row, first.excerpt.link, " ".join(each.markdown for each in parts)),
        traits_of(
            first.excerpt,
            first.markdown,
            found.candidates,
            found.words,
            found.stems,
            lead=found.nearness.lead,
        ),
        found.covered,
        any(near),
    )


def _label(row: dict[str, Any], url: str, text: str) -> str:
    if not row["covered"]:
        return "not covered"
    share = fact_share(row, text)
    if not is_right(row, url) or share < HAS_THE_FACT / 2:
        return "bad"
    return "good" if share >= HAS_THE_FACT else "partial"


def report(quotes: Sequence[FirstQuote]) -> bool:
    """Print weights and shares; report whether good quotes are surer than others."""
    weights = _fitted(quotes)
    for name, weight in zip([each.name for each in fields(QuoteTraits)], weights, strict=False):
        print(f"  {name:8} {weight:8.3f}")
    print(f"  {'bias':8} {weights[-1]:8.3f}")
    strengths = {}
    for name in dict.fromkeys(each.documentation for each in quotes):
        fitted = _fitted([each for each in quotes if each.documentation != name])
        strengths |= {
            id(each): float(np.r_[astuple(each.traits), 1.0] @ fitted)
            for each in quotes
            if each.documentation == name
        }
    covered = [each for each in quotes if each.label != "not covered"]
    others = [each for each in quotes if each.label == "not covered"]
    print(f"covered {len(covered)}, not covered {len(others)}")
    for threshold in _THRESHOLDS:
        answered = {e for e in strengths if strengths[e] > threshold}
        outcomes = Counter(_outcome(each, id(each) in answered) for each in covered)
        shares = ", ".join(
            f"{kind} {outcomes[kind] / len(covered):.2f}"
            for kind in ("good", "partial", "bad", "closest-right", "closest-wrong")
        )
        wrongly = sum(each.passes and id(each) in answered for each in others)
        print(f"  above {threshold:4}: {shares}; not covered, answered {wrongly}")
    good = [strengths[id(each)] for each in covered if each.label == "good"]
    bad = [strengths[id(each)] for each in covered if each.label == "bad"]
    foreign = [strengths[id(each)] for each in others]
    areas = _area(good, bad), _area(good, foreign)
    print(
        f"area under the curve of good against bad quotes {areas[0]:.2f}, against those for what "
        f"is not covered {areas[1]:.2f} (at least {_LEAST_AREA})"
    )
    return min(areas) >= _LEAST_AREA


def _area(higher: Sequence[float], lower: Sequence[float]) -> float:
    """Return the share of pairs that are in order."""
    pairs = [(one > other) + (one == other) / 2 for one in higher for other in lower]
    return sum(pairs) / max(1, len(pairs))


def _outcome(quote: FirstQuote, is_sure: bool) -> str:
    if quote.passes and is_sure:
        return quote.label
    return "closest-right" if quote.is_near else "closest-wrong"


def _fitted(quotes: Sequence[FirstQuote]) -> Array:
    """Fit a logistic regression by Newton's method; the bias is the last weight."""
    values = np.array([astuple(each.traits) for each in quotes])
    grades = np.array([_GRADES[each.label] for each in quotes])
    mean, spread = values.mean(0), values.std(0) + 1e-9
    rows = np.c_[(values - mean) / spread, np.ones(len(values))]
    penalty = np.eye(rows.shape[1]) * _HELD_BACK
    penalty[-1, -1] = 0.0
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (chance - grades) + penalty @ weights
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + penalty
        weights -= np.linalg.solve(curve, slope)
    scaled = weights[:-1] / spread
    return np.r_[scaled, weights[-1] - scaled @ mean]


if __name__ == "__main__":
    main()
