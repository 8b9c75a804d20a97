"""Batches of pages that wait for a worker."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from docstead.rendering.limits import LARGE_CHARACTERS

Slugs = tuple[str, ...]
BodyOf = Callable[[str], str]

_DIAGRAM = "mermaid"  # in the source of pages with diagrams
_LAST_BATCHES = 4  # last pages, which are distributed in small batches


class WaitingBatches:
    """Batches of pages in order, for several workers. Thread-safe.

    Large pages are batches of their own. One worker renders the pages with diagrams while the
    others have something else to do, because each that renders diagrams loads their library.
    """

    def __init__(self, slugs: Sequence[str], body_of: BodyOf, most: int, first: int) -> None:
        """Initialize; the first batch has up to `first` pages, later ones up to `most`.

        Bodies are looked at one by one and not kept: those of a large site take much memory.
        """
        self.pages = len(slugs)  # at the beginning
        self._numbers = count()
        self._plain: deque[tuple[int, Slugs]] = deque()
        self._with_diagrams: deque[tuple[int, Slugs]] = deque()
        self._have_diagrams: set[str] = set()
        self._diagram_worker: int | None = None
        self._lock = threading.Lock()
        for batch in _batches(slugs, most, first):
            self._add_apart(batch, body_of)

    def add(self, batch: Slugs) -> None:
        """Add a batch after all others."""
        with self._lock:
            self._append(batch)

    def take(self, worker: int) -> Slugs:
        """Return the next batch for this worker, which is empty at the end."""
        with self._lock:
            waiting = self._next_of(worker)
            if waiting is self._with_diagrams and self._diagram_worker is None:
                self._diagram_worker = worker
            return waiting.popleft()[1] if waiting else ()

    def _next_of(self, worker: int) -> deque[tuple[int, Slugs]]:
        """Return the batches of which this worker takes the first."""
        if not self._plain or not self._with_diagrams:
            return self._plain or self._with_diagrams
        if self._diagram_worker not in (None, worker):
            return self._plain
        return min(self._plain, self._with_diagrams, key=lambda waiting: waiting[0])

    def _add_apart(self, batch: Slugs, body_of: BodyOf) -> None:
        """Add the large pages of a batch one by one, and the others with and without diagrams."""
        small: dict[bool, list[str]] = {False: [], True: []}
        for slug in batch:
            body = body_of(slug)
            has_diagrams = _DIAGRAM in body
            if has_diagrams:
                self._have_diagrams.add(slug)
            if len(body) > LARGE_CHARACTERS:
                self._append((slug,))
            else:
                small[has_diagrams].append(slug)
        for slugs in small.values():
            if slugs:
                self._append(tuple(slugs))

    def _append(self, batch: Slugs) -> None:
        has_diagrams = not self._have_diagrams.isdisjoint(batch)
        waiting = self._with_diagrams if has_diagrams else self._plain
        waiting.append((next(self._numbers), batch))


def _batches(slugs: Sequence[str], most: int, first: int) -> Iterator[Slugs]:
    """Yield batches in order; the first has up to `first` pages, later ones up to twice as many.

    The last batches are smaller, so that workers finish at the same time.
    """
    done, grown = 0, first
    while rest := len(slugs) - done:
        size = min(most, grown, -(-rest // _LAST_BATCHES))
        yield tuple(slugs[done : done + size])
        done += size
        grown *= 2
