"""From the scores of single passages to an order: pages that answer as a whole come first."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from docstead.search.documents import Passage

_PAGE_SHARE = 0.1
_PAGE_SECTIONS = 3  # that count for the page, so that long pages do not win by length
_SAME_PAGE = 1.15
_SAME_FOLDER = 1.05
_OTHER_VERSION = 0.5
_OTHER_LANGUAGE = 0.6


@dataclass(frozen=True, slots=True)
class Preference:
    """The language and version to take where a passage exists in several.

    `most_boost` limits by how much pages are moved up. For answers it is 1: what a site wants
    to be seen first says no more than the rest of it.
    """

    language: str | None = None
    version: str | None = None
    most_boost: float = math.inf

    def factor(self, passage: Passage) -> float:
        return (_OTHER_LANGUAGE if _differ(passage.language, self.language) else 1.0) * (
            _OTHER_VERSION if _differ(passage.version, self.version) else 1.0
        )


class Candidate(msgspec.Struct, frozen=True):
    """A passage on its way into the order, and the factor its page was given."""

    passage: Passage
    boost: float
    score: float
    share: float = 0.0  # of what the query's words can reach
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
    """The best passage of each section, best first.

    A passage has its own score, by its page's factors, and a tenth of what the page's best
    sections have; times a little more the nearer it is to the reader's page.
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
    """One passage per section, and none that another version or language has in its place."""
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
