"""The bytes that an organization stores, and its limit."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, text

from builds import publisher_in
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.base.ids import new_id
from docstead.base.units import MIB
from docstead.export.records import ExportRecords, ExportStatus
from docstead.publishing.archive_sources import ArchiveSources, archive_location
from docstead.publishing.edition_format import StoredAsset
from docstead.publishing.editions import EditionStore
from docstead.publishing.source_limits import SourceLimits
from docstead.publishing.storage_quota import StorageFull, StorageQuota
from docstead.publishing.targets import PublishTarget
from docstead.publishing.update_records import UpdateRecords, UpdateStatus
from docstead.publishing.updates import UpdateService
from docstead.storage.schema import edition_assets, editions
from manual_clock import ManualClock
from neighbours import neighbours

LIMIT = 10 * MIB
CONFIG = {"name": "Acme", "theme": "mint", "colors": {"primary": "#123456"},
          "navigation": {"pages": ["index"]}}  # fmt: skip
FILES = {"docs.json": json.dumps(CONFIG), "index.mdx": "# Home\n"}


class StorageWorld:
    def __init__(self, backend, clock: ManualClock, folder: Path) -> None:
        self.database, self.objects, self.clock = backend.database, backend.objects, clock
        self.folder = folder
        self.tenancy = Tenancy(self.database, clock)
        self.organization = self.tenancy.create_organization("Acme").id
        self.sites = [self.site(name) for name in ("docs", "help")]
        self.updates = UpdateRecords(self.database, clock)
        self.archives = ArchiveSources(self.objects, folder / "archives", SourceLimits())

    def site(
        self, name: str, source: str = "/nowhere", organization: str | None = None
    ) -> Deployment:
        owner = organization or self.organization
        project = self.tenancy.create_project(owner, name, source)
        return self.tenancy.create_deployment(project.id, name, f"{name}.example")

    def quota(self, limit: int = LIMIT) -> StorageQuota:
        return StorageQuota(self.database, self.objects, limit)

    def stored(self, quota: StorageQuota | None = None) -> int:
        with self.database.reading() as connection:
            return (quota or self.quota()).stored_bytes(connection, self.organization)

    def edition(self, site: Deployment, size: int | None, **assets: int | None) -> str:
        """Record an edition with a file of so many bytes, and assets by digest."""
        edition_id = new_id("ed")
        row = {
            "id": edition_id, "project_id": site.project_id, "commit": "c", "object_key": "k",
            "page_count": 1, "rendered_count": 0, "failed_count": 0,
            "created_at": self.clock.now(), "size_bytes": size,
            "assets_bytes": None if size is None else sum(each or 0 for each in assets.values()),
        }  # fmt: skip
        listed = [
            {"edition_id": edition_id, "sha256": digest, "size_bytes": each}
            for digest, each in assets.items()
        ]
        with self.database.transaction() as connection:
            connection.execute(insert(editions), row)
            if listed:
                connection.execute(insert(edition_assets), listed)
        return edition_id

    def bundle(self, site: Deployment, size: int) -> None:
        records = ExportRecords(self.database, self.clock)
        created = records.create(
            deployment_id=site.id, organization_id=site.organization_id, edition_id="ed",
            version=None, paths=None,
        )  # fmt: skip
        records.advance(created.id, ExportStatus.RUNNING)
        records.advance(created.id, ExportStatus.COMPLETED, size_bytes=size)

    def send_archives(self, organization: str) -> None:
        """An archive that is a project's source, and one that an update waits to read."""
        own, waiting = (self.archive(name, size) for name, size in (("a", 6), ("b", 80)))
        project_id = self.site("others", archive_location(own), organization).project_id
        for path in (own, waiting):
            self.archives.store(project_id, path)
        self.updates.create(project_id, "api", PublishTarget(archive_location(waiting)))

    def archive(self, name: str, size: int) -> Path:
        path = self.folder / name
        path.write_bytes(name[:1].encode() * size)
        return path


@pytest.fixture
def world(backend, clock: ManualClock, tmp_path: Path) -> StorageWorld:
    return StorageWorld(backend, clock, tmp_path)


