"""What words say of passages and what meaning says, made one score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from docstead.search.ranking import Candidate
from docstead.search.vectors import Vectors

if TYPE_CHECKING:
    from docstead.search.vectors import Vector

_MEANING_SHARE = 0.5


class QueryVectors(Protocol):
    """Gives the vectors of queries."""

    @property
    def space(self) -> str: ...

    def vector(self, query: str) -> Vector | None:
        """None where there is none right now."""
        ...


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an index needs to find by meaning. Vectors may lack some of its passages."""

    vectors: Vectors
    queries: QueryVectors


def fused(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates with both scores brought to 0 to 1 between the worst and the best, and mixed.

    A passage that has no vector yet counts as near as its words are good.
    """
    by_words = _stretched([each.passage.score for each in candidates])
    known = [each.passage.cosine for each in candidates if each.passage.cosine is not None]
    least, most = min(known, default=0.0), max(known, default=0.0)
    mixed = []
    for each, words in zip(candidates, by_words, strict=True):
        cosine = each.passage.cosine
        meaning = words if cosine is None else _place(cosine, least, most)
        score = (1 - _MEANING_SHARE) * words + _MEANING_SHARE * meaning
        mixed.append(replace(each, passage=replace(each.passage, score=score)))
    return mixed


def confidence(candidates: Sequence[Candidate]) -> float:
    """How good the best are at all, 0 to 1: what fused scores are relative to."""
    share = max((each.passage.share for each in candidates), default=0.0)
    cosine = max((each.passage.cosine or 0.0 for each in candidates), default=0.0)
    return min(1.0, (1 - _MEANING_SHARE) * share + _MEANING_SHARE * max(cosine, 0.0))


def _stretched(scores: Sequence[float]) -> list[float]:
    least, most = min(scores, default=0.0), max(scores, default=0.0)
    return [_place(score, least, most) for score in scores]


def _place(score: float, least: float, most: float) -> float:
    return (score - least) / (most - least) if most > least else float(most > 0)
