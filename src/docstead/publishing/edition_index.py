"""The search index of an edition, unpacked where it can be mapped into memory.

Failure rule: an index that is missing, damaged or of another format is made again from the
edition's pages, in the background; until then it is `Unavailable`, and says so.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from docstead.base.errors import Unavailable

if TYPE_CHECKING:
    from docstead.search.documents import SearchDocument
    from docstead.search.fusion import SemanticIndex
    from docstead.search.index import Index

_log = logging.getLogger(__name__)

_AGAIN = "The search index is being made again; please try again in a moment."


class EditionIndex:
    """Opens the index when it is first asked for. `folder` is its own, shared by processes."""

    def __init__(
        self,
        folder: Path,
        extract: Callable[[Path], None],
        documents: Callable[[], Iterable[SearchDocument]],
    ) -> None:
        self._folder = folder
        self._extract = extract
        self._documents = documents
        self._index: Index | None = None
        self._meaning: SemanticIndex | None = None
        self._lock = threading.Lock()
        self._rebuilding = False

    def get(self) -> Index:
        """Raises `Unavailable` while it is made again."""
        with self._lock:
            if self._index is None:
                if self._rebuilding:
                    raise Unavailable(_AGAIN)
                self._index = self._opened()
            return self._index

    def use(self, meaning: SemanticIndex) -> None:
        """Find by meaning too, from now on."""
        with self._lock:
            self._meaning = meaning
            if self._index is not None:
                self._index = self._index.with_meaning(meaning)

    def close(self) -> None:
        """Free its memory; searches that have begun keep it until they end."""
        with self._lock:
            self._index = None

    def _opened(self) -> Index:
        try:
            if not self._folder.exists():
                self._position(self._extract)
            return self._read()
        except Unavailable:
            _log.warning("the search index %s is made again", self._folder.name)
            self._rebuilding = True
            threading.Thread(target=self._rebuild, name="search-index", daemon=True).start()
            raise Unavailable(_AGAIN) from None

    def _read(self) -> Index:
        from docstead.search.index import Index

        index = Index(self._folder)
        return index.with_meaning(self._meaning) if self._meaning else index

    def _rebuild(self) -> None:
        from docstead.search.index_writer import build

        try:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._position(lambda folder: build(self._documents(), folder))
            index = self._read()
            with self._lock:
                self._index = index
        except Exception:
            # The next question tries again.
            _log.exception("the search index %s could not be made again", self._folder.name)
        finally:
            self._rebuilding = False

    def _position(self, fill: Callable[[Path], None]) -> None:
        """Fill the folder at once: it is there complete, or not at all."""
        parent = self._folder.parent
        parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f"{self._folder.name}.", dir=parent))
        fill(fresh)
        try:
            fresh.rename(self._folder)
        except OSError:  # another process was faster
            shutil.rmtree(fresh, ignore_errors=True)
