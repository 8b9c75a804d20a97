"""Writer and reader of edition files: SQLite files that are written once.

`edition_format` describes the tables. Editions are written by untrusted builders, so readers accept
no other tables, views or triggers, and no paths outside of a folder.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import msgspec

from docstead import __version__
from docstead.base.units import KIB
from docstead.content.diagnostics import Diagnostic
from docstead.content.pages import Site
from docstead.markup.rendered import RenderedPage
from docstead.publishing.edition_format import (
    DIAGNOSTICS,
    FETCHED,
    FORMAT,
    INT,
    NO_UTILITIES,
    NOTES,
    PAGE,
    SCHEMA,
    SITE,
    STR,
    TABLES,
    UTILITIES,
    DamagedEditionError,
    PackedDecoder,
    StoredAsset,
    StoredPage,
    UtilityStyles,
    json_value,
    packed_value,
    plain_value,
)
from docstead.publishing.page_notes import PageNotes
from docstead.publishing.remote_assets import FetchedFile

_AT_ONCE = 100  # pages per query
# Recommended by SQLite for untrusted files (https://www.sqlite.org/security.html).
_DISTRUST = ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "query_only = ON")
_SHA256 = re.compile(r"[0-9a-f]{64}")

T = TypeVar("T")


class EditionWriter:
    """Writes a new file. Facts that are missing at `close` make it unreadable.

    Short-lived files need not be `packed`.
    """

    def __init__(self, path: Path, *, packed: bool = True) -> None:
        path.unlink(missing_ok=True)
        self._value = packed_value if packed else plain_value
        self._connection = sqlite3.connect(path, isolation_level=None)
        # Pages are much larger than SQLite's default page size, which would chain them.
        self._connection.execute(f"PRAGMA page_size = {16 * KIB}")
        # Incomplete files are discarded after a crash, so nothing is synced.
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.executescript(TABLES)
        self._connection.execute("BEGIN")

    def add_page(self, page: RenderedPage, key: str, position: int = 0) -> None:
        """Write a page; `position` is its index in repository order."""
        words = (" ".join(page.classes), " ".join(page.features))
        notes = json_value(PageNotes.of(page))
        self.copy_page(
            StoredPage(page.slug, position, key, page.failed, *words, self._value(page), notes)
        )

    def copy_page(self, page: StoredPage) -> None:
        p = page
        row = (p.slug, p.position, p.key, p.failed, p.classes, p.features, p.value)
        self._connection.execute("INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        self._connection.execute("INSERT INTO notes VALUES (?, ?)", (p.slug, p.notes))

    def add_assets(self, assets: Iterable[StoredAsset]) -> None:
        rows = ((a.path, a.sha256, a.size_bytes, a.content_type) for a in assets)
        self._connection.executemany("INSERT INTO assets VALUES (?, ?, ?, ?)", rows)

    def add_files(self, digests: Mapping[str, str]) -> None:
        self._connection.executemany("INSERT INTO files VALUES (?, ?)", sorted(digests.items()))

    def add_search_files(self, directory: Path) -> None:
        for path in sorted(directory.rglob("*")):
            if path.is_file():
                row = (path.relative_to(directory).as_posix(), path.read_bytes())
                self._connection.execute("INSERT INTO search VALUES (?, ?)", row)

    def page(self, slug: str) -> RenderedPage:
        """Return a page that has been written."""
        query = "SELECT value FROM pages WHERE slug = ?"
        ((value,),) = self._connection.execute(query, (slug,))
        return PAGE.unpack(value)

    def notes(self, slug: str) -> PageNotes:
        """Return the notes of a written page."""
        query = "SELECT value FROM notes WHERE slug = ?"
        ((value,),) = self._connection.execute(query, (slug,))
        return NOTES.decode(value)

    def class_names(self) -> tuple[str, ...]:
        """Return the class names of all written pages, sorted."""
        rows = self._connection.execute("SELECT DISTINCT classes FROM pages")
        return _words(rows)

    def close(
        self,
        *,
        commit: str,
        site: Site,
        diagnostics: tuple[Diagnostic, ...],
        utilities: UtilityStyles = NO_UTILITIES,
        fetched: tuple[FetchedFile, ...] = (),
    ) -> str:
        """Complete the file and return the digest of everything that readers can see."""
        facts: dict[str, object] = {
            "commit": commit,
            "site": site,
            "utilities": utilities,
            "diagnostics": diagnostics,
            "made by": __version__,
            "format": FORMAT,
        }
        if fetched:
            facts["fetched"] = fetched
        for name, value in facts.items():
            self._add_fact(name, value)
        digest = self._digest()
        self._add_fact("digest", digest)
        self._connection.execute("COMMIT")
        self._connection.close()
        return digest

    def abandon(self) -> None:
        self._connection.close()

    def _add_fact(self, name: str, value: object) -> None:
        self._connection.execute("INSERT INTO facts VALUES (?, ?)", (name, self._value(value)))

    def _digest(self) -> str:
        """Return a digest of the contents; the file itself contains random names of index files."""
        digest = hashlib.sha256()
        for query in (
            "SELECT name, value FROM facts ORDER BY name",
            "SELECT slug, key, failed FROM pages ORDER BY slug",
            "SELECT path, sha256 FROM assets ORDER BY path",
        ):
            for row in self._connection.execute(query):
                digest.update(msgspec.json.encode(row))
        return digest.hexdigest()


class EditionFile:
    """Thread-safe reader of an edition's file."""

    def __init__(self, path: Path) -> None:
        # `immutable` avoids locking; the file never changes after it is named.
        self._connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )
        self._lock = threading.Lock()
        weakref.finalize(self, self._connection.close)
        for setting in _DISTRUST:
            self._rows(f"PRAGMA {setting}")
        self._check_schema(path.name)
        try:
            found = self._fact("format", INT)
        except KeyError as error:
            raise DamagedEditionError(f"{path.name} is not an edition") from error
        if found != FORMAT:
            raise DamagedEditionError(f"{path.name} has format {found}, not {FORMAT}")

    @property
    def commit(self) -> str:
        return self._fact("commit", STR)

    @property
    def digest(self) -> str:
        return self._fact("digest", STR)

    @property
    def made_by(self) -> str:
        """Version of Docstead that wrote the file."""
        return self._fact("made by", STR)

    def site(self) -> Site:
        return self._fact("site", SITE)

    def utilities(self) -> UtilityStyles:
        return self._fact("utilities", UTILITIES)

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return self._fact("diagnostics", DIAGNOSTICS)

    def fetched(self) -> tuple[FetchedFile, ...]:
        """Return the files of other hosts."""
        try:
            return self._fact("fetched", FETCHED)
        except KeyError:
            return ()

    def slugs(self) -> tuple[str, ...]:
        """Return all pages, in repository order."""
        return tuple(
            slug for (slug,) in self._rows("SELECT slug FROM pages ORDER BY position, rowid")
        )

    def page(self, slug: str) -> RenderedPage | None:
        rows = self._rows("SELECT value FROM pages WHERE slug = ?", slug)
        return PAGE.unpack(rows[0][0]) if rows else None

    def page_features(self) -> tuple[str, ...]:
        """Return the browser features that the pages need, sorted."""
        return _words(self._rows("SELECT DISTINCT features FROM pages"))

    def stored_pages(self, slugs: Iterable[str]) -> Iterator[StoredPage]:
        """Yield the stored pages of these slugs in any order, few at a time."""
        waiting = iter(slugs)
        while some := tuple(islice(waiting, _AT_ONCE)):
            rows = self._rows(
                "SELECT slug, position, key, failed, classes, features, pages.value, notes.value"
                " FROM pages JOIN notes USING (slug)"
                " WHERE slug IN (SELECT json_each.value FROM json_each(?))",
                json.dumps(some),
            )
            for slug, position, key, failed, *others in rows:
                yield StoredPage(slug, position, key, bool(failed), *others)

    def page_keys(self) -> dict[str, str]:
        return dict(self._rows("SELECT slug, key FROM pages"))

    def failed_pages(self) -> frozenset[str]:
        return frozenset(slug for (slug,) in self._rows("SELECT slug FROM pages WHERE failed"))

    def asset(self, path: str) -> StoredAsset | None:
        rows = self._rows("SELECT path, sha256, size, type FROM assets WHERE path = ?", path)
        return _checked_asset(StoredAsset(*rows[0])) if rows else None

    def assets(self) -> tuple[StoredAsset, ...]:
        rows = self._rows("SELECT path, sha256, size, type FROM assets ORDER BY path")
        return tuple(_checked_asset(StoredAsset(*row)) for row in rows)

    def files(self) -> dict[str, str]:
        return dict(self._rows("SELECT path, sha256 FROM files"))

    def extract_search_files(self, directory: Path) -> None:
        for (name,) in self._rows("SELECT name FROM search"):
            ((value,),) = self._rows("SELECT value FROM search WHERE name = ?", name)
            target = directory / _inner_path(name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(value)

    def _check_schema(self, name: str) -> None:
        rows = self._rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
        if {sql for (sql,) in rows} != SCHEMA:
            raise DamagedEditionError(f"{name} does not have the tables of an edition")

    def _fact(self, name: str, kind: PackedDecoder[T]) -> T:
        rows = self._rows("SELECT value FROM facts WHERE name = ?", name)
        if not rows:
            raise KeyError(name)
        return kind.unpack(rows[0][0])

    def _rows(self, query: str, *parameters: str) -> list[Any]:
        try:
            with self._lock:
                return self._connection.execute(query, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            raise DamagedEditionError(f"the edition cannot be read: {error}") from error


def _checked_asset(asset: StoredAsset) -> StoredAsset:
    _inner_path(asset.path)
    if not _SHA256.fullmatch(asset.sha256) or asset.size_bytes < 0:
        raise DamagedEditionError(f"the edition has no digest of {asset.path!r}")
    return asset


def _inner_path(name: str) -> str:
    """Return a relative path after verifying that it stays within its folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts or {"\\", "\0"} & set(name):
        raise DamagedEditionError(f"the edition refers to a file outside of its folder: {name!r}")
    return name


def _words(rows: Iterable[tuple[str]]) -> tuple[str, ...]:
    return tuple(sorted({word for (words,) in rows for word in words.split()}))
