"""Exporting processes are killed for real here."""

from __future__ import annotations

import tarfile
from collections.abc import Callable

import pytest

from docstead.export.records import Export, ExportStatus
from docstead.export.work import BATCH_PAGES
from docstead.storage.objects import DiskObjects
from waiting import wait_for

BATCHES = 6
PAGES = ("index", *(f"page-{number:03}" for number in range(BATCHES * BATCH_PAGES - 1)))


@pytest.fixture
def written(tmp_path) -> Callable[[], list[str]]:
    """Names of the objects that workers wrote, in order."""
    file = tmp_path / "written"
    return lambda: [
        line.split("/", 2)[2] for line in (file.read_text().splitlines() if file.exists() else ())
    ]


@pytest.fixture
def bundle_names(tmp_path) -> Callable[[Export], set[str]]:
    """Return the names in an export's bundle."""

    def names(export: Export) -> set[str]:
        with tarfile.open(tmp_path / "objects" / export.object_key) as archive:
            return set(archive.getnames())

    return names


@pytest.fixture
def queued(world, backend, signer, write_edition, tmp_path) -> Callable[[], Export]:
    """An export of many pages, waiting at first; its objects are on disk on all backends."""
    object.__setattr__(backend, "objects", DiskObjects(tmp_path / "objects", signer, "http://x"))
    acme = world.deployment("acme")
    edition_id = world.publish(acme, write_edition(pages=PAGES), tmp_path / "repository")
    created = world.records.create(
        deployment_id=acme.id,
        organization_id=acme.organization_id,
        edition_id=edition_id,
        version=None,
        paths=None,
    )
    return lambda: world.records.get(created.id)


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param("parts/0", marks=pytest.mark.deep),
        "parts/3",
        pytest.param("bundle.tar.gz", marks=pytest.mark.deep),
    ],
)
def test_a_killed_export_goes_on_where_it_was(queued, start_worker, written, bundle_names, moment):
    first = start_worker(moment)
    wait_for(lambda: moment in written())
    first.kill()
    first.wait()
    before = written()
    interrupted = queued()
    assert interrupted.status is ExportStatus.RUNNING

    start_worker()
    wait_for(lambda: queued().status.is_final)
    done = queued()
    assert (done.status, done.page_count) == (ExportStatus.COMPLETED, len(PAGES)), done.error
    assert done.progress == 100
    assert done.page_count >= interrupted.page_count
    parts = [name for name in written() if name.startswith("parts/")]
    assert parts == [f"parts/{number}" for number in range(BATCHES)]  # none of them twice
    assert before == written()[: len(before)]
    assert {f"{slug}.html" for slug in PAGES} <= bundle_names(done)
