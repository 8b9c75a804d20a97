"""Suggestions of pages for broken links."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from docstead.content.slugs import clean_path

_MOST_COMPARISONS = 2_000_000  # per site


class NearestPages:
    """Pages by the last segment of their slug, which moved pages usually keep."""

    def __init__(self, slugs: Iterable[str]) -> None:
        self._comparisons_left = _MOST_COMPARISONS
        self._by_name: dict[str, list[str]] = {}
        for slug in slugs:
            self._by_name.setdefault(_name(slug), []).append(slug)

    def find(self, path: str, languages: frozenset[str] = frozenset()) -> str | None:
        """Return the page whose path ends like this one, or None if there is no single best.

        Pages in folders of other `languages` are translations, not pages that were meant.
        """
        requested = clean_path(path).lower().removesuffix(".mdx").removesuffix(".md")
        candidates = self._by_name.get(_name(requested), ())
        self._comparisons_left -= len(candidates)
        if self._comparisons_left < 0:
            return None
        ranked = [(_shared(requested, slug), slug) for slug in candidates]
        best = max((score for score, _ in ranked), default=0)
        winners = [slug for score, slug in ranked if score == best]
        if len(winners) != 1:
            return None
        folders = (languages.intersection(each.split("/")) for each in (requested, winners[0]))
        return winners[0] if len(set(folders)) == 1 else None


def _name(slug: str) -> str:
    return posixpath.basename(slug.removesuffix("/index")).lower().replace("_", "-")


def _shared(requested: str, slug: str) -> int:
    """Return the number of leading or trailing segments that two paths share."""
    left, right = requested.split("/"), slug.lower().removesuffix("/index").split("/")
    return _common(left, right) + _common(left[::-1], right[::-1])


def _common(left: list[str], right: list[str]) -> int:
    count = 0
    while count < min(len(left), len(right)) and left[count] == right[count]:
        count += 1
    return count
