"""The three endpoints of static exports (docs/reference/static-export.mdx)."""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

import patient_http
from docstead.accounts.plans import OrganizationPlan
from docstead.base.api_keys import KeyKind
from docstead.export.records import ExportStatus
from docstead.jobs import Jobs
from export_service import ExportService, ExportTenant
from handmade_sites import HandmadeSites
from refusals import refusal

JOBS = "/v1/static-export/jobs"
PAGES = ("index", "guides/start", "guides/more")
HOST = "docs.acme.example"


@pytest.fixture
def service(backend, tmp_path, clock) -> Iterator[ExportService]:
    sites = HandmadeSites(backend.database, backend.objects, tmp_path, clock)
    jobs = Jobs(backend.database_url, node_id="node-1", polling_seconds=0.25)
    yield ExportService(sites, jobs, backend.signer)
    jobs.close()


@pytest.fixture
def acme(service) -> ExportTenant:
    tenant = service.tenant("acme")
    service.sites.publish(tenant.deployment, PAGES)
    return tenant


@pytest.fixture
def completed(service, acme) -> dict[str, Any]:
    """The body of a job that has completed."""
    service.jobs.launch()
    job = start(service, acme).json()
    assert service.jobs.wait(job["jobId"], 120)
    return service.call("GET", f"{JOBS}/{job['jobId']}", acme.key).json()


def start(service: ExportService, tenant: ExportTenant, **fields: Any) -> httpx.Response:
    headers = fields.pop("headers", {})
    body = {"domain": tenant.deployment.hostname, **fields}
    return service.call("POST", JOBS, tenant.key, json=body, headers=headers)


def test_a_start_is_answered_with_the_whole_job(service, acme):
    response = start(service, acme)
    assert response.status_code == 202
    job = response.json()
    assert re.fullmatch("se_[0-9a-f]{16}", job.pop("jobId"))
    assert job == {
        "status": "queued",
        "progress": 0,
        "pageCount": 0,
        "createdAt": "2026-11-21T12:00:00.000Z",
        "updatedAt": "2026-11-21T12:00:00.000Z",
    }


def test_a_job_from_start_to_bundle(service, acme, completed):
    assert set(completed) == {
        "jobId", "status", "progress", "pageCount", "createdAt", "updatedAt"
    }  # fmt: skip
    assert (completed["status"], completed["progress"]) == ("completed", 100)
    assert completed["pageCount"] == len(PAGES)
    response = service.call("POST", f"{JOBS}/{completed['jobId']}/bundle", acme.key)
    assert response.status_code == 200
    bundle = response.json()
    assert set(bundle) == {"jobId", "bundleUrl", "sizeBytes", "expiresAt"}
    assert urlsplit(bundle["bundleUrl"]).path.endswith(f"{completed['jobId']}/bundle.tar.gz")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", bundle["expiresAt"])


def test_the_bundle_can_be_downloaded_without_a_key(service, acme, completed):
    bundle = service.call("POST", f"{JOBS}/{completed['jobId']}/bundle", acme.key).json()
    url = bundle["bundleUrl"]
    ours = url.startswith("http://localhost/_files/")
    data = (service.call("GET", url) if ours else patient_http.get(url)).content
    assert len(data) == bundle["sizeBytes"]
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        assert {f"{slug}.html" for slug in PAGES} <= set(archive.getnames())


def test_a_failed_job_says_why(service, acme):
    job = start(service, acme).json()
    service.records.advance(job["jobId"], ExportStatus.FAILED, error="the disk is full")
    found = service.call("GET", f"{JOBS}/{job['jobId']}", acme.key).json()
    assert (found["status"], found["error"]) == ("failed", "the disk is full")


