"""Fits the weights of the gate in `docstead/models/gate.py`, to the halves named `tuned` alone.

    python evals/gate.py --repository trigger=FOLDER --repository fastmcp=FOLDER \\
        --repository continue=FOLDER [--questions FILE]

Prints weights, once with vectors and once without, and how each half comes out of them. FILE
has questions of users that the documentation answers; they weigh half as much as the others,
for many of them are no questions.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corpus import Corpus, add_options, corpora
from docstead.models.evidence import evidence_in
from docstead.models.gate import CONSIDERED, Traits, traits_of
from halves import halves, questions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

HERE = Path(__file__).parent
NOTHING = Traits(*[0.0] * len(fields(Traits)))
_STEPS = 50
_HELD_BACK = 2.0  # how much large weights cost, so that few questions do not decide too much
_WEIGHT_OF_SET = {"covered": 1.0, "users": 0.6, "not covered": 1.5}


@dataclass(frozen=True)
class Asked:
    question: str
    kind: str
    traits: Traits

    @property
    def is_covered(self) -> bool:
        return self.kind != "not covered"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repository", action="append", required=True, metavar="NAME=FOLDER")
    parser.add_argument("--questions", type=Path)
    add_options(parser)
    options = parser.parse_args()
    files = {"covered": HERE / "facts.jsonl", "not covered": HERE / "not_covered.jsonl"}
    if options.questions:
        files["users"] = options.questions
    for words_alone in (False, True):
        options.words_alone = words_alone
        known = corpora(options)
        print("by words alone" if words_alone else "by meaning")
        parts: dict[str, list[Asked]] = {"tuned": [], "kept": []}
        for kind, file in files.items():
            lines = questions(file, known)
            for half, own in halves(lines, lambda each: each["question"]).items():
                parts[half] += [_asked(known[e["corpus"]], e["question"], kind) for e in own]
        _report(parts)


def _asked(corpus: Corpus, question: str, kind: str) -> Asked:
    found = corpus.read(question, CONSIDERED)
    if not found.excerpts:
        return Asked(question, kind, NOTHING)
    evidence = [evidence_in(each, found.words, found.stems) for each in found.excerpts]
    return Asked(question, kind, traits_of(found.excerpts, found.words, evidence, found.lead))


def _report(parts: dict[str, list[Asked]]) -> None:
    weights = _fitted(parts["tuned"])
    threshold = _threshold(parts["tuned"], weights)
    for name, weight in zip([each.name for each in fields(Traits)], weights, strict=False):
        print(f"  {name:12} {weight:8.3f}")
    print(f"  {'bias':12} {weights[-1] - threshold:8.3f}")
    for half, asked in parts.items():
        strengths = _strengths(asked, weights) - threshold
        for kind in dict.fromkeys(each.kind for each in asked):
            own = [s for s, each in zip(strengths, asked, strict=True) if each.kind == kind]
            print(f"  {half:6} {kind:12} refused {sum(s <= 0 for s in own)}/{len(own)}")


def _fitted(asked: Sequence[Asked]) -> Array:
    """Logistic regression, by Newton's method; the bias comes last."""
    values = np.array([astuple(each.traits) for each in asked])
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


def _threshold(asked: Sequence[Asked], weights: Array) -> float:
    """The strength that parts the questions best, each set counting as it weighs."""
    strengths = _strengths(asked, weights)

    def worth(threshold: float) -> float:
        refused = {kind: [] for kind in _WEIGHT_OF_SET}
        for strength, each in zip(strengths, asked, strict=True):
            refused[each.kind].append(strength <= threshold)
        shares = {kind: np.mean(own) if own else 0.0 for kind, own in refused.items()}
        return float(shares["not covered"] - shares["covered"] - 0.4 * shares["users"])

    ordered = np.sort(strengths)
    between = (ordered[1:] + ordered[:-1]) / 2
    return float(max(between, key=worth))


def _strengths(asked: Sequence[Asked], weights: Array) -> Array:
    values = np.array([astuple(each.traits) for each in asked])
    return np.asarray(values @ weights[:-1] + weights[-1])


if __name__ == "__main__":
    main()
