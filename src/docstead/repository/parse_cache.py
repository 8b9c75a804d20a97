"""Cache of parse results, for repeated readings of a repository.

Results depend on their keys only, so the cache does not change them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar, cast

from docstead.base.lru_cache import LruCache
from docstead.content.diagnostics import Diagnostic
from docstead.repository.positions import Diagnostics

T = TypeVar("T")
#: A value, its diagnostics, and the number of source characters.
_Known = tuple[object, tuple[Diagnostic, ...], int]

CACHED_CHARACTERS = 64_000_000  # total source characters that a service caches
SHARED = 4  # keys that contain another key's page text cost so much less


class ParseCache:
    """Values and diagnostics by key; `most_characters` limits the total source characters."""

    def __init__(self, most_characters: int) -> None:
        self.keeps = most_characters > 0
        self._known = LruCache[Hashable, _Known](most_characters, _characters_of)
        self._unused: set[Hashable] = set()  # restored, and not asked for since

    def cached(
        self,
        key: Hashable,
        make: Callable[[Diagnostics], T],
        diagnostics: Diagnostics,
        *,
        characters: int,
    ) -> T:
        """Return the cached result of `make`, and add its diagnostics to `diagnostics`."""
        if not self.keeps:
            return make(diagnostics)
        known = self._known.get(key)
        if known is None:
            found = Diagnostics()
            known = make(found), found.sorted(), characters
            self._known.put(key, known)
        self._unused.discard(key)
        diagnostics.add(known[1])
        return cast(T, known[0])

    def entries(self) -> tuple[tuple[Hashable, object], ...]:
        """Return all entries, for `restore` in this or another process."""
        return self._known.items()

    def used_entries(self) -> tuple[tuple[Hashable, object], ...]:
        """Return the entries of repositories that were read in this process."""
        return tuple(entry for entry in self._known.items() if entry[0] not in self._unused)

    def restore(self, entries: Iterable[tuple[Hashable, Any]]) -> None:
        for key, known in entries:
            self._known.put(key, known)
            self._unused.add(key)


def _characters_of(known: _Known) -> int:
    return known[2]


def no_parse_cache() -> ParseCache:
    """Return a cache that stores nothing."""
    return ParseCache(0)
