"""Editions whose builder lies: other tables, views, paths that lead out, and links."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from docstead.base.errors import SourceUnreadable
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import Site
from docstead.publishing.assets import FolderContents
from docstead.publishing.edition_file import EditionFile, EditionWriter
from docstead.publishing.edition_format import DamagedEditionError, StoredAsset

SHA256 = "0" * 64
#: Statements that a builder could run on the file before it hands it over.
CHANGES = {
    "view in place of a table": (
        "ALTER TABLE files RENAME TO real",
        "CREATE VIEW files AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT i AS path, i AS sha256 FROM n",
    ),
    "view of facts": (
        "ALTER TABLE facts RENAME TO real",
        "CREATE VIEW facts AS SELECT name, zeroblob(1000000000) AS value FROM real",
    ),
    "trigger": ("CREATE TRIGGER t AFTER INSERT ON files BEGIN DELETE FROM pages; END",),
    "further table": ("CREATE TABLE more (x)",),
    "virtual table": ("CREATE VIRTUAL TABLE more USING fts5(x)",),
    "generated column": ("ALTER TABLE files ADD COLUMN x AS (zeroblob(1000000000))",),
    "index on an expression": ("CREATE INDEX i ON pages (hex(value))",),
}
OUTSIDE = ("/etc/passwd", "../x", "a/../../x", "a\\..\\x", "", "a\0b")


def edition(path: Path, *statements: str, rows: tuple[object, ...] = ()) -> Path:
    """An edition without pages, changed afterwards."""
    writer = EditionWriter(path)
    writer.close(commit="1", site=Site(SiteConfig("x"), Navigation(), {}), diagnostics=())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement, rows)
    return path


def test_an_untouched_edition_is_read(tmp_path: Path) -> None:
    assert EditionFile(edition(tmp_path / "e")).files() == {}


@pytest.mark.parametrize("name", CHANGES)
def test_other_tables_than_those_of_an_edition_are_refused(tmp_path: Path, name: str) -> None:
    path = edition(tmp_path / "e", *CHANGES[name])
    with pytest.raises(DamagedEditionError, match="tables of an edition"):
        EditionFile(path)


def test_the_schema_is_not_trusted(tmp_path: Path) -> None:
    file = EditionFile(edition(tmp_path / "e"))
    settings = {name: file._rows(f"PRAGMA {name}") for name in ("trusted_schema", "query_only")}
    assert settings == {"trusted_schema": [(0,)], "query_only": [(1,)]}
    assert file._rows("PRAGMA cell_size_check") == [(1,)]


@pytest.mark.parametrize("name", OUTSIDE)
def test_files_of_the_index_stay_in_their_folder(tmp_path: Path, name: str) -> None:
    insert = "INSERT INTO search VALUES (?, ?)"
    file = EditionFile(edition(tmp_path / "e", insert, rows=(name, b"x")))
    (tmp_path / "index" / "deep").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(DamagedEditionError, match="outside"):
        file.extract_search_files(tmp_path / "index" / "deep")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("path", "sha256", "size"),
    [*((path, SHA256, 1) for path in OUTSIDE), ("a.txt", "../editions/x", 1),
     ("a.txt", SHA256[1:], 1), ("a.txt", SHA256, -1)],
)  # fmt: skip
def test_assets_have_a_path_inside_and_a_digest(
    tmp_path: Path, path: str, sha256: str, size: int
) -> None:
    insert = "INSERT INTO assets VALUES (?, ?, ?, ?)"
    rows = (path, sha256, size, "text/plain")
    file = EditionFile(edition(tmp_path / "e", insert, rows=rows))
    for read in (file.assets, lambda: file.asset(path)):
        with pytest.raises(DamagedEditionError):
            read()


@pytest.mark.parametrize("path", ["../secret", "link", "folder/secret", "absent", "sub"])
def test_an_export_takes_no_asset_from_elsewhere(tmp_path: Path, path: str) -> None:
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    (root / "link").symlink_to(tmp_path / "secret")
    (root / "folder").symlink_to(tmp_path)
    asset = StoredAsset(path, SHA256, 6, "text/plain")
    with pytest.raises(SourceUnreadable):
        list(FolderContents(root).blocks(asset))


def test_an_export_follows_links_within_the_repository(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("inside")
    (tmp_path / "b.txt").symlink_to("a.txt")
    asset = StoredAsset("b.txt", SHA256, 6, "text/plain")
    assert b"".join(FolderContents(tmp_path).blocks(asset)) == b"inside"
