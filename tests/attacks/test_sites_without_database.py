"""Readers lost every page while the database was away, also those of editions on the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.base.errors import StoreUnavailable
from docstead.publishing.editions import EditionStore
from docstead.storage.database import Database
from docstead.storage.links import LinkSigner
from docstead.storage.objects import DiskObjects
from handmade_sites import HandmadeSites
from manual_clock import ManualClock


class _Ticking:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_sites_are_shown_for_an_hour_while_the_database_is_away(
    tmp_path: Path, sqlite_template: Path, signer: LinkSigner, clock: ManualClock
) -> None:
    file = tmp_path / "docstead.db"
    file.write_bytes(sqlite_template.read_bytes())
    database = Database(f"sqlite:///{file}")
    objects = DiskObjects(tmp_path / "objects", signer, "http://localhost")
    sites = HandmadeSites(database, objects, tmp_path, clock)
    acme, unseen = (sites.deployment(name, f"{name}.example") for name in ("acme", "unseen"))
    first = sites.publish(acme, ("index",))
    ticking = _Ticking()
    editions = EditionStore(database, objects, tmp_path / "copies", monotonic=ticking)
    assert editions.current(acme) is not None
    database.close()
    away = file.rename(tmp_path / "away.db")
    file.mkdir()
    ticking.now = 3599.0
    shown = editions.current(acme)
    assert shown is not None
    assert shown.id == first
    assert shown.page("index") is not None
    with pytest.raises(StoreUnavailable):
        editions.current(unseen)
    ticking.now = 3601.0
    with pytest.raises(StoreUnavailable):
        editions.current(acme)
    file.rmdir()
    away.rename(file)
    second = sites.publish(acme, ("index", "new"))
    shown = editions.current(acme)
    assert shown is not None
    assert shown.id == second
    database.close()
