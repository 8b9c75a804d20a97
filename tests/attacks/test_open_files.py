"""Files of old editions and indexes stayed open until the collector happened to run."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docstead.base.errors import Unavailable
from docstead.hosting.edition_sites import EditionSites
from docstead.hosting.options import SiteOptions
from docstead.hosting.site_matching import SiteMatch
from docstead.publishing.edition import Edition
from docstead.publishing.retention import Retention
from handmade_sites import HandmadeSites
from manual_clock import ManualClock

_EDITIONS = 12
_MOST_DELETED = 5


@pytest.fixture
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("without_collector")
def test_files_of_old_editions_are_closed_without_the_collector(
    sqlite_backend: Any, tmp_path: Path, clock: ManualClock
) -> None:
    sites = HandmadeSites(sqlite_backend.database, sqlite_backend.objects, tmp_path, clock)
    acme = sites.deployment("acme", "docs.acme.example")
    shown = EditionSites(sites.editions, SiteOptions(lambda _: "https://x.y"), 10**6)
    retention = Retention(sites.database, sites.objects, sites.editions, clock, kept=2, in_use=set)
    for number in range(_EDITIONS):
        sites.publish(acme, ("index", f"page-{number}"))
        _search(sites.editions.current(acme))
        site = shown.current(SiteMatch(acme, "", "/", own_host=True))
        assert site is not None
        site.at("/")
        retention.sweep(acme.project_id)
    assert len(_deleted_and_open(tmp_path)) <= _MOST_DELETED


def _search(edition: Edition | None) -> None:
    """Search in an index that is made first, in the background."""
    assert edition is not None
    while True:
        try:
            assert edition.index.search("text", limit=3)
        except Unavailable:
            os.sched_yield()
        else:
            return


def _deleted_and_open(folder: Path) -> set[str]:
    """Files below the folder that this process holds or maps though they are deleted."""
    held = {str(path.readlink()) for path in Path("/proc/self/fd").iterdir() if path.is_symlink()}
    lines = Path("/proc/self/maps").read_text().splitlines()
    mapped = {line.split(maxsplit=5)[5] for line in lines if "/" in line}
    return {name for name in held | mapped if str(folder) in name and "(deleted)" in name}
