"""Score of an excerpt: the likelihood that it contains the answer.

Search ranks by words and meaning. Quotes also depend on where the words are close together, what
the quoted part and the rest of the page have of them, and the form of the answer: a number, or a
name in code.
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
_LENGTH = 0.45  # a line that only points elsewhere answers nothing
_LONG_ENOUGH = 64  # words; beyond them, length says nothing
_QUOTED = 2.0  # of the coverage of the part that would be quoted
_ASIDE = 1.5  # less, as of sections on trouble where none is reported
_PAGE = 1.0  # of the scores of other excerpts of its page


@dataclass(frozen=True, slots=True)
class ExcerptScore:
    """`coverage` is as in the excerpt's evidence; `total` compares excerpts of one question."""

    coverage: float
    own: float  # without what depends on its quote and on the rest of its page
    total: float


class ExcerptScorer:
    """Weighs excerpts for one question."""

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
        """Weigh an excerpt of which this part would be quoted."""
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
