"""Protocol of sentence models, which map texts with similar meaning to close vectors."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from docstead.base.errors import DocsteadError
from docstead.base.lru_cache import LruCache

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix: TypeAlias = NDArray[np.float32]
    Vector: TypeAlias = NDArray[np.float32]

T = TypeVar("T")

_log = logging.getLogger(__name__)

_REMEMBERED = 2_048
_LONGEST_REMEMBERED = 2_000  # characters
_AT_ONCE = 16  # threads for remote models, whose latency would add up
_AFTER_FAILURE_SECONDS = 30.0


class Embedder(Protocol):
    """Converts texts to unit vectors, one per row."""

    @property
    def space(self) -> str:
        """Identifier of the vector space: vectors of different spaces are not comparable."""
        ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of texts.

        Raises:
            Unavailable: the model cannot be reached or read.
        """
        ...


class QueryEmbeddings:
    """Cached vectors of queries.

    Failure rule: while the model fails there are no vectors, and search continues without them; it
    is retried after half a minute, so that not every query waits for it.
    """

    def __init__(self, embedder: Embedder, now: Callable[[], float] = time.monotonic) -> None:
        self._embedder = embedder
        self._now = now
        self._known: LruCache[str, Vector] = LruCache(_REMEMBERED)
        self._failed_at = float("-inf")
        self._threads = ThreadPoolExecutor(_AT_ONCE, "queries")

    @property
    def space(self) -> str:
        return self._embedder.space

    def begin(self, query: str, then: Callable[[Vector], T]) -> Callable[[], T | None]:
        """Start computing a query's vector; the returned function waits and applies `then`.

        Model and matrix products release the GIL, so keyword search runs in parallel. Without a
        vector the result is None.
        """

        def made() -> T | None:
            vector = self.vector(query)
            return None if vector is None else then(vector)

        return self._threads.submit(made).result

    def vector(self, query: str) -> Vector | None:
        found = self.vectors([query])
        return found[0] if found else None

    def vectors(self, texts: Sequence[str]) -> list[Vector] | None:
        """Return the vectors of several texts from one call of the model."""
        known = {text: found for text in texts if (found := self._known.get(text)) is not None}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            made = self._embedded(new)
            if made is None:
                return None
            known |= made
        return [known[text] for text in texts]

    def close(self) -> None:
        """Stop the threads after pending work."""
        self._threads.shutdown()

    def _embedded(self, texts: Sequence[str]) -> dict[str, Vector] | None:
        if self._now() - self._failed_at < _AFTER_FAILURE_SECONDS:
            return None
        try:
            found = dict(zip(texts, self._embedder.embed(texts), strict=True))
        except DocsteadError as error:
            _log.warning("search continues with words only: %s", error.message)
            self._failed_at = self._now()
            return None
        for text, vector in found.items():
            if len(text) <= _LONGEST_REMEMBERED:
                self._known.put(text, vector)
        return found


def space_of(*facts: str) -> str:
    """Return the identifier of the space that these facts define."""
    return hashlib.sha256("\0".join(facts).encode()).hexdigest()[:12]