def asset(digest: str, size: int) -> StoredAsset:
    return StoredAsset(f"{digest}.svg", digest, size, "image/svg+xml")


def test_an_organization_stores_each_file_once(world: StorageWorld) -> None:
    docs, other = world.sites
    world.edition(docs, 100, a=10, b=20)
    world.edition(docs, 200, a=10, c=40)
    world.edition(other, 400, a=10)
    world.bundle(docs, 1_000)
    world.bundle(other, 2_000)
    with neighbours(world.database):
        assert world.stored() == 100 + 200 + 400 + 10 + 20 + 40 + 1_000 + 2_000


def test_the_limit_is_reached_exactly(world: StorageWorld) -> None:
    for site in world.sites:
        world.edition(site, 50, a=10)  # the same file
    full = world.quota(130)
    full.check(world.organization, 20)
    full.check_edition(world.organization, "ed_new", 14, [asset("b", 6)])
    with pytest.raises(StorageFull):
        full.check(world.organization, 21)
    with pytest.raises(StorageFull):
        full.check_edition(world.organization, "ed_new", 15, [asset("b", 6)])


def test_an_archive_that_is_gone_does_not_count(world: StorageWorld) -> None:
    world.site("sent", archive_location(world.archive("gone", 5)))
    assert world.stored() == 0


