"""Fusion of the scores of words and of meaning."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from docstead.search.documents import Passage
from docstead.search.ranking import Candidate
from docstead.search.vectors import VectorFile

if TYPE_CHECKING:
    from docstead.search.vectors import Vector

T = TypeVar("T")

_MEANING_SHARE = 0.5
_PAGE_SHARE = 0.1  # of how near a passage's whole page is, on top
# Of the best. By meaning there is always something nearest; of 110 questions that a documentation
# answers one is below this, of 158 that are near to it but not answered 56.
_LEAST_OF_A_MATCH = 0.35
# The cosine that passages need where the documentation has none of a query's words. Letters at
# random hardly ever come nearer; "crontab" and "timetable" do, to pages that speak of schedules.
_LEAST_WITHOUT_WORDS = 0.4


class QueryVectors(Protocol):
    """Gives the vectors of queries."""

    @property
    def space(self) -> str: ...

    def vector(self, query: str) -> Vector | None:
        """None where there is none right now."""
        ...

    def vectors(self, texts: Sequence[str]) -> list[Vector] | None:
        """Of each text, by one request to the model; None where there is none right now."""
        ...

    def begin(self, query: str, then: Callable[[Vector], T]) -> Callable[[], T | None]:
        """Begin to find the vector and what `then` makes of it; what is given waits for both."""
        ...


@dataclass(frozen=True, slots=True)
class SemanticIndex:
    """Data for search by meaning. Vectors may lack some passages of the index."""

    vectors: VectorFile
    queries: QueryVectors


class PageVectors:
    """The mean vectors of pages, by slug: what each is about as a whole."""

    def __init__(self, passages: Iterable[Passage], vectors: VectorFile) -> None:
        import numpy as np

        digests: dict[str, list[int]] = defaultdict(list)
        for each in passages:
            digests[each.slug].append(each.digest)
        means: dict[str, Vector] = {}
        for slug, own in digests.items():
            known = [vector for vector in vectors.get(own) if vector is not None]
            if known:
                mean = np.mean(known, axis=0)
                means[slug] = mean / np.linalg.norm(mean)
        self._rows = {slug: row for row, slug in enumerate(means)}
        self._means = np.array(list(means.values()), np.float32)

    def cosines(self, vector: Vector, slugs: Iterable[str]) -> dict[str, float]:
        known = {slug: self._rows[slug] for slug in set(slugs) if slug in self._rows}
        if not known:
            return {}
        cosines = self._means[list(known.values())] @ vector
        return dict(zip(known, cosines.tolist(), strict=True))


def fused(candidates: Sequence[Candidate], pages: Mapping[str, float]) -> list[Candidate]:
    """Candidates with scores brought to 0 to 1 between the worst and the best, and mixed.

    `pages` has how near each one's page is. A passage that has no vector yet counts as near
    as its words are good.
    """
    by_words = _stretched([each.score for each in candidates])
    by_meaning = _stretched([each.cosine for each in candidates], by_words)
    by_page = _stretched([pages.get(each.passage.slug) for each in candidates], by_words)
    mixed = []
    for each, words, meaning, page in zip(candidates, by_words, by_meaning, by_page, strict=True):
        score = (1 - _MEANING_SHARE) * words + _MEANING_SHARE * meaning + _PAGE_SHARE * page
        mixed.append(each.scored(score))
    return mixed


def confidence(candidates: Sequence[Candidate]) -> float:
    """Return the absolute quality of the best candidates, 0 to 1, the unit of fused scores."""
    share = max((each.share for each in candidates), default=0.0)
    cosine = max((each.cosine or 0.0 for each in candidates), default=0.0)
    return min(1.0, (1 - _MEANING_SHARE) * share + _MEANING_SHARE * max(cosine, 0.0))


def are_near(candidates: Iterable[Candidate]) -> bool:
    """Whether the nearest may be meant by words that the documentation does not have."""
    return any((each.cosine or 0.0) >= _LEAST_WITHOUT_WORDS for each in candidates)


def is_match(found: Sequence[Passage]) -> bool:
    """Whether what was found, best first, is what was searched for, or only nearest to it."""
    return bool(found) and (found[0].cosine is None or found[0].score >= _LEAST_OF_A_MATCH)


def _stretched(
    scores: Sequence[float | None], otherwise: Sequence[float] | None = None
) -> list[float]:
    """Each where it stands between the least (0) and the most (1); `otherwise` for none."""
    known = [score for score in scores if score is not None]
    least, most = min(known, default=0.0), max(known, default=0.0)
    stands_in = otherwise or [0.0] * len(scores)
    return [
        stand_in if score is None else _place(score, least, most)
        for score, stand_in in zip(scores, stands_in, strict=True)
    ]


def _place(score: float, least: float, most: float) -> float:
    return (score - least) / (most - least) if most > least else float(most > 0)
