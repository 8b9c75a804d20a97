"""Exports as folders."""

from __future__ import annotations

import hashlib
import sys

import pytest

from docstead.base.errors import Conflict, DocsteadError
from docstead.export import folder
from docstead.export import writers as processes
from docstead.export.cache import ExportCache, LastExport
from docstead.export.files import StaticSite
from docstead.export.manifest import MANIFEST, read_manifest
from docstead.export.options import ExportOptions
from docstead.export.temp_files import TempFiles
from docstead.export.writers import WriterProcesses
from docstead.outputs.search_bundle import SearchBundle
from docstead.theme.document import PageShell
from static_files import static_files


def write_folder(edition, target):
    with WriterProcesses() as writers:
        return folder.write_folder(edition, target, writers).files


def write_changes(edition, target, cache):
    """Write an edition as an export with a cache does."""
    with WriterProcesses() as writers, cache.results() as results:
        previous = cache.previous_folder()
        found = folder.write_folder(edition, target, writers, previous=previous, results=results)
    cache.keep(edition.path, LastExport("", len(edition.slugs()), 0), target, found)


def inodes(root):
    return {str(p.relative_to(root)): p.stat().st_ino for p in root.rglob("*") if p.is_file()}


def contents(root):
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def test_the_folder_holds_every_file(edition, tmp_path):
    count = write_folder(edition, tmp_path / "out" / "site")
    with TempFiles() as temp_files:
        files = list(static_files(edition, ExportOptions(), temp_files))
        expected = {file.path: file.read() for file in files}
    root = tmp_path / "out" / "site"
    found = {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}
    assert count == len(found) == len(expected) + 1
    listed = read_manifest(found.pop(MANIFEST))
    assert found == expected
    assert {path: fact.sha256 for path, fact in listed.items()} == {
        path: hashlib.sha256(data).hexdigest() for path, data in expected.items()
    }


def test_processes_that_share_the_pages_write_the_same_files(edition, tmp_path, monkeypatch):
    write_folder(edition, tmp_path / "alone")
    monkeypatch.setattr(processes, "FEW_FILES", 1)
    started = []
    begin = processes._WriterProcess.begin
    monkeypatch.setattr(
        processes._WriterProcess, "begin", lambda *task: started.append(task[1]) or begin(*task)
    )
    write_folder(edition, tmp_path / "shared")
    assert [(task.part, task.parts) for task in started] == [(1, 2)]
    assert contents(tmp_path / "shared") == contents(tmp_path / "alone")


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("raise SystemExit('no room')", r"failed \(status 1\): no room$"),
        ("import os; os.abort()", r"failed \(SIGABRT\)$"),
        ("import os; os.kill(os.getpid(), 9)", r"was killed \(SIGKILL\), by an operator or"),
        ("import os; os.kill(os.getpid(), 15)", r"was killed \(SIGTERM\), by an operator or"),
        ("pass", "ended before it listed them$"),
        ("print('{', end='')", "ended before it listed them$"),
        ("import sys; print('profiled', file=sys.stderr)", "before it listed them: profiled$"),
    ],
)
def test_a_process_that_ends_early_is_named_in_the_error(
    edition, tmp_path, monkeypatch, program, reason
):
    monkeypatch.setattr(processes, "FEW_FILES", 1)
    monkeypatch.setattr(processes, "_PROGRAM", (sys.executable, "-c", program))
    with pytest.raises(DocsteadError, match=f"^files could not be written: a writer .*{reason}"):
        write_folder(edition, tmp_path / "site")
    assert not list(tmp_path.glob("*site*"))


def test_after_an_edit_only_changed_files_are_written(write_edition, open_edition, tmp_path):
    cache, site = ExportCache(tmp_path / "cache", "source"), tmp_path / "site"
    first = {"api/users": ("<b>one</b>",), "index": ("same",)}
    write_changes(open_edition(write_edition(edits=first)), site, cache)
    before = inodes(site)
    later = open_edition(write_edition(edits={**first, "api/users": ("two",)}, name="later"))
    write_changes(later, site, cache)
    write_folder(later, tmp_path / "fresh")
    assert contents(site) == contents(tmp_path / "fresh")
    written = {path for path, number in inodes(site).items() if before.get(path) != number}
    assert {path for path in written if "_docs/search" not in path} == {
        "api/users.html", "api/users.md", "llms-full.txt", "_docs/manifest.json",
    }  # fmt: skip
    texts = [path for path in written if path.endswith("-r0.js")]
    assert texts  # excerpts have changed