def test_the_size_of_an_archive_is_looked_up_once(
    world: StorageWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.send_archives(world.organization)
    quota, size, asked = world.quota(), world.objects.size, []

    def counted(key: str) -> int | None:
        asked.append(key)
        return size(key)

    monkeypatch.setattr(world.objects, "size", counted)
    assert [world.stored(quota) for _ in range(3)] == [86] * 3
    assert len(asked) == 2


def test_editions_of_older_versions_do_not_count(world: StorageWorld) -> None:
    world.edition(world.sites[0], None, a=None)
    assert world.stored() == 0
    with pytest.raises(StorageFull):
        world.quota().check_edition(world.organization, "ed_new", 1, [asset("a", LIMIT)])


def test_archives_count_while_something_needs_them(world: StorageWorld) -> None:
    own, waiting, ended = (world.archive(name, size) for name, size in
                           (("own", 5), ("waiting", 70), ("ended", 900)))  # fmt: skip
    project_id = world.site("sent", archive_location(own)).project_id
    world.archives.store(project_id, own)
    for path in (waiting, ended):
        world.archives.store(project_id, path)
        target = PublishTarget(archive_location(path))
        update = world.updates.create(project_id, "api", target)
    assert world.stored() == 5 + 70 + 900
    world.send_archives(world.tenancy.create_organization("Other").id)
    assert world.stored() == 5 + 70 + 900
    world.updates.advance(update.id, UpdateStatus.FAILURE)
    with neighbours(world.database):
        assert world.stored() == 5 + 70


@pytest.mark.parametrize(("new", "is_refused"), [(MIB, False), (MIB + 1, True)])
def test_the_limit_is_exact(world: StorageWorld, new: int, is_refused: bool) -> None:
    world.bundle(world.sites[0], 9 * MIB)
    if not is_refused:
        return world.quota().check(world.organization, new)
    said = r"stores 9 MB, needs 2 MB more and may store 10 MB.*DOCSTEAD_ORGANIZATION_BYTES"
    with pytest.raises(StorageFull, match=said):
        world.quota().check(world.organization, new)
    return None


def test_equal_files_are_no_reason_to_refuse(world: StorageWorld) -> None:
    docs = world.sites[0]
    world.edition(docs, 100, a=6 * MIB)
    world.edition(docs, 100, a=6 * MIB)
    world.quota().check(world.organization, 3 * MIB)
    world.quota().check_edition(world.organization, "ed_new", MIB, [asset("a", 6 * MIB)])
    more = [asset("a", 6 * MIB), asset("b", 3 * MIB)]
    with pytest.raises(StorageFull, match="stores 7 MB, needs 4 MB more"):
        world.quota().check_edition(world.organization, "ed_new", MIB, more)


def test_files_of_others_count_in_full(world: StorageWorld) -> None:
    world.edition(world.sites[0], 100, a=6 * MIB)
    another = world.tenancy.create_organization("Other").id
    world.edition(world.site("other", organization=another), 0)
    quota = world.quota(5 * MIB)
    with pytest.raises(StorageFull, match="stores 0 MB, needs 7 MB more"):
        quota.check_edition(another, "ed_new", 100, [asset("a", 6 * MIB)])


def test_the_same_edition_needs_nothing_more(world: StorageWorld) -> None:
    edition_id = world.edition(world.sites[0], 100, a=6 * MIB)
    world.edition(world.sites[0], 5 * MIB)
    world.quota(MIB).check_edition(world.organization, edition_id, 100, [asset("a", 6 * MIB)])
    with pytest.raises(StorageFull):
        world.quota(MIB).check_edition(world.organization, edition_id, 101, [])


@pytest.fixture
def published(world: StorageWorld, repository, tmp_path: Path):
    """Publish a repository with a picture of 2 MB; `limit` is that of the organization."""
    repository.commit({**FILES, "logo.svg": f"<svg><!--{'x' * 2 * MIB}--></svg>"})
    site = world.site("acme", repository.url)

    def publish(limit: int):
        editions = EditionStore(world.database, world.objects, tmp_path / "cache")
        publisher = publisher_in(
            tmp_path, world.database, world.objects, world.clock, editions, quota=world.quota(limit)
        )
        updates = UpdateService(world.updates, publisher, world.tenancy, world.clock)
        return updates.run(updates.create(site.project_id, "internal").id).update

    return publish


def test_a_publish_above_the_limit_stores_nothing(world: StorageWorld, published) -> None:
    refused = published(2 * MIB)
    assert refused.status is UpdateStatus.FAILURE
    assert "storage: the organization stores 0 MB, needs 3 MB more" in refused.summary
    assert list(world.objects.keys()) == []
    with world.database.reading() as connection:
        assert connection.execute(select(editions)).all() == []
    assert published(LIMIT).status is UpdateStatus.SUCCESS
    size = sum(map(world.objects.size, [*world.objects.keys()]))
    assert world.stored() == size
    assert published(2 * MIB).status is UpdateStatus.SUCCESS  # it is stored already


def test_publishes_at_one_moment_see_each_other(
    world: StorageWorld, published, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another edition is recorded after the first check, while the files are stored."""
    put = world.objects.put

    def putting(key: str, data, **more) -> None:
        put(key, data, **more)
        if key.startswith("editions/"):
            world.edition(world.sites[0], 9 * MIB)

    with monkeypatch.context() as patched:
        patched.setattr(world.objects, "put", putting)
        refused = published(LIMIT)
    assert refused.status is UpdateStatus.FAILURE
    assert "storage: the organization stores 9 MB, needs 3 MB more" in refused.summary
    assert not any(key.startswith("editions/") for key in [*world.objects.keys()])
    assert world.stored() == 9 * MIB
    assert published(2 * LIMIT).status is UpdateStatus.SUCCESS


def test_writers_of_one_organization_take_turns(
    postgres_backend: Any, clock: ManualClock, tmp_path: Path
) -> None:
    world = StorageWorld(postgres_backend, clock, tmp_path)
    others = [world.tenancy.create_organization(name).id for name in ("One", "Two")]
    quota = world.quota()

    def record(organization: str) -> None:
        with world.database.transaction() as connection:
            quota.check_recorded(connection, organization, "ed", 1, ())

    blocked = text("SELECT 1 FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))")
    with ThreadPoolExecutor(2) as pool:
        with world.database.transaction() as connection:
            quota.check_recorded(connection, world.organization, "ed", 1, ())
            for other in others:
                pool.submit(record, other).result(120)
            waiting = pool.submit(record, world.organization)
            while connection.execute(blocked).first() is None:
                assert not waiting.done(), "it did not wait"
        waiting.result(120)
