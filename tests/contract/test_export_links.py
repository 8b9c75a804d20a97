"""Links to bundles: each works until `expiresAt`; each request returns a fresh one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from docstead.jobs import Jobs
from docstead.storage.links import LinkSigner
from docstead.storage.objects import DiskObjects
from export_service import BASE_URL, ExportService, ExportTenant
from handmade_sites import HandmadeSites
from manual_clock import ManualClock

JOBS = "/v1/static-export/jobs"


@pytest.fixture
def service(sqlite_backend: Any, tmp_path: Any, clock: ManualClock) -> Iterator[ExportService]:
    signer = LinkSigner(lambda: {"key": b"x" * 32}, clock)
    objects = DiskObjects(tmp_path / "objects", signer, BASE_URL)
    sites = HandmadeSites(sqlite_backend.database, objects, tmp_path, clock)
    jobs = Jobs(sqlite_backend.database_url, node_id="node-1", polling_seconds=0.25)
    yield ExportService(sites, jobs, signer)
    jobs.close()


def completed(service: ExportService, acme: ExportTenant) -> str:
    service.sites.publish(acme.deployment, ("index", "guides/start"))
    service.jobs.launch()
    started = service.call("POST", JOBS, acme.key, json={"domain": acme.deployment.hostname})
    job_id: str = started.json()["jobId"]
    assert service.jobs.wait(job_id, 120)
    return job_id


def bundle(service: ExportService, acme: ExportTenant, job_id: str) -> dict[str, Any]:
    answer = service.call("POST", f"{JOBS}/{job_id}/bundle", acme.key)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def download(service: ExportService, link: dict[str, Any]) -> httpx.Response:
    return service.call("GET", link["bundleUrl"])


def test_a_link_ends_when_it_says_and_the_job_gives_another(service: ExportService) -> None:
    acme = service.tenant("acme")
    job_id = completed(service, acme)
    first = bundle(service, acme, job_id)
    expiry = datetime.fromisoformat(first["expiresAt"])
    service.clock.move_to(expiry - timedelta(seconds=1))
    before = download(service, first)
    assert before.status_code == 200
    service.clock.move_to(expiry)
    assert download(service, first).status_code == 403
    assert service.call("GET", f"{JOBS}/{job_id}", acme.key).json()["status"] == "completed"
    again = bundle(service, acme, job_id)
    assert datetime.fromisoformat(again["expiresAt"]) > expiry
    assert download(service, again).content == before.content
