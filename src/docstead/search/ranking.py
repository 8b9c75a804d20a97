"""Ranking of passages, in which pages that match as a whole come first."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from docstead.search.documents import Passage

_PAGE_SHARE = 0.1
_PAGE_SECTIONS = 3  # sections per page that count, so that long pages have no advantage
_SAME_PAGE = 1.15
_SAME_FOLDER = 1.05
_OTHER_VERSION = 0.5
_OTHER_LANGUAGE = 0.6


@dataclass(frozen=True, slots=True)
class Preference:
    """Preferred language and version of passages that exist in several.

    `most_boost` limits boosts of pages. For answers it is 1, because pages promoted in search are
    not more correct.
    """

    language: str | None = None
    version: str | None = None
    most_boost: float = math.inf

    def factor(self, passage: Passage) -> float:
        return (_OTHER_LANGUAGE if _differ(passage.language, self.language) else 1.0) * (
            _OTHER_VERSION if _differ(passage.version, self.version) else 1.0
        )


class Candidate(msgspec.Struct, frozen=True):
    """A candidate passage with its page's boost."""

    passage: Passage
    boost: float
    score: float
    share: float = 0.0  # relative to the maximum for the query's words
    cosine: float | None = None

    def scored(self, score: float) -> Candidate:
        return Candidate(self.passage, self.boost, score, self.share, self.cosine)

    def near(self, cosine: float | None) -> Candidate:
        return Candidate(self.passage, self.boost, self.score, self.share, cosine)


NO_PREFERENCE = Preference()


def ranked(
    candidates: Sequence[Candidate],
    near: str | None,
    prefer: Preference,
    *,
    page_sections: int = _PAGE_SECTIONS,
) -> list[Candidate]:
    """Return the best passage of each section, best first.

    A passage's score is its own, times its page's boost, plus a tenth of the page's best sections,
    increased by proximity to the reader's page.
    """
    weighed = [
        each.scored(each.score * min(each.boost, prefer.most_boost) * prefer.factor(each.passage))
        for each in candidates
    ]
    sections = list(_distinct(sorted(weighed, key=lambda each: -each.score)))
    pages: dict[str, list[float]] = defaultdict(list)
    for each in sections:
        pages[each.passage.slug].append(each.score)
    shares = {slug: _PAGE_SHARE * sum(own[:page_sections]) for slug, own in pages.items()}
    scored = [
        each.scored((each.score + shares[each.passage.slug]) * _nearness(each.passage.slug, near))
        for each in sections
    ]
    return sorted(scored, key=lambda each: -each.score)


def _distinct(candidates: Iterable[Candidate]) -> Iterable[Candidate]:
    """Yield one passage per section, and of versions and languages only the preferred one."""
    seen: set[object] = set()
    editions: dict[object, object] = {}
    for each in candidates:
        passage = each.passage
        section = (passage.slug, passage.anchor, passage.heading_path)
        marks = {section, (passage.title, passage.markdown)}
        edition = (passage.version, passage.language)
        same = editions.setdefault((passage.title, passage.heading_path), edition) == edition
        if same and seen.isdisjoint(marks):
            seen |= marks
            yield each


def _differ(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other


def _nearness(slug: str, near: str | None) -> float:
    if near is None:
        return 1.0
    if slug == near:
        return _SAME_PAGE
    folder = near.rpartition("/")[0]
    return _SAME_FOLDER if folder and slug.startswith(folder + "/") else 1.0
