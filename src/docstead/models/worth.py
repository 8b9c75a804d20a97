"""Score of an excerpt: the likelihood that it contains the answer.

Search ranks by words and meaning; whoever quotes also looks where the words stand together, and
whether there is what an answer to such a question is made of: a number, or a name in code.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from docstead.models.evidence import Excerpt, Stems, Word, evidence_in
from docstead.models.forms import CODE, NUMERAL, asks_for_name, asks_for_number

_SCORE = 8.0
_COSINE = 3.0
_COVERAGE = 0.8
_TOGETHER = 0.8
_NUMBER = 1.6
_CODE = 0.7
_LENGTH = 0.45  # a line that only points elsewhere answers nothing


@dataclass(frozen=True, slots=True)
class Worth:
    """`coverage` is as in the excerpt's evidence; `total` compares excerpts of one question."""

    coverage: float
    total: float


class Worths:
    """Weighs excerpts for one question."""

    def __init__(self, question: str, words: Sequence[Word], stems: Stems) -> None:
        self._words = words
        self._stems = stems
        kinds = ((_NUMBER, asks_for_number, NUMERAL), (_CODE, asks_for_name, CODE))
        self._answer = [(weight, form) for weight, asks, form in kinds if asks(question)]

    def of(self, excerpt: Excerpt) -> Worth:
        evidence = evidence_in(excerpt, self._words, self._stems)
        total = (
            _SCORE * excerpt.score
            + _COSINE * (excerpt.cosine or 0.0)
            + _COVERAGE * evidence.coverage
            + _TOGETHER * evidence.together
            + _LENGTH * math.log1p(len(excerpt.markdown.split()))
            + sum(weight for weight, form in self._answer if form.search(evidence.near))
        )
        return Worth(evidence.coverage, total)