@pytest.mark.parametrize("edits", [("two", "a section more"), (), ("two",)])
def test_a_folder_from_a_cache_is_that_of_a_fresh_export(
    write_edition, open_edition, tmp_path, edits
):
    cache, site = ExportCache(tmp_path / "cache", "source"), tmp_path / "site"
    write_changes(open_edition(write_edition(edits={"index": ("one",)})), site, cache)
    edition = open_edition(write_edition(edits={"index": edits}, name="later"))
    write_changes(edition, tmp_path / "other", cache)  # linked from another folder
    write_folder(edition, tmp_path / "fresh")
    assert contents(tmp_path / "other") == contents(tmp_path / "fresh")


@pytest.mark.parametrize(
    "change",
    [
        {"description": "Another description"},
        {"pages": ("index", "guides/start", "guides/index", "api/users", "hidden", "added")},
        {"pages": ("guides/start", "index", "guides/index", "api/users", "hidden")},
        {"pages": ("index", "guides/start", "guides/index")},
        {"files": {"images/logo.svg": b"<svg/>"}},
    ],
)
def test_a_change_of_the_site_gives_the_folder_of_a_fresh_export(
    write_edition, open_edition, tmp_path, change
):
    cache, site = ExportCache(tmp_path / "cache", "source"), tmp_path / "site"
    write_changes(open_edition(write_edition()), site, cache)
    edition = open_edition(write_edition(name="later", **change))
    write_changes(edition, site, cache)
    write_folder(edition, tmp_path / "fresh")
    assert contents(site) == contents(tmp_path / "fresh")


def test_the_search_index_is_not_joined_again_when_settings_change(
    write_edition, open_edition, tmp_path, monkeypatch
):
    cache, site = ExportCache(tmp_path / "cache", "source"), tmp_path / "site"
    write_changes(open_edition(write_edition()), site, cache)
    edition = open_edition(write_edition(name="later", description="Another description"))
    write_folder(edition, tmp_path / "fresh")
    monkeypatch.setattr(SearchBundle, "add", lambda *_: pytest.fail("joined again"))
    write_changes(edition, site, cache)
    assert contents(site) == contents(tmp_path / "fresh")


def test_after_an_edit_files_of_the_frame_are_not_rendered_again(
    write_edition, open_edition, tmp_path, monkeypatch
):
    cache, site = ExportCache(tmp_path / "cache", "source"), tmp_path / "site"
    write_changes(open_edition(write_edition()), site, cache)
    edition = open_edition(write_edition(edits={"index": ("one",)}, name="later"))
    write_folder(edition, tmp_path / "fresh")
    for name in ("assets", "not_found"):
        monkeypatch.setattr(PageShell, name, lambda *_: pytest.fail("rendered again"))
    later = ExportCache(tmp_path / "cache", "source")  # as in another process
    write_changes(edition, site, later)
    assert contents(site) == contents(tmp_path / "fresh")


def test_a_folder_that_was_changed_by_others_is_written_again(
    write_edition, open_edition, tmp_path
):
    cache, site = ExportCache(tmp_path / "cache", "source"), tmp_path / "site"
    edition = open_edition(write_edition())
    write_changes(edition, site, cache)
    (site / "guides" / "start.html").write_text("spoilt")
    assert cache.previous_folder() is None
    write_changes(edition, site, cache)
    assert "spoilt" not in (site / "guides" / "start.html").read_text()


@pytest.mark.parametrize("state", ["empty", "export"])
def test_an_empty_folder_and_an_earlier_export_are_replaced(edition, tmp_path, state):
    target = tmp_path / "site"
    if state == "export":
        write_folder(edition, target)
        (target / "left-over.html").write_text("of a page that is gone")
    else:
        target.mkdir()
    write_folder(edition, target)
    assert (target / "index.html").exists()
    assert not (target / "left-over.html").exists()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".site")]


