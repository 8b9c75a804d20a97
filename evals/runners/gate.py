"""Fits the weights of the gate in `docstead/assistant/extractive/answerability.py`.

    python evals/runners/gate.py --repository trigger=FOLDER --repository fastmcp=FOLDER \\
        --repository continue=FOLDER --repository spree=FOLDER \\
        --repository agno=FOLDER --repository docs=FOLDER [--questions FILE]

Prints weights, once with vectors and once without, and how each documentation comes out when
weights and threshold are fitted only to the others. FILE has questions of users that the
documentation answers; these weigh less, for many of them are no questions.

`--seed-defect` tries this evaluation: with a threshold that answers everything, or nothing. The
figures that are worse are named, and the status is 1 if there are any. `--words-only` reports
without vectors only.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from corpus import Corpus, add_options, corpora
from docstead.assistant.extractive.answerability import (
    CONSIDERED,
    AnswerabilityFeatures,
    SemanticSimilarity,
    features_of,
    with_sentences,
)
from docstead.assistant.extractive.evidence import evidence_in
from docstead.assistant.extractive.sentences import ExcerptSentences
from seeded_defects import finish, has_noticed
from sets import SETS, questions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

NOTHING = AnswerabilityFeatures(*[0.0] * len(fields(AnswerabilityFeatures)))
_STEPS = 50
_HELD_BACK = 8.0  # how much large weights cost, so that few questions do not decide too much
_REFUSED = 0.915  # more would refuse more covered questions than others
_REFUSED_BY_WORDS = 0.7  # words cannot separate more without losing covered questions
_MARGIN = 0.01
_DEFECTS = {"all": -np.inf, "none": np.inf}  # what the threshold is moved by
_WEIGHT_OF_SET = {"covered": 1.0, "far": 0.3, "users": 0.15, "not covered": 1.5}


@dataclass(frozen=True)
class GateQuestion:
    corpus: str
    kind: str
    features: AnswerabilityFeatures

    @property
    def is_covered(self) -> bool:
        return self.kind != "not covered"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repository", action="append", required=True, metavar="NAME=FOLDER")
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--seed-defect", choices=tuple(_DEFECTS), help="try this evaluation")
    add_options(parser)
    options = parser.parse_args()
    files = [
        (covered, "far" if name == "far" else "covered") for name, (covered, _) in SETS.items()
    ]
    files += [(others, "not covered") for _, others in SETS.values()]
    files += [(options.questions, "users")] if options.questions else []
    noticed = True
    for words_only in (True,) if options.words_only else (False, True):
        options.words_only = words_only
        known = corpora(options)
        print("by words only" if words_only else "by meaning")
        asked = [
            _asked(known[each["corpus"]], each, kind, by_meaning=not words_only)
            for file, kind in files
            for each in questions(file, known)
        ]
        refused = _REFUSED_BY_WORDS if words_only else _REFUSED
        sound = _report(asked, refused)
        if options.seed_defect:
            noticed &= has_noticed(sound, _report(asked, refused, _DEFECTS[options.seed_defect]))
    if options.seed_defect:
        finish(not noticed, options.seed_defect)


def _asked(corpus: Corpus, line: dict[str, Any], kind: str, *, by_meaning: bool) -> GateQuestion:
    name = line["corpus"]
    found = corpus.read(line["question"], CONSIDERED)
    if not found.excerpts or not found.words:
        return GateQuestion(name, kind, NOTHING)
    evidence = [evidence_in(each, found.words, found.stems) for each in found.excerpts]
    sentences = ExcerptSentences(found.excerpts, found.words, found.stems)
    nearness = None
    if by_meaning:
        # A script that the model does not know is rated by its words: it teaches nothing.
        nearness = found.nearness or SemanticSimilarity(0.0, lambda _: 0.0)
    features = features_of(line["question"], sentences, evidence, nearness)
    return GateQuestion(
        name, kind, with_sentences(features, sentences, nearness) if nearness else features
    )


def _report(asked: Sequence[GateQuestion], refused: float, moved: float = 0.0) -> Counter[str]:
    """Print weights and shares, with a moved threshold; count questions that come out right."""
    weights = _fitted(asked)
    threshold = _threshold(asked, weights, refused) + moved
    for name, weight in zip(
        [each.name for each in fields(AnswerabilityFeatures)], weights, strict=False
    ):
        print(f"  {name:12} {weight:8.3f}")
    print(f"  {'bias':12} {weights[-1] - threshold:8.3f}")
    _print("in view", asked, _strengths(asked, weights) - threshold)
    held_out, strengths = [], []
    for corpus in dict.fromkeys(each.corpus for each in asked):
        others = [each for each in asked if each.corpus != corpus]
        own = [each for each in asked if each.corpus == corpus]
        fitted = _fitted(others)
        held_out += own
        strengths += list(_strengths(own, fitted) - _threshold(others, fitted, refused) - moved)
    _print("held out", held_out, np.array(strengths))
    return Counter(
        f"held out {each.kind}"
        for each, strength in zip(held_out, strengths, strict=True)
        if (strength > 0) == each.is_covered
    )


def _print(name: str, asked: Sequence[GateQuestion], strengths: Array) -> None:
    for kind in dict.fromkeys(each.kind for each in asked):
        own = [s for s, each in zip(strengths, asked, strict=True) if each.kind == kind]
        print(f"  {name:8} {kind:12} refused {sum(s <= 0 for s in own)}/{len(own)}")


def _fitted(asked: Sequence[GateQuestion]) -> Array:
    """Fit a logistic regression by Newton's method; the bias is the last weight."""
    values = np.array([astuple(each.features) for each in asked])
    covered = np.array([float(each.is_covered) for each in asked])
    mean, spread = values.mean(0), values.std(0) + 1e-9
    rows = np.c_[(values - mean) / spread, np.ones(len(values))]
    counts = {kind: sum(e.kind == kind for e in asked) for kind in _WEIGHT_OF_SET}
    share = np.array([_WEIGHT_OF_SET[e.kind] * len(asked) / counts[e.kind] for e in asked])
    penalty = np.eye(rows.shape[1]) * _HELD_BACK
    penalty[-1, -1] = 0.0
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (share * (chance - covered)) + penalty @ weights
        curve = (rows * (share * chance * (1 - chance))[:, None]).T @ rows + penalty
        weights -= np.linalg.solve(curve, slope)
    scaled = weights[:-1] / spread
    return np.r_[scaled, weights[-1] - scaled @ mean]


def _threshold(asked: Sequence[GateQuestion], weights: Array, refused: float) -> float:
    """Return the lowest threshold that refuses this share of uncovered questions."""
    strengths = _strengths(asked, weights)
    foreign = np.sort([s for s, e in zip(strengths, asked, strict=True) if not e.is_covered])
    return float(foreign[int(np.ceil(refused * len(foreign))) - 1]) + _MARGIN


def _strengths(asked: Sequence[GateQuestion], weights: Array) -> Array:
    values = np.array([astuple(each.features) for each in asked])
    return np.asarray(values @ weights[:-1] + weights[-1])


if __name__ == "__main__":
    main()
