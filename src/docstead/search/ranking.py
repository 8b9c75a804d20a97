"""Ranking of passages, in which pages that match as a whole come first."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

import msgspec

from docstead.search.documents import Passage

_PAGE_SHARE = 0.1
_PAGE_SECTIONS = 3  # sections per page that count, so that long pages have no advantage
_SAME_PAGE = 1.15
_SAME_FOLDER = 1.05
_TOPIC_PAGE = 2.0
_OTHER_VERSION = 0.5
_OTHER_LANGUAGE = 0.6


@dataclass(frozen=True, slots=True)
class Preference:
    """Preferred language and version of passages that exist in several.

    `most_boost` limits boosts of pages. For answers it is 1, because pages promoted in search are
    not more correct. `topic` is the slug of the page that a conversation is about.
    """

    language: str | None = None
    version: str | None = None
    most_boost: float = math.inf
    topic: str | None = None

    def factor(self, passage: Passage) -> float:
        if self.language is None and self.version is None and self.topic is None:
            return 1.0
        return (
            (_TOPIC_PAGE if passage.slug == self.topic else 1.0)
            * (_OTHER_LANGUAGE if _differ(passage.language, self.language) else 1.0)
            * (_OTHER_VERSION if _differ(passage.version, self.version) else 1.0)
        )


class SearchCandidate(msgspec.Struct, frozen=True):
    """A candidate passage with its page's boost."""

    passage: Passage
    boost: float
    score: float
    share: float = 0.0  # relative to the maximum for the query's words
    cosine: float | None = None

    def scored(self, score: float) -> SearchCandidate:
        return SearchCandidate(self.passage, self.boost, score, self.share, self.cosine)

    def near(self, cosine: float | None) -> SearchCandidate:
        return SearchCandidate(self.passage, self.boost, self.score, self.share, cosine)


_Scored = tuple[float, SearchCandidate]  # a candidate with its new score
_score = itemgetter(0)

NO_PREFERENCE = Preference()


def ranked(
    candidates: Sequence[SearchCandidate],
    near: str | None,
    prefer: Preference,
    *,
    page_sections: int = _PAGE_SECTIONS,
) -> list[SearchCandidate]:
    """Return the best passage of each section, best first.

    A passage's score is its own, times its page's boost, plus a tenth of the page's best sections,
    increased by proximity to the reader's page.
    """
    most_boost, factor = prefer.most_boost, prefer.factor
    weighed = [
        (each.score * min(each.boost, most_boost) * factor(each.passage), each)
        for each in candidates
    ]
    sections = list(_distinct(sorted(weighed, key=_score, reverse=True)))
    pages: dict[str, list[float]] = defaultdict(list)
    for score, each in sections:
        pages[each.passage.slug].append(score)
    factors = {
        slug: (_PAGE_SHARE * sum(own[:page_sections]), _nearness(slug, near))
        for slug, own in pages.items()
    }
    scored = []
    for score, each in sections:
        share, nearness = factors[each.passage.slug]
        scored.append(((score + share) * nearness, each))
    return [each.scored(score) for score, each in sorted(scored, key=_score, reverse=True)]


def _distinct(candidates: Iterable[_Scored]) -> Iterable[_Scored]:
    """Yield one passage per section, and of versions and languages only the preferred one."""
    seen: set[object] = set()
    editions: dict[object, object] = {}
    for scored in candidates:
        passage = scored[1].passage
        section = (passage.slug, passage.anchor, passage.heading_path)
        text = (passage.title, passage.markdown)
        edition = (passage.version, passage.language)
        same = editions.setdefault((passage.title, passage.heading_path), edition) == edition
        if same and section not in seen and text not in seen:
            seen.add(section)
            seen.add(text)
            yield scored


def _differ(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other


def _nearness(slug: str, near: str | None) -> float:
    if near is None:
        return 1.0
    if slug == near:
        return _SAME_PAGE
    folder = near.rpartition("/")[0]
    return _SAME_FOLDER if folder and slug.startswith(folder + "/") else 1.0
