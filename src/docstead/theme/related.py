"""Related pages, by similarity of their metadata.

Titles, keywords and descriptions are compared by rare words (tf-idf with cosine). Only unrestricted
pages of the same language and version are considered.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import cached_property

from docstead.content.pages import PageMeta, Site
from docstead.content.public_pages import is_searchable

_WORD = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_SHORTEST = 3
_PLURAL = 4  # minimum letters of a word whose final "s" is a plural
_COMMON_SHARE = 0.3  # maximum fraction of pages with a word
_COMMON_PAGES = 300
_FEW_PAGES = 10  # number of pages with no common words
_LEAST = 0.15  # minimum similarity; below, pages only share a word
_TITLE, _KEYWORDS, _DESCRIPTION = 3.0, 2.0, 1.0

_Scope = tuple[str | None, str | None]  # language, version


class RelatedPages:
    """Finds related pages of a site, at most `limit` per page."""

    def __init__(self, site: Site, limit: int) -> None:
        self._site = site
        self._limit = limit

    def of(self, meta: PageMeta, passed_over: Collection[str | None] = ()) -> list[str]:
        """Return the most similar pages, best first, without those that are passed over."""
        scope = self._scopes.get(_scope(meta))
        if scope is None:
            return []
        near = scope.near(_weights(meta))
        return [each for each in near if each != meta.slug and each not in passed_over][
            : self._limit
        ]

    @cached_property
    def _scopes(self) -> dict[_Scope, _RelatedIndex]:
        found: dict[_Scope, dict[str, dict[str, float]]] = {}
        for slug, meta in self._site.pages.items():
            if is_searchable(self._site, meta) and not meta.groups and meta.url is None:
                found.setdefault(_scope(meta), {})[slug] = _weights(meta)
        return {scope: _RelatedIndex(pages) for scope, pages in found.items()}


class _RelatedIndex:
    """Pages of one language and version with their weighted words."""

    def __init__(self, pages: dict[str, dict[str, float]]) -> None:
        holders: defaultdict[str, list[str]] = defaultdict(list)
        for slug, weights in pages.items():
            for word in weights:
                holders[word].append(slug)
        self._holders = holders
        self._count = len(pages)
        self._vectors = {slug: self._vector(weights) for slug, weights in pages.items()}

    def near(self, weights: dict[str, float]) -> list[str]:
        """Return slugs of sufficiently similar pages, best first."""
        scores: defaultdict[str, float] = defaultdict(float)
        for word, weight in self._vector(weights).items():
            for slug in self._holders[word]:
                scores[slug] += weight * self._vectors[slug][word]
        ranked = sorted((-score, slug) for slug, score in scores.items() if score >= _LEAST)
        return [slug for _, slug in ranked]

    def _vector(self, weights: dict[str, float]) -> dict[str, float]:
        """Normalize weights to length 1, without common words."""
        parts = {word: weight * self._rarity(word) for word, weight in weights.items()}
        length = math.sqrt(sum(part * part for part in parts.values()))
        return {word: part / length for word, part in parts.items() if part}

    def _rarity(self, word: str) -> float:
        count = len(self._holders.get(word, ()))
        most = min(_COMMON_PAGES, self._count * _COMMON_SHARE)
        is_common = self._count > _FEW_PAGES and count > most
        return 0.0 if is_common or not count else math.log((self._count + 1) / count)


def _scope(meta: PageMeta) -> _Scope:
    return meta.language, meta.version


def _weights(meta: PageMeta) -> dict[str, float]:
    """Return the weight of each word; words of the title weigh most."""
    texts = (
        (_TITLE, f"{meta.title} {meta.sidebar_title or ''}"),
        (_KEYWORDS, " ".join(meta.keywords)),
        (_DESCRIPTION, meta.description or ""),
    )
    found: dict[str, float] = {}
    for weight, text in texts:
        for word in _words(text.casefold()):
            found[word] = max(weight, found.get(word, 0.0))
    return found


def _words(text: str) -> Iterator[str]:
    """Yield words without plural "s"; character bigrams for scripts without spaces."""
    for run in _CJK.findall(text):
        yield from (run[at : at + 2] for at in range(len(run) - 1))
    for word in _WORD.findall(_CJK.sub(" ", text)):
        if len(word) >= _SHORTEST:
            yield word.removesuffix("s") if len(word) >= _PLURAL else word