def test_a_running_job_says_how_far_it_is(service, acme):
    job = start(service, acme).json()
    service.records.advance(job["jobId"], ExportStatus.RUNNING)
    service.records.report(job["jobId"], 2, 40.0)
    found = service.call("GET", f"{JOBS}/{job['jobId']}", acme.key).json()
    assert (found["status"], found["progress"], found["pageCount"]) == ("running", 40, 2)


@pytest.mark.parametrize("status", ["queued", "running", "failed"])
def test_no_bundle_before_the_end(service, acme, status):
    job = start(service, acme).json()
    if status != "queued":
        service.records.advance(job["jobId"], ExportStatus(status))
    response = service.call("POST", f"{JOBS}/{job['jobId']}/bundle", acme.key)
    assert status in refusal(response, 409)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({}, "domain"),
        ({"domain": None}, "domain"),
        ({"domain": 5}, "domain"),
        ({"domain": ["docs.acme.example"]}, "domain"),
        ({"domain": "https://docs.acme.example"}, "domain"),
        ({"domain": "docs.acme.example/"}, "domain"),
        ({"domain": "docs.acme.example:443"}, "domain"),
        ({"domain": "docs acme"}, "domain"),
        ({"domain": ""}, "domain"),
        ({"domain": HOST, "version": 5}, "version"),
        ({"domain": HOST, "version": ["x"]}, "version"),
        ({"domain": HOST, "version": ""}, "version"),
        ({"domain": HOST, "version": "a\0b"}, "version"),
        ({"domain": HOST, "paths": "index"}, "paths"),
        ({"domain": HOST, "paths": {"index": 1}}, "paths"),
        ({"domain": HOST, "paths": ["index", 5]}, "paths"),
        ({"domain": HOST, "paths": [None]}, "paths"),
        ({"domain": HOST, "paths": []}, "paths"),
        ({"domain": HOST, "paths": ["/index"]}, "'/index'"),
        ({"domain": HOST, "paths": ["index.html"]}, "'index.html'"),
        ({"domain": HOST, "paths": ["../secret"]}, "'../secret'"),
        ({"domain": HOST, "paths": ["guides\\start"]}, "paths"),
        ({"domain": HOST, "paths": ["index\0"]}, "paths"),
        ({"domain": HOST, "paths": ["guides/nowhere"]}, "'guides/nowhere'"),
        ([], "body"),
        ("text", "body"),
        (None, "body"),
    ],
)
def test_bodies_that_are_not_valid(service, acme, body, names):
    response = service.call("POST", JOBS, acme.key, json=body)
    assert names in refusal(response, 400)
    assert service.exports.of_deployment(acme.deployment.id) == []


@pytest.mark.parametrize("content", [b"", b"{", b'{"domain": ', b"\xff\xfe", b"[" * 100_000])
def test_bodies_that_are_not_json(service, acme, content):
    headers = {"Content-Type": "application/json"}
    refusal(service.call("POST", JOBS, acme.key, content=content, headers=headers), 400)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"{}"])
def test_a_stranger_learns_nothing_of_the_body(service, content):
    refusal(service.call("POST", JOBS, None, content=content), 401)


def test_the_declared_type_of_the_body_does_not_matter(service, acme):
    content = b'{"domain": "%s"}' % HOST.encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    response = service.call("POST", JOBS, acme.key, content=content, headers=headers)
    assert [each.id for each in service.exports.of_deployment(acme.deployment.id)] == [
        response.json()["jobId"]
    ]


def test_a_body_that_is_too_large(service, acme):
    refusal(start(service, acme, version="x" * 2_000_000), 413)


def test_fields_that_are_not_known_are_ignored(service, acme):
    response = start(service, acme, format="zip", paths=["index"], version="2026-11")
    assert response.status_code == 202
    (export,) = service.exports.of_deployment(acme.deployment.id)
    assert (export.version, export.paths) == ("2026-11", ("index",))


