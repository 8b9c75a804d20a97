"""Exports that copy from the last bundle, compared with exports from scratch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from docstead.export.files import StaticSite
from docstead.export.records import Export, ExportStatus
from docstead.export.work import BATCH_PAGES

MANY = ("index", *(f"guides/page-{number:03}" for number in range(3 * BATCH_PAGES)), "hidden")
EDITED = "guides/page-007"
HOST = "docs.acme.example"


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Slugs of pages that were rendered into their frames."""
    slugs: list[str] = []
    page_files = StaticSite.page_files

    def recorded(site: StaticSite, requested: Any) -> Any:
        requested = tuple(requested)
        slugs.extend(requested)
        return page_files(site, requested)

    monkeypatch.setattr(StaticSite, "page_files", recorded)
    return slugs


@pytest.fixture
def run(world, jobs, acme) -> Callable[..., Export]:
    exports = world.exports()
    exports.register(jobs)
    jobs.launch()

    def run(**options: Any) -> Export:
        started = exports.start(acme.organization_id, HOST, **options)
        assert jobs.wait(started.id, 120)
        done = exports.get(acme.organization_id, started.id)
        assert done.status is ExportStatus.COMPLETED, done.error
        assert (done.progress, done.page_count) == (100, len(done.paths or MANY))
        return done

    return run


def bundle(world, export: Export) -> bytes:
    return world.backend.objects.get(export.object_key)


def delete_next(world) -> None:
    """Delete what exports keep for the next one, which then begins from scratch."""
    for key in list(world.backend.objects.keys("exports")):
        if "/next/" in key:
            world.backend.objects.delete(key)


def edit(number: int) -> dict[str, tuple[str, ...]]:
    return {EDITED: (f"edit {number}",)}


@pytest.mark.parametrize(
    ("change", "is_all"),
    [
        pytest.param({"edits": edit(2)}, False, id="a page"),
        pytest.param({"edits": {}}, False, id="a section less"),
        pytest.param({"edits": edit(2), "files": {"empty.txt": b"1"}}, False, id="a file, too"),
        pytest.param({"edits": edit(2), "redirects": ()}, True, id="the settings"),
    ],
)
def test_the_next_export_writes_what_changed(world, run, republish, written, change, *, is_all):
    republish(MANY, edits=edit(1), files={"empty.txt": b""})
    run()
    republish(MANY, **{"files": {"empty.txt": b""}, **change})
    written.clear()
    copied = run(version="2")
    assert sorted(written) == (sorted(MANY) if is_all else [EDITED])
    delete_next(world)
    assert bundle(world, copied) == bundle(world, run(version="2"))


@pytest.mark.parametrize("lost", ["bundle.tar.gz", "next/index", "next/results.sqlite"])
@pytest.mark.parametrize("content", [None, b"garbage"])
def test_what_is_damaged_or_gone_is_written_again(world, run, republish, lost, content):
    republish(MANY, edits=edit(1))
    first = run()
    expected = bundle(world, first)
    key = f"exports/{first.id}/{lost}"
    if content is None:
        world.backend.objects.delete(key)
    else:
        world.backend.objects.put(key, content)
    assert bundle(world, run()) == expected


def test_other_code_copies_nothing(world, run, republish, written, monkeypatch):
    republish(MANY)
    run()
    monkeypatch.setattr("docstead.export.previous_bundle.export_code", lambda *_: "other")
    written.clear()
    run()
    assert sorted(written) == sorted(MANY)


def test_an_export_of_chosen_pages_leaves_the_next_of_all_pages_fast(run, republish, written):
    republish(MANY)
    run()
    run(paths=["index"])
    written.clear()
    run()
    assert written == []