def test_a_folder_with_anything_else_is_left_unchanged(edition, tmp_path):
    target = tmp_path / "site"
    target.mkdir()
    (target / "thesis.txt").write_text("precious")
    with pytest.raises(Conflict, match="not empty"):
        write_folder(edition, target)
    assert [path.name for path in target.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("kind", ["file", "link"])
def test_what_is_no_folder_is_left_unchanged(edition, tmp_path, kind):
    target = tmp_path / "site"
    if kind == "file":
        target.write_text("precious")
    else:
        (tmp_path / "elsewhere").mkdir()
        target.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Conflict, match="not a folder"):
        write_folder(edition, target)


def test_a_failure_leaves_the_earlier_export_and_nothing_else(
    write_edition, open_edition, tmp_path
):
    target = tmp_path / "site"
    write_folder(open_edition(write_edition()), target)
    before = sorted(target.rglob("*"))
    broken = open_edition(write_edition(name="other.sqlite"))
    (tmp_path / "repository" / "images" / "logo.svg").unlink()
    with pytest.raises((DocsteadError, FileNotFoundError)):
        write_folder(broken, target)
    assert sorted(target.rglob("*")) == before
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".site")]


def test_the_chrome_of_the_last_pages_is_rendered_ahead(edition, tmp_path):
    cache, site = ExportCache(tmp_path / "cache", "source"), tmp_path / "site"
    cache.prepare(edition, ExportOptions(), site)
    assert cache.chrome is None  # there is no folder
    write_changes(edition, site, cache)
    later = ExportCache(tmp_path / "cache", "source")  # as in another process
    later.prepare(edition, ExportOptions(), site)
    (site / "index.html").unlink()
    assert later.previous_folder() is not None  # read before
    assert later.previous_folder() is None
    assert later.chrome is not None
    later.discard()
    for chrome in (later.chrome, None):
        again = StaticSite(edition, ExportOptions(), chrome=chrome)
        assert (again.chrome is later.chrome) == (chrome is not None)


def hidden(folder):
    return [path for path in folder.iterdir() if path.name.startswith(".site")]


@pytest.mark.parametrize("edits", [{}, {"index": ("one",)}])
def test_files_are_linked_ahead(write_edition, open_edition, tmp_path, edits):
    cache, site = ExportCache(tmp_path / "cache", "source"), tmp_path / "site"
    first = open_edition(write_edition())
    write_changes(first, site, cache)
    before = inodes(site)
    edition = open_edition(write_edition(edits=edits, name="later"))
    write_folder(edition, tmp_path / "fresh")
    later = ExportCache(tmp_path / "cache", "source")  # as in another process
    later.prepare(first, ExportOptions(), site)
    (ahead,) = hidden(tmp_path)
    known = {path: node for path, node in before.items() if not path.startswith("_docs/search")}
    del known[MANIFEST]
    assert inodes(ahead) == known
    write_changes(edition, site, later)
    later.discard()
    assert contents(site) == contents(tmp_path / "fresh")
    written = {path for path, node in inodes(site).items() if before.get(path) != node}
    assert written >= {f"{slug}.html" for slug in edits}
    assert hidden(tmp_path) == []


def test_links_to_files_that_are_gone_are_removed(write_edition, open_edition, tmp_path):
    cache, site = ExportCache(tmp_path / "cache", "source"), tmp_path / "site"
    first = open_edition(write_edition())
    write_changes(first, site, cache)
    cache.prepare(first, ExportOptions(), site)
    options = ExportOptions(slugs=("index",))
    with WriterProcesses() as writers, cache.results() as results:
        previous = cache.previous_folder()
        folder.write_folder(first, site, writers, options, previous=previous, results=results)
    with WriterProcesses() as writers:
        folder.write_folder(first, tmp_path / "fresh", writers, options)
    assert contents(site) == contents(tmp_path / "fresh")
    assert folders(site) == folders(tmp_path / "fresh")
    assert hidden(tmp_path) == []


def folders(root):
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_dir()}


def test_links_that_are_not_used_are_discarded(write_edition, open_edition, tmp_path, monkeypatch):
    cache, site = ExportCache(tmp_path / "cache", "source"), tmp_path / "site"
    edition = open_edition(write_edition())
    write_changes(edition, site, cache)
    cache.prepare(edition, ExportOptions(), site)
    assert hidden(tmp_path)
    cache.discard()
    assert hidden(tmp_path) == []
    cache.prepare(edition, ExportOptions(), site)
    monkeypatch.setattr(folder, "FEW_FILES", 0)
    write_changes(edition, site, cache)  # everything
    assert hidden(tmp_path) == []
