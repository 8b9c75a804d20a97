"""Exports as archives: unchanged segments are copied from the last one."""

from __future__ import annotations

import os

import pytest

from docstead.export.archive import write_archive
from docstead.export.cache import ExportCache, LastExport
from docstead.export.options import ExportOptions
from docstead.export.segments import SegmentWriter


def write_next(edition, target, cache):
    """Write an edition as an export with a cache does."""
    with cache.results() as results:
        previous = cache.previous_archive()
        made = write_archive(edition, target, ExportOptions(), previous=previous, results=results)
    cache.keep(edition.path, LastExport("", len(edition.slugs()), 0), target, made)


@pytest.fixture
def packed(monkeypatch) -> list[str]:
    """Paths of files that were compressed."""
    found: list[str] = []
    pack = SegmentWriter.pack

    def recorded(self, files, manifest):
        found.extend(file.path for file in files)
        pack(self, files, manifest)

    monkeypatch.setattr(SegmentWriter, "pack", recorded)
    return found


def test_the_next_archive_copies_what_has_not_changed(
    write_edition, open_edition, tmp_path, packed
):
    cache, target = ExportCache(tmp_path / "cache", "source"), tmp_path / "site.tar.gz"
    write_next(open_edition(write_edition()), target, cache)
    everything = len(packed)
    packed.clear()
    edition = open_edition(write_edition(edits={"index": ("one",)}, name="later"))
    write_next(edition, target, cache)
    assert "index.html" in packed
    assert len(packed) < everything
    write_archive(edition, tmp_path / "fresh.tar.gz", ExportOptions())
    assert target.read_bytes() == (tmp_path / "fresh.tar.gz").read_bytes()


@pytest.mark.parametrize("change", [{"description": "Another"}, {"pages": ("index", "added")}])
def test_a_change_of_the_site_gives_the_archive_of_a_fresh_export(
    write_edition, open_edition, tmp_path, change
):
    cache, target = ExportCache(tmp_path / "cache", "source"), tmp_path / "site.tar.gz"
    write_next(open_edition(write_edition()), target, cache)
    edition = open_edition(write_edition(name="later", **change))
    write_next(edition, target, cache)
    write_archive(edition, tmp_path / "fresh.tar.gz", ExportOptions())
    assert target.read_bytes() == (tmp_path / "fresh.tar.gz").read_bytes()


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda data: b"spoilt", id="another size"),
        pytest.param(lambda data: data[:-4096] + bytes(4096), id="torn, of the same size and time"),
    ],
)
def test_an_archive_that_was_changed_by_others_is_written_again(
    write_edition, open_edition, tmp_path, spoil
):
    cache, target = ExportCache(tmp_path / "cache", "source"), tmp_path / "site.tar.gz"
    edition = open_edition(write_edition())
    write_next(edition, target, cache)
    before, times = target.read_bytes(), target.stat()
    target.write_bytes(spoil(before))
    os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert cache.previous_archive() is None
    write_next(edition, target, cache)
    assert target.read_bytes() == before


def test_a_damaged_index_of_an_archive_does_no_harm(write_edition, open_edition, tmp_path):
    cache, target = ExportCache(tmp_path / "cache", "source"), tmp_path / "site.tar.gz"
    edition = open_edition(write_edition())
    write_next(edition, target, cache)
    before = target.read_bytes()
    next((tmp_path / "cache").rglob("archive")).write_bytes(b"damaged")
    write_next(edition, target, cache)
    assert target.read_bytes() == before