def test_a_host_name_that_shows_nothing_of_ours(service, acme):
    other = service.tenant("other")
    service.sites.publish(other.deployment, PAGES)
    message = refusal(start(service, acme, domain="nobody.example"), 404)
    assert message == "domain: there is no such deployment"
    refusal(start(service, acme, domain=other.deployment.hostname), 404)


def test_nothing_is_published_yet(service):
    assert "published" in refusal(start(service, service.tenant("fresh")), 409)


def test_a_plan_without_static_export(service):
    poor = service.tenant("poor", OrganizationPlan.COMMUNITY)
    service.sites.publish(poor.deployment, PAGES)
    assert "plan" in refusal(start(service, poor), 403)


def test_each_call_needs_the_plan(service, acme, completed):
    tenancy = service.sites.tenancy
    for plan in (OrganizationPlan.COMMUNITY, OrganizationPlan.PRO):
        tenancy.set_plan(acme.organization_id, plan)
        for method, path in requests(completed["jobId"]):
            assert "plan" in refusal(
                service.call(method, path, acme.key, json={"domain": HOST}), 403
            )
    tenancy.set_plan(acme.organization_id, OrganizationPlan.ENTERPRISE)
    assert service.call(*requests(completed["jobId"])[2], acme.key).status_code == 200


def requests(job_id: str) -> list[tuple[str, str]]:
    return [("POST", JOBS), ("GET", f"{JOBS}/{job_id}"), ("POST", f"{JOBS}/{job_id}/bundle")]


def test_keys_that_open_nothing(service, acme):
    job_id = start(service, acme).json()["jobId"]
    assistant = service.key(
        acme.organization_id, KeyKind.ASSISTANT, deployment_id=acme.deployment.id
    )
    for method, path in requests(job_id):
        for key in (None, "", "svc_x", assistant, acme.key[:-1], acme.key.swapcase()):
            refusal(service.call(method, path, key, json={"domain": HOST}), 401)


def test_an_expired_key(service, acme):
    soon = service.clock.now() + timedelta(minutes=1)
    key = service.key(acme.organization_id, expires_at=soon)
    service.clock.move_to(soon)
    refusal(service.call("GET", f"{JOBS}/se_0", key), 401)


def test_a_key_that_may_only_read(service, acme):
    job_id = start(service, acme).json()["jobId"]
    key = service.key(acme.organization_id, scopes=["read"])
    (post, get, bundle) = requests(job_id)
    assert service.call(*get, key).json()["jobId"] == job_id
    for method, path in (post, bundle):
        refusal(service.call(method, path, key, json={"domain": HOST}), 403)


def test_a_key_from_a_strange_ip_address(service, acme):
    key = service.key(acme.organization_id, allowlist=["10.0.0.0/8"])
    for method, path in requests("se_0"):
        refusal(service.call(method, path, key, json={"domain": HOST}), 403)


@pytest.mark.parametrize("job_id", ["se_0000000000000000", "x", "%00", "se_%2e%2e", "é"])
def test_jobs_that_do_not_exist(service, acme, job_id):
    refusal(service.call("GET", f"{JOBS}/{job_id}", acme.key), 404)
    refusal(service.call("POST", f"{JOBS}/{job_id}/bundle", acme.key), 404)


def test_jobs_of_others(service, acme, completed):
    other = service.tenant("other")
    refusal(service.call("GET", f"{JOBS}/{completed['jobId']}", other.key), 404)
    refusal(service.call("POST", f"{JOBS}/{completed['jobId']}/bundle", other.key), 404)


