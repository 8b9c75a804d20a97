"""Names of hosts and domains as long as a request can be, which nobody may make us keep."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from docstead.base.errors import NotFound
from docstead.hosting.site_matching import SiteMatcher
from handmade_sites import HandmadeSites

COUNT, LENGTH = 100, 60_000


@pytest.fixture
def sites(sqlite_backend: Any, tmp_path: Path, clock: Any) -> HandmadeSites:
    found = HandmadeSites(sqlite_backend.database, sqlite_backend.objects, tmp_path, clock)
    found.publish(found.deployment("docs", "docs.test"), ("index",))
    return found


@contextmanager
def nothing_kept() -> Iterator[None]:
    """Check that the block keeps less than a quarter of the names that it is given."""
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    try:
        yield
        gc.collect()  # tracebacks in cycles hold names for a while
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < COUNT * LENGTH / 4


def names() -> Iterator[str]:
    return (f"{number}{'a' * LENGTH}" for number in range(COUNT))


@pytest.mark.parametrize(
    ("host", "path"), [("service.test", "/_sites/{}/"), ("{}", "/"), ("{}", "/_sites/docs/")]
)
def test_unknown_names_are_not_remembered(sites: HandmadeSites, host: str, path: str) -> None:
    matcher = SiteMatcher(sites.tenancy, ["service.test"])
    matcher.find("service.test", "/_sites/docs/")
    with nothing_kept():
        for name in names():
            with suppress(NotFound):
                matcher.find(host.format(name), path.format(name))
