"""Search index of an edition, unpacked for memory mapping.

Failure rule: an index that is missing, damaged or of another format is rebuilt from the edition's
pages in the background; until then it raises `Unavailable`.
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
from docstead.base.unexpected import log_failure

if TYPE_CHECKING:
    from docstead.search.documents import SearchDocument
    from docstead.search.fusion import SemanticIndex
    from docstead.search.index import Index

_log = logging.getLogger(__name__)

_AGAIN = "The search index is being rebuilt. Try again in a moment."


class EditionIndex:
    """Opens the index on first use. `folder` is shared by processes."""

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
        """Return the index.

        Raises:
            Unavailable: it is being rebuilt.
        """
        with self._lock:
            if self._index is None:
                if self._rebuilding:
                    raise Unavailable(_AGAIN)
                self._index = self._opened()
            return self._index

    def use(self, meaning: SemanticIndex) -> None:
        """Enable semantic search from now on."""
        with self._lock:
            self._meaning = meaning
            if self._index is not None:
                self._index = self._index.with_meaning(meaning)

    def close(self) -> None:
        """Free memory; running searches keep the index until they finish."""
        with self._lock:
            self._index = None

    def _opened(self) -> Index:
        try:
            if not self._folder.exists():
                self._fill_folder(self._extract)
            return self._read()
        except Unavailable:
            _log.warning("rebuilding the search index %s", self._folder.name)
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
            self._fill_folder(lambda folder: build(self._documents(), folder))
            index = self._read()
            with self._lock:
                self._index = index
        except Exception as error:
            failed = f"the search index {self._folder.name} is rebuilt at the next query"
            log_failure(_log, failed, error)
        finally:
            self._rebuilding = False

    def _fill_folder(self, fill: Callable[[Path], None]) -> None:
        """Fill the folder atomically: it appears complete or not at all."""
        parent = self._folder.parent
        parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f"{self._folder.name}.", dir=parent))
        fill(fresh)
        try:
            fresh.rename(self._folder)
        except OSError:  # another process was faster
            shutil.rmtree(fresh, ignore_errors=True)
