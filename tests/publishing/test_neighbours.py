"""One project is published; the updates, editions and vectors of others stay as they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from docstead.accounts.tenancy import Deployment
from docstead.base.errors import Conflict, NotFound
from docstead.markup.rendered import RenderedPage
from docstead.publishing.edition_file import EditionFile, EditionWriter
from docstead.publishing.edition_format import DamagedEditionError, StoredAsset
from docstead.publishing.editions import EditionStore
from docstead.publishing.retention import Retention
from docstead.publishing.targets import PublishTarget, apply_target
from docstead.publishing.update_records import UpdateRecords, UpdateStatus, is_overtaken
from docstead.publishing.update_reports import UpdateReport, UpdateReports
from docstead.publishing.vector_cache import VectorCache, find_key
from docstead.storage.schema import edition_assets, editions, projects, updates
from handmade_sites import HandmadeSites, site
from manual_clock import ManualClock
from neighbours import neighbours
from tenancy_changes import set_current_edition


@pytest.fixture
def sites(sqlite_backend, clock: ManualClock, tmp_path) -> HandmadeSites:
    return HandmadeSites(sqlite_backend.database, sqlite_backend.objects, tmp_path, clock)


@pytest.fixture
def acme(sites: HandmadeSites) -> Deployment:
    return sites.deployment("acme", "docs.acme.example")


@pytest.fixture
def records(sqlite_backend, clock: ManualClock) -> UpdateRecords:
    return UpdateRecords(sqlite_backend.database, clock)


@pytest.fixture
def publish(sites: HandmadeSites, acme: Deployment, clock: ManualClock) -> Callable[[str], str]:
    def publish_page(page: str) -> str:
        clock.move_to(clock.now() + timedelta(minutes=1))
        files = {f"{page}.txt": (page.encode(), "text/plain")}
        return sites.publish(acme, ("index", page), files=files)

    return publish_page


def _organization(sites: HandmadeSites, deployment: Deployment) -> str:
    return sites.tenancy.project(deployment.project_id).organization_id


# --- updates --------------------------------------------------------------------


@pytest.mark.parametrize("before", [UpdateStatus.QUEUED, UpdateStatus.IN_PROGRESS])
def test_one_update_moves(records, acme, sqlite_backend, before: UpdateStatus) -> None:
    created = records.create(acme.project_id, "api")
    if before is UpdateStatus.IN_PROGRESS:
        records.advance(created.id, before)
    with neighbours(sqlite_backend.database, [updates]):
        records.advance(created.id, UpdateStatus.FAILURE)
        with pytest.raises(Conflict):
            records.advance(created.id, UpdateStatus.IN_PROGRESS)
    assert records.get(created.id).status is UpdateStatus.FAILURE


def test_one_update_is_noted(records, acme, sqlite_backend) -> None:
    created = records.create(acme.project_id, "api")
    with neighbours(sqlite_backend.database, [updates]):
        records.note(created.id, ["Reading"], {"sha": "c0ffee"})
    assert records.get(created.id).logs == ("Reading",)


def test_each_update_is_itself(records, sites, acme, sqlite_backend) -> None:
    created = records.create(acme.project_id, "api")
    organization_id = _organization(sites, acme)
    with neighbours(sqlite_backend.database, [updates, projects]) as copies:
        for each in (copies.siblings[created.id], created.id):
            assert records.get(each).id == each
            assert records.get(each, organization_id=organization_id).id == each
        with pytest.raises(NotFound):
            records.get(copies.foreign[created.id], organization_id=organization_id)
        assert records.of_project(copies.siblings[acme.project_id], 9) == []
        assert len(records.of_project(acme.project_id, 9)) == 2


def test_updates_are_listed_by_state(records, acme) -> None:
    waiting, running = (records.create(acme.project_id, "api") for _ in range(2))
    records.advance(running.id, UpdateStatus.IN_PROGRESS)
    assert [each.id for each in records.in_state(UpdateStatus.QUEUED)] == [waiting.id]
    assert [each.id for each in records.in_state(UpdateStatus.IN_PROGRESS)] == [running.id]


def test_unfinished_updates_are_those_of_one_project(records, sites, acme) -> None:
    other, idle = (sites.deployment(name, f"{name}.example.com") for name in ("other", "idle"))
    mine, _, ended = (records.create(each.project_id, "api") for each in (acme, other, idle))
    records.advance(ended.id, UpdateStatus.FAILURE)
    assert [each.id for each in records.unfinished(acme.project_id)] == [mine.id]
    of_organization = records.unfinished_of_organization(_organization(sites, acme))
    assert [each.id for each in of_organization] == [mine.id]
    busy = {_organization(sites, each) for each in (acme, other)}
    assert set(records.unfinished_organizations()) == busy


def test_pages_are_those_of_the_newest_edition_of_one_project(records, sites, acme, clock) -> None:
    sites.publish(acme, ("index",))
    clock.move_to(clock.now() + timedelta(minutes=1))
    sites.publish(sites.deployment("other", "other.example.com"), ("index", "more"))
    assert records.page_count(acme.project_id) == 1


def test_each_report_is_that_of_its_update(records, acme, sqlite_backend) -> None:
    reports = UpdateReports(sqlite_backend.database)
    created = [records.create(acme.project_id, "api").id for _ in range(6)]

    def store(pages: int) -> None:
        report = UpdateReport(pages, 0, (), 1.0, 1)
        reports.store(created[pages - 1], acme.project_id, report)

    for pages in range(1, 6):
        store(pages)
    with neighbours(sqlite_backend.database):
        store(6)
    assert [reports.get(each).total for each in created] == [1, 2, 3, 4, 5, 6]


def test_the_oldest_reports_of_one_project_go(records, acme, sqlite_backend) -> None:
    reports = UpdateReports(sqlite_backend.database)
    created = [records.create(acme.project_id, "api").id for _ in range(12)]
    with neighbours(sqlite_backend.database):
        for each in created:
            reports.store(each, acme.project_id, UpdateReport(1, 0, (), 1.0, 1))
    assert [reports.get(each).total for each in created] == [0, 0, *[1] * 10]


def test_the_source_of_one_project_is_replaced(sites, acme, sqlite_backend, clock) -> None:
    database = sqlite_backend.database
    with neighbours(database, [projects]), database.transaction() as connection:
        apply_target(connection, PublishTarget("/new"), acme.project_id, "ed", clock.now())
    assert sites.tenancy.project(acme.project_id).source == "/new"


def test_projects_whose_first_update_failed_long_ago(records, sites, acme, clock) -> None:
    """Only those that no deployment shows, and whose update named its own source."""

    def fail(project_id: str, target: PublishTarget | None) -> str:
        created = records.create(project_id, "api", target)
        records.advance(created.id, UpdateStatus.FAILURE, ended_at=clock.now())
        return project_id

    tenancy, organization_id = sites.tenancy, _organization(sites, acme)
    names = ("failed", "old-source", "waiting", "published", "young")
    failed, old_source, waiting, published, young = (
        tenancy.create_project(organization_id, name, "/nowhere").id for name in names
    )
    new = PublishTarget("/new")
    for project_id, target in ((failed, new), (acme.project_id, new), (old_source, None)):
        fail(project_id, target)
    records.create(waiting, "api", new)
    once = records.create(published, "api", new)  # its deployment was removed
    records.advance(once.id, UpdateStatus.IN_PROGRESS)
    records.advance(once.id, UpdateStatus.SUCCESS, ended_at=clock.now())
    clock.move_to(clock.now() + timedelta(days=2))
    fail(young, new)
    assert records.failed_before(clock.now() - timedelta(days=1)) == [failed]


def test_updates_are_numbered_by_project(records, sites, acme, sqlite_backend) -> None:
    other = sites.deployment("other", "docs.other.example")
    for _ in range(3):
        records.create(other.project_id, "api")
    assert [records.create(acme.project_id, "api").sequence for _ in range(2)] == [1, 2]


def test_an_update_is_overtaken_by_a_later_success_of_its_project(
    records, sites, acme, sqlite_backend
) -> None:
    def is_late(requested: Any) -> bool:
        with sqlite_backend.database.reading() as connection:
            return is_overtaken(connection, requested)

    def succeed(update_id: str) -> None:
        records.advance(update_id, UpdateStatus.IN_PROGRESS)
        records.advance(update_id, UpdateStatus.SUCCESS)

    other = sites.deployment("other", "docs.other.example")
    for _ in range(3):
        succeed(records.create(other.project_id, "api").id)
    first, second, third = (records.create(acme.project_id, "api") for _ in range(3))
    succeed(first.id)
    assert not is_late(second)  # the first came before, the third has not succeeded
    succeed(third.id)
    assert is_late(second)
    assert not is_late(third)


# --- editions -------------------------------------------------------------------


def test_each_deployment_has_its_own_edition(sites, acme, sqlite_backend, tmp_path) -> None:
    second = sites.deployment("second", "docs.second.example")
    shown = {each: sites.publish(each, ("index", each.domain)) for each in (acme, second)}
    opened = EditionStore(
        sqlite_backend.database, sqlite_backend.objects, tmp_path / "more", fresh_seconds=0
    )
    with neighbours(sqlite_backend.database):
        for each in (second, acme):
            assert opened.current_id(each.id) == shown[each]
            edition = opened.open(shown[each])
            assert edition.slugs() == ("index", each.domain)
        with pytest.raises(NotFound):
            opened.open("ed_unknown")


def test_a_damaged_edition_names_its_own_deployment(sites, acme, sqlite_backend, tmp_path) -> None:
    database, objects = sqlite_backend.database, sqlite_backend.objects
    sites.publish(sites.deployment("second", "second.example.com"), ("index",))
    edition_id = sites.publish(acme, ("index",))
    with database.reading() as connection:
        stored = select(editions.c.object_key).where(editions.c.id == edition_id)
        objects.put(connection.execute(stored).scalar_one(), b"damaged")
    opened = EditionStore(database, objects, tmp_path / "more", fresh_seconds=0)
    with pytest.raises(DamagedEditionError, match=rf"^edition {edition_id} of acme is damaged"):
        opened.open(edition_id)


def test_old_editions_of_one_project_go(sites, acme, publish, sqlite_backend) -> None:
    ids = [publish(f"page-{number}") for number in range(4)]
    retention = Retention(
        sqlite_backend.database,
        sqlite_backend.objects,
        sites.editions,
        sites.clock,
        kept=2,
        in_use=set,
    )
    retention.mark_unused()  # lists the assets of all editions
    with neighbours(sqlite_backend.database, [projects]):
        assert set(retention.sweep(acme.project_id).editions) == set(ids[:2])
    with sqlite_backend.database.reading() as connection:
        listed = set(connection.scalars(select(edition_assets.c.edition_id)))
    assert listed.isdisjoint(ids[:2])
    assert listed >= set(ids[2:])


def test_what_becomes_current_meanwhile_stays(sites, acme, publish, sqlite_backend) -> None:
    ids = [publish(f"page-{number}") for number in range(4)]

    def back_to_the_first() -> set[str]:
        set_current_edition(sites.tenancy, acme.project_id, ids[0])
        return set()

    retention = Retention(
        sqlite_backend.database,
        sqlite_backend.objects,
        sites.editions,
        sites.clock,
        kept=2,
        in_use=back_to_the_first,
    )
    assert set(retention.sweep(acme.project_id).editions) == {ids[1]}


def test_assets_of_older_editions_are_listed_once_each(
    sites, publish, sqlite_backend, tmp_path
) -> None:
    """Two nodes that list them at the same time."""
    ids = [publish(f"page-{number}") for number in range(2)]
    database, objects = sqlite_backend.database, sqlite_backend.objects
    there = Retention(database, objects, sites.editions, sites.clock, kept=2, in_use=set)

    class ConcurrentUpdates(EditionStore):
        def open(self, edition_id: str) -> Any:
            there.mark_unused()
            return super().open(edition_id)

    opened = ConcurrentUpdates(database, objects, tmp_path / "here", fresh_seconds=0)
    Retention(database, objects, opened, sites.clock, kept=2, in_use=set).mark_unused()
    with database.reading() as connection:
        assert set(connection.scalars(select(edition_assets.c.edition_id))) == set(ids)


def test_each_page_of_an_edition_is_itself(tmp_path) -> None:
    writer = EditionWriter(tmp_path / "edition")
    for slug in ("a", "b", "c"):
        page = RenderedPage(slug, f"<p>{slug}</p>", (), (), failed=slug == "b")
        writer.add_page(page, f"key of {slug}")
    for name, digit in (("x", "1"), ("y", "2")):
        writer.add_assets([StoredAsset(name, digit * 64, 1, "text/plain")])
    writer.close(commit="c0ffee", site=site(("a", "b", "c")), diagnostics=())
    file = EditionFile(tmp_path / "edition")
    assert file.failed_pages() == {"b"}
    assert {each.slug for each in file.stored_pages(["c", "a"])} == {"a", "c"}
    for slug in ("c", "b", "a"):
        assert file.page(slug).slug == slug
        (stored,) = file.stored_pages([slug])
        assert (stored.slug, stored.key) == (slug, f"key of {slug}")
    for name in ("y", "x"):
        assert file.asset(name).path == name
    assert file.asset("z") is None


# --- vectors --------------------------------------------------------------------


def _keep_vectors(database: Any, edition_id: str, sequence: int) -> str:
    key = f"vectors/letters/{edition_id}.vec"
    changing = update(editions).where(editions.c.id == edition_id)
    with database.transaction() as connection:
        connection.execute(changing.values(vectors_key=key, sequence=sequence))
    return key


def test_vectors_are_found_by_edition_project_and_space(publish, acme, sites, sqlite_backend):
    database = sqlite_backend.database
    other = sites.publish(sites.deployment("other", "docs.other.example"), ("index",))
    first, second = publish("a"), publish("b")
    third = publish("c")
    assert find_key(database, first, "letters") is None
    _keep_vectors(database, other, 9)
    assert find_key(database, first, "letters") is None
    key_of_first = _keep_vectors(database, first, 1)
    key_of_second = _keep_vectors(database, second, 2)
    assert find_key(database, first, "letters") == key_of_first
    assert find_key(database, third, "letters") == key_of_second
    assert find_key(database, third, "words") is None


@dataclass(frozen=True)
class Letters:
    """A space of vectors in which nobody searches."""

    space = "letters"

    def begin(self, query: str, then: Callable[[Any], Any]) -> Callable[[], Any]:
        raise AssertionError("nothing is searched")


def test_a_missing_object_is_forgotten_by_its_own_edition(
    publish, sites, sqlite_backend, tmp_path
) -> None:
    database = sqlite_backend.database
    other = sites.publish(sites.deployment("other", "docs.other.example"), ("index",))
    key_of_other = _keep_vectors(database, other, 1)
    edition_id = publish("a")
    _keep_vectors(database, edition_id, 1)
    vectors = VectorCache(database, sqlite_backend.objects, tmp_path / "vectors", Letters())
    vectors.supply(sites.editions.open(edition_id))
    assert find_key(database, edition_id, "letters") is None
    assert find_key(database, other, "letters") == key_of_other
