"""Events of updates, rollbacks and exports, from their end to a program that listens."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from builds import fork_server
from docstead.accounts.tenancy import Deployment
from docstead.app.databases import database_url
from docstead.app.services import AppServices, open_services
from docstead.export.records import ExportStatus
from docstead.jobs import Jobs
from docstead.settings import Settings
from docstead.webhooks import EventGroup
from webhook_listener import WebhookListener, listening

SETTINGS = '{"name": "A", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index"]}}'


@dataclass
class EventSite:
    """A service that runs jobs, a deployment of a folder, and a listener for all its events."""

    services: AppServices
    folder: Path
    deployment: Deployment
    listener: WebhookListener

    def write(self, text: str) -> None:
        (self.folder / "docs.json").write_text(SETTINGS)
        (self.folder / "index.mdx").write_text(f"---\ntitle: Start\n---\n\n{text}\n")

    def events(self, count: int) -> list[dict[str, Any]]:
        """Return the bodies of so many deliveries, oldest first."""
        deadline = time.monotonic() + 60
        while len(self.listener.received) < count:
            assert time.monotonic() < deadline, self.listener.received
            time.sleep(0.05)
        return [json.loads(body) for _, body in self.listener.received]

    def publish(self, text: str) -> str:
        self.write(text)
        return self.services.updates.start(self.deployment.project_id, "api").id


@pytest.fixture
def site(backend: Any, tmp_path: Path) -> Iterator[EventSite]:
    settings = Settings(
        data=tmp_path / "data",
        database_url=backend.database_url,
        base_url="http://docstead.test",
        webhook_networks=("127.0.0.0/8",),
        render_workers=1,
    )
    folder = tmp_path / "repository"
    folder.mkdir()
    with open_services(settings, fork_server()) as services, listening() as listener:
        tenancy = services.tenancy
        organization = tenancy.create_organization("Acme")
        project = tenancy.create_project(organization.id, "Docs", str(folder))
        deployment = tenancy.create_deployment(project.id, "acme", "docs.acme.example")
        jobs = Jobs(database_url(settings), node_id="node-1", polling_seconds=0.1)
        for each in (services.updates, services.exports, services.agent):
            each.register(jobs)
        jobs.launch()
        services.agent.webhooks.create(project.id, listener.url)
        try:
            yield EventSite(services, folder, deployment, listener)
        finally:
            jobs.close()
            services.agent.close()


def test_updates_rollbacks_and_exports_are_reported_and_signed(site: EventSite) -> None:
    first = site.publish("One.")
    (published,) = site.events(1)
    update = site.services.updates.get(first)
    assert (published["type"], published["domains"]) == ("edition.published", ["acme"])
    assert published["editionId"] == update.edition_id
    assert published["update"]["_id"] == first
    assert (published["update"]["status"], published["update"]["summary"]) == (
        "success", update.summary,
    )  # fmt: skip
    assert published["update"]["commit"]["sha"] == update.commit["sha"]

    site.publish("<Broken")
    (site.folder / "docs.json").write_text("{")
    failed = site.services.updates.start(site.deployment.project_id, "api").id
    seen = {each["update"]["_id"]: each for each in site.events(3)[1:]}
    assert seen[failed]["type"] == "edition.failed"
    assert seen[failed]["editionId"] is None
    assert "docs.json" in seen[failed]["update"]["summary"]

    site.publish("Two.")
    site.events(4)
    services = site.services
    deployment = services.tenancy.deployment(site.deployment.id)
    services.rollbacks.rollback(deployment, origin="dashboard", actor="owner")
    back = site.events(5)[4]
    assert back["type"] == "edition.published"
    assert back["update"]["summary"].startswith("Rolled back")

    export = services.exports.start(deployment.organization_id, "acme", version="1")
    ended = site.events(6)[5]
    assert (ended["type"], ended["domain"]) == ("export.completed", "docs.acme.example")
    assert ended["version"] == "1"
    assert ended["export"]["jobId"] == export.id
    assert (ended["export"]["status"], ended["export"]["progress"]) == ("completed", 100)
    assert "error" not in ended["export"]

    headers, body = site.listener.received[5]
    assert headers["docstead-event"] == "export.completed"
    assert headers["docstead-delivery"] == ended["id"]
    parts = dict(part.split("=", 1) for part in headers["docstead-signature"].split(","))
    (webhook,) = services.agent.webhooks.of_project(deployment.project_id)
    signed = f"{parts['t']}.".encode() + body
    assert parts["v1"] == hmac.new(webhook.secret.encode(), signed, hashlib.sha256).hexdigest()


def test_a_webhook_gets_only_its_events(site: EventSite) -> None:
    with listening() as other:
        webhooks = site.services.agent.webhooks
        webhooks.create(site.deployment.project_id, other.url, [EventGroup.EXPORT])
        site.publish("One.")
        site.events(1)
        export = site.services.exports.start(site.deployment.organization_id, "acme")
        site.events(2)
        deadline = time.monotonic() + 60
        while not other.received:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    ((_, body),) = other.received
    assert json.loads(body)["export"]["jobId"] == export.id


def test_an_export_that_was_lost_is_reported_once(site: EventSite) -> None:
    site.publish("One.")
    site.events(1)
    exports = site.services.exports
    lost = exports.start(site.deployment.organization_id, "acme")
    site.events(2)
    assert exports.get(site.deployment.organization_id, lost.id).status is ExportStatus.COMPLETED
    records = exports._records
    queued = records.create(
        deployment_id=site.deployment.id,
        organization_id=site.deployment.organization_id,
        edition_id=lost.edition_id,
        version=None,
        paths=None,
    )
    exports._lose_job(queued.id)
    exports._lose_job(queued.id)
    failed = site.events(3)[2]
    assert (failed["type"], failed["export"]["jobId"]) == ("export.failed", queued.id)
    assert failed["export"]["error"] == "the process that ran the export was lost"
    log = site.services.agent.webhooks.log(site.deployment.project_id)
    assert [each.event for each in log].count("export.failed") == 1


def test_an_event_is_recorded_with_what_it_reports_or_not_at_all(site: EventSite) -> None:
    """A command, or a process that dies after its transaction, leaves the rest to the service."""
    webhooks, updates = site.services.agent.webhooks, site.services.updates
    jobs, webhooks._jobs = webhooks._jobs, None  # as in a process that runs no jobs
    site.write("One.")
    done = updates.run(updates.create(site.deployment.project_id, "internal").id).update
    (waiting,) = webhooks.log(site.deployment.project_id)
    assert (waiting.event, waiting.attempts) == ("edition.published", ())
    assert done.id in waiting.id
    assert site.listener.received == []
    webhooks._jobs = jobs
    webhooks.start_new()
    webhooks.start_new()
    assert [each["id"] for each in site.events(1)] == [waiting.id]
