"""Editions opened from the objects: kept open, found by deployment, forgotten in turn."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import pytest

from docstead.base.errors import NotFound
from docstead.publishing.editions import EditionStore
from handmade_sites import HandmadeSites


@dataclass
class Ticking:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def sites(backend, clock, tmp_path) -> HandmadeSites:
    return HandmadeSites(backend.database, backend.objects, tmp_path, clock)


@pytest.fixture
def new_editions(backend, tmp_path):
    count = iter(range(10))

    def make(**options) -> EditionStore:
        return EditionStore(
            backend.database, backend.objects, tmp_path / f"cache-{next(count)}", **options
        )

    return make


def test_nothing_before_the_first_publish(sites, new_editions):
    assert new_editions().current(sites.deployment("acme", "docs.acme.example")) is None


def test_the_current_edition_is_asked_for_once_in_a_while(sites, new_editions):
    clock = Ticking()
    editions = new_editions(fresh_seconds=0.5, monotonic=clock)
    acme = sites.deployment("acme", "docs.acme.example")
    first = sites.publish(acme, ("index",))
    assert editions.current(acme).id == first
    second = sites.publish(acme, ("index", "new"))
    clock.now = 0.4
    assert editions.current(acme).id == first
    clock.now = 0.5
    assert editions.current(acme).id == second


def test_an_edition_is_opened_once(sites, new_editions):
    editions = new_editions()
    edition_id = sites.publish(sites.deployment("acme", "docs.acme.example"), ("index",))
    opened = []
    threads = [
        threading.Thread(target=lambda: opened.append(editions.open(edition_id))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 8
    assert len({id(edition) for edition in opened}) == 1


def test_an_edition_survives_in_the_cache_of_this_machine(sites, new_editions, backend, tmp_path):
    edition_id = sites.publish(sites.deployment("acme", "docs.acme.example"), ("index",))
    cache = tmp_path / "kept"
    EditionStore(backend.database, backend.objects, cache).open(edition_id)
    backend.objects.delete(f"editions/{edition_id}.sqlite")
    assert EditionStore(backend.database, backend.objects, cache).open(edition_id).slugs() == (
        "index",
    )


def test_the_least_used_is_forgotten_but_stays_readable(sites, new_editions, tmp_path):
    editions = new_editions(kept_open=2)
    acme = sites.deployment("acme", "docs.acme.example")
    ids = [sites.publish(acme, ("index", f"page-{number}")) for number in range(3)]
    first = editions.open(ids[0])
    second = editions.open(ids[1])
    assert editions.open(ids[0]) is first
    editions.open(ids[2])
    assert editions.open(ids[0]) is first
    assert len(list((tmp_path / "cache-0").glob("*.sqlite"))) == 2
    assert second.page("page-1") is not None  # an answer that is under way is finished
    assert editions.open(ids[1]) is not second


def test_an_edition_that_nobody_knows(new_editions):
    with pytest.raises(NotFound):
        new_editions().open("ed_0000000000000000")


def test_whoever_changed_the_current_edition_need_not_wait(sites, new_editions):
    editions = new_editions(monotonic=Ticking())
    acme = sites.deployment("acme", "docs.acme.example")
    first = sites.publish(acme, ("index",))
    assert editions.current(acme).id == first
    second = sites.publish(acme, ("index", "new"))
    assert editions.current(acme).id == first
    editions.refresh()
    assert editions.current(acme).id == second


def test_an_edition_that_was_replaced_keeps_no_site_in_memory(sites, new_editions):
    editions = new_editions(fresh_seconds=0)
    acme, other = (sites.deployment(name, f"docs.{name}.example") for name in ("acme", "other"))
    first, beside = sites.publish(acme, ("index",)), sites.publish(other, ("index",))
    replaced, kept = editions.current(acme), editions.current(other)
    sites_before = replaced.site, kept.site
    sites.publish(acme, ("index", "new"))
    editions.current(acme)
    assert editions.open(first) is replaced
    assert editions.open(beside) is kept
    assert replaced.site is not sites_before[0]  # read again
    assert replaced.site == sites_before[0]
    assert kept.site is sites_before[1]
