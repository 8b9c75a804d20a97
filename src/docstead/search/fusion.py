"""Fusion of keyword scores and semantic scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from docstead.search.documents import Passage
from docstead.search.ranking import SearchCandidate
from docstead.search.vectors import VectorFile

if TYPE_CHECKING:
    from docstead.search.vectors import Rows, Vector

T = TypeVar("T")

_MEANING_SHARE = 0.5
_PAGE_SHARE = 0.1  # weight of the whole page's similarity
# Minimum of the best cosine. There is always a nearest passage: of 110 questions that a
# documentation answers one is below, of 158 related but unanswered ones 56.
_LEAST_OF_A_MATCH = 0.35
# Minimum cosine if no word of a query is known. Random letters hardly ever reach it;
# "crontab" and "timetable" do, for pages about schedules.
_LEAST_WITHOUT_WORDS = 0.4


class QueryVectors(Protocol):
    """Provides vectors of queries."""

    @property
    def space(self) -> str: ...

    def vector(self, query: str) -> Vector | None:
        """Return the vector of a query, or None if it is currently unavailable."""
        ...

    def vectors(self, texts: Sequence[str]) -> list[Vector] | None:
        """Return the vectors of texts from one request to the model, or None if unavailable."""
        ...

    def begin(self, query: str, then: Callable[[Vector], T]) -> Callable[[], T | None]:
        """Start computing a query's vector; the returned function waits and applies `then`."""
        ...


@dataclass(frozen=True, slots=True)
class SemanticIndex:
    """Data for semantic search. Some passages may not have vectors yet."""

    vectors: VectorFile
    queries: QueryVectors


class PageVectors:
    """Mean vectors of pages, by slug, of the `digests` of their passages."""

    def __init__(self, digests: Mapping[str, Sequence[int]], vectors: VectorFile) -> None:
        import numpy as np

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


class LanguageVectors:
    """Rows of the vectors of each language, to which passages without a language belong, too.

    There are none if all `digests` of passages are of one language.
    """

    def __init__(self, digests: Mapping[str | None, Set[int]], vectors: VectorFile) -> None:
        common = digests.get(None, frozenset())
        languages = {language: own for language, own in digests.items() if language}
        self._rows: dict[str, Rows] = {}
        if len(languages) > 1:
            self._rows = {each: vectors.rows([*(common | own)]) for each, own in languages.items()}

    def rows(self, language: str | None) -> Rows | None:
        """Return the rows of a language, or None if all are meant."""
        return self._rows.get(language) if language else None


def fused(
    candidates: Sequence[SearchCandidate], pages: Mapping[str, float]
) -> list[SearchCandidate]:
    """Normalize both scores of the candidates to 0 to 1, and mix them.

    `pages` are the similarities of their pages. A passage without a vector gets its keyword score
    for both.
    """
    by_words = _stretched([each.score for each in candidates])
    by_meaning = _stretched([each.cosine for each in candidates], by_words)
    by_page = _stretched([pages.get(each.passage.slug) for each in candidates], by_words)
    mixed = []
    for each, words, meaning, page in zip(candidates, by_words, by_meaning, by_page, strict=True):
        score = (1 - _MEANING_SHARE) * words + _MEANING_SHARE * meaning + _PAGE_SHARE * page
        mixed.append(each.scored(score))
    return mixed


def confidence(candidates: Sequence[SearchCandidate]) -> float:
    """Return the absolute quality of the best candidates, 0 to 1, the unit of fused scores."""
    share = max((each.share for each in candidates), default=0.0)
    cosine = max((each.cosine or 0.0 for each in candidates), default=0.0)
    return min(1.0, (1 - _MEANING_SHARE) * share + _MEANING_SHARE * max(cosine, 0.0))


def are_near(candidates: Iterable[SearchCandidate]) -> bool:
    """Report whether the nearest passages may match words that the documentation lacks."""
    return any((each.cosine or 0.0) >= _LEAST_WITHOUT_WORDS for each in candidates)


def is_match(found: Sequence[Passage]) -> bool:
    """Report whether results, best first, match the query rather than merely being nearest."""
    return bool(found) and (found[0].cosine is None or found[0].score >= _LEAST_OF_A_MATCH)


def _stretched(
    scores: Sequence[float | None], otherwise: Sequence[float] | None = None
) -> list[float]:
    """Scale scores so that the minimum is 0 and the maximum 1; `otherwise` replaces None."""
    known = [score for score in scores if score is not None]
    least, most = min(known, default=0.0), max(known, default=0.0)
    stands_in = otherwise or [0.0] * len(scores)
    pairs = zip(scores, stands_in, strict=True)
    if most <= least:
        return [stand_in if score is None else float(most > 0) for score, stand_in in pairs]
    width = most - least
    return [stand_in if score is None else (score - least) / width for score, stand_in in pairs]