@pytest.mark.parametrize(
    ("request_number", "limit", "window_seconds"), [(0, 10, 3600), (1, 120, 60), (2, 30, 3600)]
)
def test_limits_at_their_exact_edge(service, acme, request_number, limit, window_seconds):
    other = service.tenant("other")
    service.sites.publish(other.deployment, PAGES)
    of_other = start(service, other).json()["jobId"]
    job_id = start(service, acme).json()["jobId"]
    service.clock.move_to(service.clock.now() + timedelta(hours=2))
    method, path = requests(job_id)[request_number]

    def call() -> httpx.Response:
        return service.call(method, path, acme.key, json={"domain": HOST})

    assert all(call().status_code != 429 for _ in range(limit))
    refused = call()
    refusal(refused, 429)
    wait = int(refused.headers["Retry-After"])
    assert 0 < wait <= window_seconds + max(1, window_seconds // 60)
    assert f"q={limit};w={window_seconds}" in refused.headers["RateLimit-Policy"]
    method, path = requests(of_other)[request_number]
    fields = {"domain": other.deployment.hostname}
    assert service.call(method, path, other.key, json=fields).status_code != 429
    service.clock.move_to(service.clock.now() + timedelta(seconds=wait))
    method, path = requests(job_id)[request_number]
    assert call().status_code != 429


@pytest.mark.parametrize(("request_number", "limit"), [(1, 120), (2, 30)])
def test_unknown_jobs_do_not_count(service, acme, completed, request_number, limit):
    method, unknown = requests("se_0123456789abcdef")[request_number]
    for _ in range(limit + 1):
        refusal(service.call(method, unknown, acme.key), 404)
    _, path = requests(completed["jobId"])[request_number]
    assert service.call(method, path, acme.key).status_code == 200


def test_refused_starts_do_not_count(service, acme):
    for _ in range(12):
        refusal(start(service, acme, paths=["nowhere"]), 400)
    assert start(service, acme).status_code == 202


def test_the_same_idempotency_key_starts_one_job(service, acme):
    headers = {"Idempotency-Key": "deploy-17"}
    jobs = [start(service, acme, headers=headers).json()["jobId"] for _ in range(12)]
    assert len(set(jobs)) == 1
    assert len(service.exports.of_deployment(acme.deployment.id)) == 1
    other = start(service, acme, headers={"Idempotency-Key": "deploy-18"})
    assert other.json()["jobId"] != jobs[0]


def test_an_idempotency_key_belongs_to_one_request(service, acme):
    headers = {"Idempotency-Key": "deploy-17"}
    assert start(service, acme, headers=headers).status_code == 202
    message = refusal(start(service, acme, headers=headers, paths=["index"]), 400)
    assert "Idempotency-Key" in message


def test_a_repeated_request_returns_its_job_when_a_new_one_would_be_refused(service, acme):
    headers = {"Idempotency-Key": "deploy-17"}
    first = start(service, acme, headers=headers, paths=["guides/more"])
    service.sites.publish(acme.deployment, ("index",))
    refusal(start(service, acme, paths=["guides/more"]), 400)
    again = start(service, acme, headers=headers, paths=["guides/more"])
    assert again.status_code == 202, again.text
    assert again.json()["jobId"] == first.json()["jobId"]


def test_a_refused_request_does_not_use_up_its_idempotency_key(service, acme):
    headers = {"Idempotency-Key": "deploy-17"}
    refusal(start(service, acme, headers=headers, paths=["nowhere"]), 400)
    assert start(service, acme, headers=headers).status_code == 202


def test_a_request_over_the_limit_does_not_use_up_its_idempotency_key(service, acme):
    headers = {"Idempotency-Key": "deploy-17"}
    for _ in range(10):
        assert start(service, acme).status_code == 202
    refused = start(service, acme, headers=headers, paths=["index"])
    refusal(refused, 429)
    service.clock.move_to(
        service.clock.now() + timedelta(seconds=int(refused.headers["Retry-After"]))
    )
    assert start(service, acme, headers=headers).status_code == 202


def test_other_methods_and_origins_get_nothing(service, acme):
    refusal(service.call("DELETE", f"{JOBS}/se_0", acme.key), 405)
    response = service.call(
        "GET", f"{JOBS}/se_0", acme.key, headers={"Origin": "https://x.example"}
    )
    assert "access-control-allow-origin" not in response.headers
