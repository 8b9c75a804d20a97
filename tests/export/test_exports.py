"""Exports as jobs, over real stores and the real job library."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from datetime import timedelta
from urllib.parse import urlsplit

import pytest

import patient_http
from docstead.accounts.plans import OrganizationPlan
from docstead.accounts.renames import DeploymentRenames
from docstead.base.clock import SystemClock
from docstead.base.errors import Conflict, Forbidden, InvalidRequest, NotFound
from docstead.export.records import ExportRetention, ExportStatus
from docstead.export.work import BATCH_PAGES
from docstead.publishing.storage_quota import StorageFull, StorageQuota

HOST = "docs.acme.example"
MANY = ("index", *(f"guides/page-{number:03}" for number in range(3 * BATCH_PAGES)))


@pytest.fixture
def exports(world, jobs):
    """Exports whose jobs run."""
    made = world.exports()
    made.register(jobs)
    jobs.launch()
    return made


def finished(exports, jobs, acme, **options):
    started = exports.start(acme.organization_id, HOST, **options)
    assert jobs.wait(started.id, 120)
    return exports.get(acme.organization_id, started.id)


def archive(world, export) -> dict[str, bytes]:
    data = world.backend.objects.get(export.object_key)
    with tarfile.open(fileobj=io.BytesIO(data)) as opened:
        return {m.name: opened.extractfile(m).read() for m in opened.getmembers()}


def test_an_export_from_start_to_bundle(world, exports, jobs, acme):
    started = exports.start(acme.organization_id, HOST, version="2026-11")
    assert started.status is ExportStatus.QUEUED
    assert (started.progress, started.page_count, started.version) == (0, 0, "2026-11")
    assert jobs.wait(started.id, 120)
    done = exports.get(acme.organization_id, started.id)
    assert done.status is ExportStatus.COMPLETED, done.error
    assert (done.progress, done.page_count, done.error) == (100, 5, None)
    files = archive(world, done)
    assert {"index.html", "guides/start.html", "404.html", "images/logo.svg"} <= files.keys()
    assert b"https://docs.acme.example/guides/start" in files["sitemap.xml"]


@pytest.mark.parametrize("version", [None, "2026-11"])
def test_the_version_of_a_bundle_is_that_of_the_edition_by_default(
    world, exports, jobs, acme, version
):
    done = finished(exports, jobs, acme, version=version)
    facts = json.loads(archive(world, done)["_docs/export.json"])
    assert facts["version"] == (version or world.editions.current_id(acme.id))


def test_only_bundles_and_what_the_next_export_needs_are_kept(world, exports, jobs, acme):
    first, some, last = (
        finished(exports, jobs, acme, paths=paths) for paths in (None, ["index"], None)
    )
    for done in (first, some):
        assert list(world.backend.objects.keys(f"exports/{done.id}")) == [done.object_key]
    kept = {f"exports/{last.id}/next/{name}" for name in ("index", "results.sqlite")}
    assert {*world.backend.objects.keys(f"exports/{last.id}")} == {last.object_key, *kept}


def test_many_pages_are_written_in_batches(world, exports, jobs, acme, republish):
    republish(MANY)
    seen = []
    started = exports.start(acme.organization_id, HOST)
    while not jobs.wait(started.id, 0.05):
        seen.append(exports.get(acme.organization_id, started.id))
    done = exports.get(acme.organization_id, started.id)
    assert (done.status, done.page_count) == (ExportStatus.COMPLETED, len(MANY))
    progress = [(each.progress, each.page_count) for each in seen]
    assert progress == sorted(progress)
    ended = [each for each in seen if each.progress == 100]  # its job may end a moment later
    assert all(each.status is ExportStatus.COMPLETED for each in ended)
    assert {f"{slug}.html" for slug in MANY} <= archive(world, done).keys()


def test_chosen_pages_only(world, exports, jobs, acme):
    done = finished(exports, jobs, acme, paths=["guides/start"])
    assert (done.page_count, done.paths) == (1, ("guides/start",))
    files = archive(world, done)
    assert "guides/start.html" in files
    assert "api/users.html" not in files


def test_the_edition_is_that_of_the_start(world, jobs, acme, republish):
    exports = world.exports()
    exports.register(jobs)
    started = exports.start(acme.organization_id, HOST)
    republish(("index", "new"))
    jobs.launch()
    assert jobs.wait(started.id, 120)
    files = archive(world, exports.get(acme.organization_id, started.id))
    assert "guides/start.html" in files
    assert "new.html" not in files


def test_two_exports_of_one_edition_are_the_same_bytes(world, exports, jobs, acme):
    digests = set()
    for _ in range(2):
        done = finished(exports, jobs, acme)
        digests.add(hashlib.sha256(world.backend.objects.get(done.object_key)).hexdigest())
    assert len(digests) == 1


def test_the_domain_may_be_written_in_any_case(exports, jobs, acme):
    assert exports.start(acme.organization_id, "DOCS.Acme.Example")
    assert exports.start(acme.organization_id, "acme")


def test_a_former_domain_is_exported_for_its_organization(world, exports, acme):
    DeploymentRenames(world.backend.database, world.tenancy, {}).rename(acme.id, "manual")
    assert exports.start(acme.organization_id, "acme").deployment_id == acme.id
    with pytest.raises(NotFound, match=r"^domain: there is no such deployment"):
        exports.start(world.deployment("other").organization_id, "acme")


def test_what_is_no_host_name(exports, acme):
    for domain in (
        "", " ", "https://docs.acme.example", "docs.acme.example/", "docs.acme.example:443",
        "docs acme example", "docs.acme.example/docs", "-docs.example", "docs..example", "a" * 300,
        "docs.acme.example.", "docs_acme", "dócs.example", "x\0y", "user@docs.acme.example",
    ):  # fmt: skip
        with pytest.raises(InvalidRequest, match=r"^domain: "):
            exports.start(acme.organization_id, domain)


def test_a_host_name_of_nobody_or_of_others(world, exports, acme):
    other = world.deployment("other")
    for domain in ("nobody.example", other.hostname, other.domain):
        with pytest.raises(NotFound, match=r"^domain: there is no such deployment"):
            exports.start(acme.organization_id, domain)


def test_nothing_published_yet(world, exports):
    fresh = world.deployment("fresh")
    with pytest.raises(Conflict, match="published"):
        exports.start(fresh.organization_id, fresh.hostname)


@pytest.mark.parametrize("plan", [OrganizationPlan.COMMUNITY, OrganizationPlan.PRO])
def test_a_plan_without_exports(world, exports, plan):
    poor = world.deployment("poor", plan)
    with pytest.raises(Forbidden, match="plan"):
        exports.start(poor.organization_id, poor.hostname)


@pytest.mark.parametrize("version", ["", " ", "x" * 201, "a\nb", "a\0b", "\ud800"])
def test_a_version_is_a_short_label(exports, acme, version):
    with pytest.raises(InvalidRequest, match=r"^version: "):
        exports.start(acme.organization_id, HOST, version=version)


def test_a_refused_start_leaves_no_record(world, exports, acme):
    with pytest.raises(InvalidRequest):
        exports.start(acme.organization_id, HOST, paths=["../secret"])
    assert exports.of_deployment(acme.id) == []


def test_the_link_leads_to_the_bundle_and_is_fresh_each_time(world, exports, jobs, acme):
    done = finished(exports, jobs, acme)
    first = exports.bundle(acme.organization_id, done.id)
    second = exports.bundle(acme.organization_id, done.id)
    path = urlsplit(first.url).path
    assert path.endswith(f"{done.id}/bundle.tar.gz")
    name = f"acme-{done.created_at:%Y-%m-%d}.tar.gz"
    if world.backend.is_sqlite:
        assert name in first.url
    else:
        assert name in patient_http.get(first.url).headers["content-disposition"]
    assert (first.export_id, first.size_bytes) == (done.id, done.size_bytes)
    assert first.expires_at <= second.expires_at
    if not world.backend.is_sqlite:  # S3 answers by itself
        answer = patient_http.get(first.url)
        assert answer.content == world.backend.objects.get(done.object_key)
        assert len(answer.content) == first.size_bytes


def test_the_link_lives_as_long_as_it_says(world, jobs, acme):
    exports = world.exports(link_ttl_seconds=60)
    exports.register(jobs)
    jobs.launch()
    done = finished(exports, jobs, acme)
    life = exports.bundle(acme.organization_id, done.id).expires_at - SystemClock().now()
    assert timedelta(seconds=50) < life <= timedelta(seconds=60)


@pytest.mark.parametrize("status", ["queued", "running", "failed"])
def test_there_is_no_bundle_before_the_end(world, acme, status):
    exports = world.exports()
    created = world.records.create(
        deployment_id=acme.id,
        organization_id=acme.organization_id,
        edition_id="ed_1",
        version=None,
        paths=None,
    )
    if status != "queued":
        world.records.advance(created.id, ExportStatus(status))
    with pytest.raises(Conflict, match=status):
        exports.bundle(acme.organization_id, created.id)


def test_others_see_nothing(world, exports, jobs, acme):
    done = finished(exports, jobs, acme)
    other = world.deployment("other")
    for act in (exports.get, exports.bundle):
        with pytest.raises(NotFound):
            act(other.organization_id, done.id)


def test_an_export_that_cannot_go_on_has_failed(world, exports, jobs, acme):
    for key in list(world.backend.objects.keys("assets")):
        world.backend.objects.delete(key)
    failed = finished(exports, jobs, acme)
    assert (failed.status, failed.error) == (ExportStatus.FAILED, "there is no such object")
    assert failed.progress < 100
    assert list(world.backend.objects.keys(f"exports/{failed.id}")) == []


def test_an_export_above_the_storage_of_an_organization_stores_nothing(world, jobs, acme):
    backend = world.backend
    exports = world.exports(quota=StorageQuota(backend.database, backend.objects, 100))
    exports.register(jobs)
    jobs.launch()
    failed = finished(exports, jobs, acme)
    assert failed.status is ExportStatus.FAILED
    assert failed.error.startswith("storage: the organization stores 0 MB, needs 1 MB more")
    assert list(backend.objects.keys(f"exports/{failed.id}")) == []


def test_a_full_organization_starts_no_export(world, acme):
    backend = world.backend
    exports = world.exports(quota=StorageQuota(backend.database, backend.objects, 0))
    with pytest.raises(StorageFull, match=r"^storage: "):
        exports.start(acme.organization_id, HOST)
    assert exports.of_deployment(acme.id) == []


def test_the_next_export_does_better(world, exports, jobs, acme, republish):
    for key in list(world.backend.objects.keys("assets")):
        world.backend.objects.delete(key)
    assert finished(exports, jobs, acme).status is ExportStatus.FAILED
    republish()
    assert finished(exports, jobs, acme).status is ExportStatus.COMPLETED


def test_old_exports_make_way(world, jobs, acme):
    exports = world.exports(kept=ExportRetention(2))
    exports.register(jobs)
    jobs.launch()
    done = []
    for _ in range(4):
        world.clock.move_to(world.clock.now() + timedelta(days=2))
        done.append(finished(exports, jobs, acme))
    assert [export.id for export in exports.of_deployment(acme.id)] == [done[3].id, done[2].id]
    assert list(world.backend.objects.keys(f"exports/{done[0].id}")) == []
    with pytest.raises(NotFound):
        exports.bundle(acme.organization_id, done[0].id)
    assert exports.bundle(acme.organization_id, done[3].id)


@pytest.mark.parametrize(
    ("kept", "left"),
    [
        (ExportRetention(None), 4),
        (ExportRetention(1), 1),
        (ExportRetention(0, days=5), 2),
        (ExportRetention(0), 0),
        (ExportRetention(3, days=5), 3),
    ],
)
def test_exports_are_kept_by_count_and_by_age(world, acme, kept, left):
    for _ in range(4):
        done = recorded(world, acme)
        world.records.advance(done.id, ExportStatus.FAILED, error="no disk")
        world.clock.move_to(world.clock.now() + timedelta(days=2))
    exports = world.exports(kept=kept)
    exports.remove_expired()
    assert len(exports.of_deployment(acme.id)) == left


def test_an_export_that_runs_or_ended_within_a_day_is_never_removed(world, acme):
    running, ended = recorded(world, acme), recorded(world, acme)
    world.records.advance(running.id, ExportStatus.RUNNING)
    world.clock.move_to(world.clock.now() + timedelta(days=400))
    world.records.advance(ended.id, ExportStatus.FAILED, error="no disk")
    world.clock.move_to(world.clock.now() + timedelta(hours=23))
    exports = world.exports(kept=ExportRetention(0))
    exports.remove_expired()
    assert {each.id for each in exports.of_deployment(acme.id)} == {running.id, ended.id}


def recorded(world, acme):
    edition = world.editions.current(world.tenancy.deployment(acme.id))
    return world.records.create(
        deployment_id=acme.id,
        organization_id=acme.organization_id,
        edition_id=edition.id,
        version=None,
        paths=None,
    )


def test_what_was_queued_when_the_process_died_is_started(world, jobs, acme):
    exports = world.exports()
    exports.register(jobs)
    waiting = world.records.create(
        deployment_id=acme.id,
        organization_id=acme.organization_id,
        edition_id=acme.current_edition_id or world.editions.current(acme).id,
        version=None,
        paths=None,
    )
    jobs.launch()
    exports.start_queued()
    assert jobs.wait(waiting.id, 120)
    assert world.records.get(waiting.id).status is ExportStatus.COMPLETED
