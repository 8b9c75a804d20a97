"""Suggestions of pages and files for broken links."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable
from difflib import get_close_matches

from docstead.content.slugs import clean_path
from docstead.repository.sources import is_image

_MOST_COMPARISONS = 2_000_000  # per site
_MOST_SPELLINGS = 50_000  # names compared letter by letter, per site
_SIMILAR = 0.9  # share of letters that a misspelled name has in common with the right one


class NearestPages:
    """Pages by the last segment of their slug, which moved pages usually keep."""

    def __init__(self, slugs: Iterable[str]) -> None:
        self._comparisons_left = _MOST_COMPARISONS
        self._by_name: dict[str, list[str]] = {}
        for slug in slugs:
            self._by_name.setdefault(_name(slug), []).append(slug)

    def find(
        self, path: str, languages: frozenset[str] = frozenset(), linking: str | None = None
    ) -> str | None:
        """Return the page whose path ends like this one, or None if there is no single best.

        Pages in folders of other `languages` are translations, not pages that were meant. Nor is
        the `linking` page, which has the link.
        """
        requested = clean_path(path).lower().removesuffix(".mdx").removesuffix(".md")
        candidates = self._by_name.get(_name(requested), ())
        self._comparisons_left -= len(candidates)
        if self._comparisons_left < 0:
            return None
        ranked = [(_shared(requested, slug), slug) for slug in candidates if slug != linking]
        best = max((score for score, _ in ranked), default=0)
        winners = [slug for score, slug in ranked if score == best]
        if len(winners) != 1:
            return None
        folders = (languages.intersection(each.split("/")) for each in (requested, winners[0]))
        return winners[0] if len(set(folders)) == 1 else None


class NearestFiles:
    """Files with the name of a missing one, or in its folder in another format or misspelled."""

    def __init__(self, files: Collection[str]) -> None:
        self._spellings_left = _MOST_SPELLINGS
        self._beside: dict[str, list[str]] = {}
        for file in files:
            folder, name = posixpath.split(file)
            self._beside.setdefault(folder, []).append(name)
        self._moved = NearestPages(files)

    def find(self, path: str) -> str | None:
        """Return the file that was probably meant, or None if there is no single best."""
        return self._moved.find(path) or self._other_format(path) or self._misspelled(path)

    def _other_format(self, path: str) -> str | None:
        """Return the picture with the name of a missing one and another suffix."""
        folder, name = posixpath.split(path.strip("/"))
        if not is_image(name):
            return None
        stem = _stem(name)
        alike = [each for each in self._beside.get(folder, ()) if _stem(each) == stem]
        pictures = [each for each in alike if is_image(each)]
        return posixpath.join(folder, pictures[0]) if len(pictures) == 1 else None

    def _misspelled(self, path: str) -> str | None:
        folder, name = posixpath.split(path.strip("/"))
        names = self._beside.get(folder, ())
        self._spellings_left -= len(names)
        if self._spellings_left < 0:
            return None
        similar = get_close_matches(name, names, n=2, cutoff=_SIMILAR)
        return posixpath.join(folder, similar[0]) if len(similar) == 1 else None


def _stem(name: str) -> str:
    return posixpath.splitext(name)[0].lower()


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
