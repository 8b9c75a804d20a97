"""Slow work of one organization, which other organizations do not wait for."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from builds import publisher_in
from docstead.accounts.tenancy import Deployment, Organization, Tenancy
from docstead.base.networks import parsed_networks
from docstead.base.outbound import OutboundClient
from docstead.export.exports import ExportManager, ExportPlan
from docstead.export.records import ExportRecords, ExportStatus
from docstead.jobs import Jobs
from docstead.publishing.editions import EditionStore
from docstead.publishing.update_records import UpdateRecords, UpdateStatus
from docstead.publishing.updates import UpdateService
from docstead.storage.schema import editions
from docstead.webhooks import WebhookService
from docstead.webhooks.records import WebhookRecords
from manual_clock import ManualClock
from stored_jobs import event_of

_SECONDS = 120.0


@pytest.fixture
def tenancy(backend, clock) -> Tenancy:
    return Tenancy(backend.database, clock)


@pytest.fixture
def updates(backend, clock, tenancy, tmp_path: Path) -> UpdateService:
    opened = EditionStore(backend.database, backend.objects, tmp_path / "cache")
    publisher = publisher_in(tmp_path, backend.database, backend.objects, clock, opened)
    return UpdateService(UpdateRecords(backend.database, clock), publisher, tenancy, clock)


@pytest.fixture
def queue(backend, updates) -> Iterator[Jobs]:
    """The jobs of `updates`, which this process starts and does not run."""
    jobs = Jobs(backend.database_url, node_id="node-1")
    updates.register(jobs)
    yield jobs
    jobs.close()


def projects(tenancy: Tenancy, organization: Organization, count: int) -> list[str]:
    return [
        tenancy.create_project(organization.id, f"project {number}", "/nowhere").id
        for number in range(count)
    ]


def start(updates: UpdateService, clock: ManualClock, project_id: str) -> str:
    """Start an update, one second after the one before it."""
    clock.move_to(clock.now() + timedelta(seconds=1))
    return updates.start(project_id, "api").id


def begun(backend, last: str, kinds: Sequence[str] = ("update", "update-large")) -> set[str]:
    """Return the jobs of these kinds that a node begins until it has begun the `last` one."""
    found: set[str] = set()
    node = Jobs(backend.database_url, node_id="node-2", polling_seconds=0.25)
    for kind in kinds:
        node.register(kind, lambda _, job_id: found.add(job_id), concurrency=8, in_order=True)
    try:
        node.launch()
        assert node.wait(last, _SECONDS)
        return set(found)
    finally:
        node.close()


def test_one_organization_has_half_of_the_slots_for_publishing(
    backend, clock, tenancy, updates, queue
) -> None:
    many, other = (tenancy.create_organization(name) for name in ("Many", "Other"))
    started = [start(updates, clock, each) for each in projects(tenancy, many, 10)]
    last = start(updates, clock, *projects(tenancy, other, 1))
    first = begun(backend, last)
    assert last in first
    assert len(first.intersection(started)) == 4
    records = UpdateRecords(backend.database, clock)
    for each in first:
        records.advance(each, UpdateStatus.FAILURE)
    updates.start_waiting()
    more = start(updates, clock, *projects(tenancy, other, 1))
    second = begun(backend, more)
    assert len(second.intersection(started)) == 4
    assert not second & first


def test_a_single_organization_has_all_slots(backend, clock, tenancy, updates, queue) -> None:
    only = tenancy.create_organization("Only")
    started = [start(updates, clock, each) for each in projects(tenancy, only, 8)]
    begun(backend, started[-1])


def test_large_updates_leave_a_slot_for_others(backend, clock, tenancy, updates, queue) -> None:
    many, other = (tenancy.create_organization(name) for name in ("Many", "Other"))
    large = projects(tenancy, many, 3)
    rows = [
        {
            "id": f"ed_{project_id}", "project_id": project_id, "commit": "c", "object_key": "k",
            "page_count": 5_000, "rendered_count": 0, "failed_count": 0, "created_at": clock.now(),
        }
        for project_id in large
    ]  # fmt: skip
    with backend.database.transaction() as connection:
        connection.execute(editions.insert(), rows)
    started = [start(updates, clock, each) for each in large]
    last = start(updates, clock, *projects(tenancy, other, 1))
    assert len(begun(backend, last).intersection(started)) <= 1


@pytest.fixture
def exports(backend, clock, tenancy, tmp_path: Path) -> Iterator[ExportManager]:
    """Exports whose jobs this process starts and does not run."""
    created = ExportManager(
        records=ExportRecords(backend.database, clock),
        editions=EditionStore(backend.database, backend.objects, tmp_path / "cache"),
        objects=backend.objects,
        tenancy=tenancy,
    )
    jobs = Jobs(backend.database_url, node_id="node-1")
    created.register(jobs)
    yield created
    jobs.close()


def exported(
    exports: ExportManager, clock: ManualClock, deployment: Deployment, count: int
) -> list[str]:
    """Start exports of a deployment, each one second after the one before it."""
    started = []
    for _ in range(count):
        clock.move_to(clock.now() + timedelta(seconds=1))
        started.append(exports.queue(ExportPlan(deployment, "ed_1", None, None)).id)
    return started


def sites(tenancy: Tenancy, organization: Organization, count: int) -> list[Deployment]:
    names = [f"{organization.name.lower()}-{number}" for number in range(count)]
    return [
        tenancy.create_deployment(project_id, name, f"{name}.example")
        for name, project_id in zip(names, projects(tenancy, organization, count), strict=True)
    ]


def test_many_exports_of_one_organization_delay_no_other(backend, clock, tenancy, exports) -> None:
    many, other = (tenancy.create_organization(name) for name in ("Many", "Other"))
    full = [exported(exports, clock, each, 5) for each in sites(tenancy, many, 3)]
    (site,) = sites(tenancy, other, 1)
    (last,) = exported(exports, clock, site, 1)
    assert begun(backend, last, ["export"]) == {full[0][0], last}
    records = ExportRecords(backend.database, clock)
    for each in (full[0][0], last):
        records.advance(each, ExportStatus.FAILED)
    exports.start_queued()
    (more,) = exported(exports, clock, site, 1)
    assert begun(backend, more, ["export"]) == {full[0][1], more}


def test_a_single_organization_exports_two_sites_at_once(backend, clock, tenancy, exports) -> None:
    only = tenancy.create_organization("Only")
    full = [exported(exports, clock, each, 2) for each in sites(tenancy, only, 3)]
    assert begun(backend, full[1][0], ["export"]) == {full[0][0], full[1][0]}


def test_an_export_without_its_job_gives_way(backend, clock, tenancy, exports) -> None:
    only, _ = (tenancy.create_organization(name) for name in ("Only", "Other"))
    (site,) = sites(tenancy, only, 1)
    first, second = exported(exports, clock, site, 2)
    begun(backend, first, ["export"])
    exports.end_lost()
    assert exports.get(only.id, first).status is ExportStatus.FAILED
    assert begun(backend, second, ["export"]) == {second}


@contextmanager
def listening(end: threading.Event) -> Iterator[tuple[str, threading.Event]]:
    """A server whose /slow answers at the `end`; a request for another path sets the event."""
    arrived = threading.Event()

    class HeldHandler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            if self.path == "/slow":
                end.wait(_SECONDS)
            else:
                arrived.set()
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), HeldHandler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", arrived
    finally:
        end.set()
        server.shutdown()
        thread.join()
        server.server_close()


def deliver(backend, clock, project, url: str, count: int) -> None:
    """Store deliveries to one webhook of the project, as they are before the first attempt."""
    records = WebhookRecords(backend.database, clock)
    records.create(project.id, url)
    for number in range(count):
        records.record_event(event_of(project.id, clock, f"se_{number}"))


def test_slow_webhooks_of_one_organization_delay_no_other(backend, clock, tenancy) -> None:
    slow, fast = (
        tenancy.create_project(tenancy.create_organization(name).id, "Docs", "/nowhere")
        for name in ("Slow", "Fast")
    )
    jobs = Jobs(backend.database_url, node_id="node-1", polling_seconds=0.25)
    outbound = OutboundClient(parsed_networks(["127.0.0.0/8"]))
    webhooks = WebhookService(WebhookRecords(backend.database, clock), outbound, clock)
    webhooks.register(jobs)
    end = threading.Event()
    with listening(end) as (url, arrived):
        try:
            jobs.launch()
            deliver(backend, clock, slow, f"{url}/slow", 20)
            webhooks.start_queued()
            deliver(backend, clock, fast, f"{url}/fast", 1)
            webhooks.start_queued()
            assert arrived.wait(_SECONDS)
        finally:
            end.set()
            jobs.close()
