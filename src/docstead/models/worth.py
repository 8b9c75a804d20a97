"""How likely an excerpt holds the answer, of several that were found.

Search ranks by words and meaning; whoever quotes also looks where the words stand together, and
whether there is what an answer to such a question is made of: a number, or a name in code.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from docstead.models.evidence import Excerpt, Stems, Word, evidence_in

_SCORE = 8.0
_COSINE = 3.0
_COVERAGE = 0.8
_TOGETHER = 0.8
_NUMBER = 1.6
_CODE = 0.7
_LENGTH = 0.45  # a line that only points elsewhere answers nothing

_ASKS_FOR_NUMBER = re.compile(
    r"\bhow (?:many|much|long|often|large|big|deep|far|fast|old|high)\b|\b(?:max|min)imum\b"
    r"|\bat (?:most|least)\b|\b(?:default|size|limit|timeout|port|number|smallest|largest|biggest"
    r"|shortest|longest|highest|lowest)\b",
    re.IGNORECASE,
)
_ASKS_FOR_NAME = re.compile(
    r"\b(?:which|what)\b.*\b(?:header|variable|command|option|setting|package|key|field|parameter"
    r"|argument|method|function|event|flag|class|decorator|file|name|called|property|hook|library"
    r"|module|type|role|status)\b|\bhow (?:do|can|to|should)\b|\bcommand\b",
    re.IGNORECASE,
)
_NUMERAL = re.compile(r"(?<![\w.])\d[\d,.]*")
_IN_CODE = re.compile(r"`[^`\n]+`|```")


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
        kinds = ((_NUMBER, _ASKS_FOR_NUMBER, _NUMERAL), (_CODE, _ASKS_FOR_NAME, _IN_CODE))
        self._answer = [(weight, form) for weight, asks, form in kinds if asks.search(question)]

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
