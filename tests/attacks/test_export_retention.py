"""Exports removed before they were fetched, and jobs that failed because of clean-up."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from docstead.accounts.tenancy import Deployment
from docstead.base.clock import SystemClock
from docstead.base.errors import Unavailable
from docstead.export.records import ExportRetention, ExportStatus
from docstead.storage.links import LinkSigner
from docstead.storage.objects import DiskObjects
from export_jobs import export_jobs
from handmade_sites import HandmadeSites
from manual_clock import ManualClock


class _Undeletable(DiskObjects):
    """A store that takes objects and gives none up, as one that goes away after the work."""

    def __init__(self, root: Path) -> None:
        super().__init__(
            root, LinkSigner(lambda: {"k1": b"x" * 32}, SystemClock()), "http://localhost"
        )

        self.is_away = True

    def delete(self, key: str) -> None:
        if self.is_away:
            raise Unavailable(f"{key} cannot be deleted")
        super().delete(key)


def test_what_was_completed_within_a_day_is_kept_whatever_the_count(
    sqlite_backend: Any, tmp_path: Path, clock: ManualClock
) -> None:
    sites = HandmadeSites(sqlite_backend.database, sqlite_backend.objects, tmp_path, clock)
    acme, neighbour = _published(sites, "acme"), _published(sites, "neighbour")
    kept = ExportRetention(1)
    with export_jobs(sqlite_backend, sites, sites.objects, clock, tmp_path, kept=kept) as world:
        others = world.finished(neighbour)
        first, _ = world.finished(acme), world.finished(acme)
        assert world.exports.bundle(acme.organization_id, first.id).size_bytes
        clock.move_to(clock.now() + timedelta(hours=25))
        third = world.finished(acme)
        assert [export.id for export in world.exports.of_deployment(acme.id)] == [third.id]
        assert world.exports.bundle(neighbour.organization_id, others.id).size_bytes


def test_a_clean_up_that_fails_leaves_the_export_completed(
    sqlite_backend: Any, tmp_path: Path, clock: ManualClock, caplog: Any
) -> None:
    objects = _Undeletable(tmp_path / "kept")
    sites = HandmadeSites(sqlite_backend.database, objects, tmp_path, clock)
    acme = _published(sites, "acme")
    kept = ExportRetention(1)
    with export_jobs(sqlite_backend, sites, objects, clock, tmp_path, kept=kept) as world:
        done = world.finished(acme)
        assert done.status is ExportStatus.COMPLETED
        assert world.exports.bundle(acme.organization_id, done.id).size_bytes
        assert any("/parts/" in key for key in objects.keys("exports"))
        objects.is_away = False
        objects.put("exports/se_gone/parts/0", b"of an export without a record")
        world.exports.remove_expired()
        names = ("bundle.tar.gz", "next/index", "next/results.sqlite")
        assert set(objects.keys("exports")) == {f"exports/{done.id}/{name}" for name in names}
    assert "nothing was cleaned up" in caplog.text
    assert "Traceback" not in caplog.text


def _published(sites: HandmadeSites, domain: str) -> Deployment:
    deployment = sites.deployment(domain, f"docs.{domain}.example")
    sites.publish(deployment, ("index",))
    return deployment
