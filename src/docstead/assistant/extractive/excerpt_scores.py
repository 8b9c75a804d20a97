"""Score of an excerpt: likelihood that it contains the answer.

Search ranks by words and meaning. Quotes also depend on the proximity of words, coverage by the
quoted part and the rest of the page, and the expected answer type.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from docstead.assistant.extractive.answer_types import (
    CODE,
    NUMERAL,
    asks_for_name,
    asks_for_number,
    is_on_trouble,
    reports_trouble,
)
from docstead.assistant.extractive.evidence import Excerpt, QuestionWord, Stems, evidence_in

_SCORE = 8.0
_COSINE = 3.0
_COVERAGE = 0.8
_TOGETHER = 0.8
_NUMBER = 1.6
_CODE = 0.7
_LENGTH = 0.45  # weight of a line that only refers elsewhere
_LONG_ENOUGH = 64  # words, beyond which length does not matter
_QUOTED = 2.0  # of the coverage of the quoted part
_ASIDE = 1.5  # penalty, as for troubleshooting sections without a reported problem
_PAGE = 1.0  # of the scores of other excerpts from its page


@dataclass(frozen=True, slots=True)
class ExcerptScore:
    """`coverage` is that of the evidence; `total` ranks excerpts of one question."""

    coverage: float
    own: float  # without the parts that depend on its quote and its page
    total: float


class ExcerptScorer:
    """Scores excerpts for one question."""

    def __init__(
        self,
        question: str,
        words: Sequence[QuestionWord],
        stems: Stems,
        excerpts: Sequence[Excerpt],
    ) -> None:
        self._words = words
        self._stems = stems
        self._pages: dict[str, float] = defaultdict(float)
        for each in excerpts:
            self._pages[each.page] += each.score
        kinds = ((_NUMBER, asks_for_number, NUMERAL), (_CODE, asks_for_name, CODE))
        self._has_trouble = reports_trouble(question)
        self._answer = [(weight, form) for weight, asks, form in kinds if asks(question)]

    def of(self, excerpt: Excerpt, quoted: str) -> ExcerptScore:
        """Score an excerpt of which this part would be quoted."""
        evidence = evidence_in(excerpt, self._words, self._stems)
        part = evidence_in(replace(excerpt, markdown=quoted), self._words, self._stems)
        own = (
            _SCORE * excerpt.score
            + _COSINE * (excerpt.cosine or 0.0)
            + _COVERAGE * evidence.coverage
            + _TOGETHER * evidence.together
            + _LENGTH * math.log1p(min(len(excerpt.markdown.split()), _LONG_ENOUGH))
            + sum(weight for weight, form in self._answer if form.search(evidence.near))
            - (_ASIDE if self._is_aside(excerpt) else 0.0)
        )
        others = self._pages[excerpt.page] - excerpt.score
        total = own + _PAGE * others + (_QUOTED * part.coverage if quoted else 0.0)
        return ExcerptScore(evidence.coverage, own, total)

    def _is_aside(self, excerpt: Excerpt) -> bool:
        return excerpt.is_aside or (not self._has_trouble and is_on_trouble(excerpt.name))
