"""From the scores of single passages to an order: pages that answer as a whole come first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from docstead.search.documents import Passage

_PAGE_SHARE = 0.1
_PAGE_SECTIONS = 3  # that count for the page, so that long pages do not win by length
_SAME_PAGE = 1.15
_SAME_FOLDER = 1.05


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage with its raw score, and the factor its page was given."""

    passage: Passage
    boost: float


def ranked(candidates: Sequence[Candidate], near: str | None) -> list[Candidate]:
    """The best passage of each section, best first.

    A passage has its own score and a tenth of what the page's three best sections have,
    times the page's factor, times a little more the nearer it is to the reader's page.
    """
    sections = list(_distinct(sorted(candidates, key=lambda each: -each.passage.score)))
    pages: dict[str, list[float]] = defaultdict(list)
    for each in sections:
        pages[each.passage.slug].append(each.passage.score)
    shares = {slug: _PAGE_SHARE * sum(own[:_PAGE_SECTIONS]) for slug, own in pages.items()}
    scored = [_rescored(each, shares[each.passage.slug], near) for each in sections]
    return sorted(scored, key=lambda each: -each.passage.score)


def _distinct(candidates: Iterable[Candidate]) -> Iterable[Candidate]:
    """One passage per section, and no text twice: versions repeat each other."""
    seen: set[object] = set()
    for each in candidates:
        passage = each.passage
        marks = {(passage.slug, passage.anchor), (passage.title, passage.markdown)}
        if seen.isdisjoint(marks):
            seen |= marks
            yield each


def _rescored(candidate: Candidate, page_share: float, near: str | None) -> Candidate:
    passage = candidate.passage
    score = (passage.score + page_share) * candidate.boost * _nearness(passage.slug, near)
    return replace(candidate, passage=replace(passage, score=score))


def _nearness(slug: str, near: str | None) -> float:
    if near is None:
        return 1.0
    if slug == near:
        return _SAME_PAGE
    folder = near.rpartition("/")[0]
    return _SAME_FOLDER if folder and slug.startswith(folder + "/") else 1.0
