"""Updates over HTTP."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from builds import publisher_in
from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.api.application import create_api
from docstead.api.authentication import Authentication
from docstead.api.client_address import ClientAddress
from docstead.api.project_updates import project_update_routes
from docstead.base.api_keys import KeyKind
from docstead.jobs import Jobs
from docstead.limits.rate_limits import RateLimits
from docstead.publishing.editions import EditionStore
from docstead.publishing.update_records import UpdateRecords
from docstead.publishing.updates import UpdateService
from git_repositories import GitRepository
from in_process import ask
from refusals import refusal

UPDATE = "/v1/project/update"
STATUS = "/v1/project/update-status"
CONFIG = {"name": "Acme", "theme": "mint", "colors": {"primary": "#123456"},
          "navigation": {"pages": ["index"]}}  # fmt: skip
FIELDS = {
    "_id", "projectId", "createdAt", "endedAt", "status", "summary", "logs", "subdomain",
    "screenshot", "screenshotLight", "screenshotDark", "author", "commit", "source",
}  # fmt: skip


class UpdatesService:
    """The API of updates over real stores."""

    def __init__(self, backend: Any, clock: Any, folder: Any) -> None:
        self.clock = clock
        self.tenancy = Tenancy(backend.database, clock)
        self.keys = ApiKeys(backend.database, clock, secrets.token_bytes(32))
        self.jobs = Jobs(backend.database_url, node_id="node-1", polling_seconds=0.25)
        editions = EditionStore(backend.database, backend.objects, folder / "cache")
        publisher = publisher_in(folder, backend.database, backend.objects, clock, editions)
        records = UpdateRecords(backend.database, clock)
        self.updates = UpdateService(records, publisher, self.tenancy, clock)
        self.updates.register(self.jobs)
        routes = project_update_routes(
            updates=self.updates,
            tenancy=self.tenancy,
            rate_limits=RateLimits(backend.database, clock),
            authentication=Authentication(self.keys, ClientAddress()),
        )
        self.api = create_api([routes], base_url="http://localhost")

    def deployment(self, domain: str, source: str) -> Deployment:
        organization = self.tenancy.create_organization(domain)
        project = self.tenancy.create_project(organization.id, domain, source)
        return self.tenancy.create_deployment(project.id, domain, f"docs.{domain}.example")

    def key(self, deployment: Deployment, kind: KeyKind = KeyKind.ADMIN, **options: Any) -> str:
        return self.keys.create(deployment.organization_id, kind, "test", **options).key

    def call(self, method: str, path: str, key: str | None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {key}"}
        return ask(self.api, method, path, headers=headers, base_url="http://localhost")


@pytest.fixture
def service(backend, clock, tmp_path) -> Iterator[UpdatesService]:
    service = UpdatesService(backend, clock, tmp_path)
    yield service
    service.jobs.close()


@pytest.fixture
def acme(service, tmp_path) -> Deployment:
    """A deployment whose source is a folder; nothing is published yet."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "docs.json").write_text(json.dumps(CONFIG))
    (folder / "index.mdx").write_text("# Home\n")
    return service.deployment("acme", str(folder))


@pytest.fixture
def key(service, acme) -> str:
    return service.key(acme)


def published(service: UpdatesService, acme: Deployment, key: str) -> dict[str, Any]:
    """The status of an update that has ended."""
    started = service.call("POST", f"{UPDATE}/{acme.project_id}", key)
    assert started.status_code == 202
    assert list(started.json()) == ["statusId"]
    assert service.jobs.wait(started.json()["statusId"], 120)
    return service.call("GET", f"{STATUS}/{started.json()['statusId']}", key).json()


def test_an_update_that_waits(service, acme, key):
    status_id = service.call("POST", f"{UPDATE}/{acme.project_id}", key).json()["statusId"]
    response = service.call("GET", f"{STATUS}/{status_id}", key)
    assert response.status_code == 200
    status = response.json()
    assert set(status) == FIELDS
    assert status == {
        **dict.fromkeys(FIELDS),
        "_id": status_id,
        "projectId": acme.project_id,
        "createdAt": "2026-11-21T12:00:00.000Z",
        "status": "queued",
        "summary": "",
        "logs": [],
        "subdomain": "acme",
        "source": "api",
    }


def test_an_update_that_succeeds(service, acme, key):
    service.jobs.launch()
    status = published(service, acme, key)
    assert set(status) == FIELDS
    assert (status["status"], status["endedAt"]) == ("success", "2026-11-21T12:00:00.000Z")
    assert "1 page published" in status["summary"]
    assert all(isinstance(line, str) for line in status["logs"])
    assert set(status["commit"]) == {"sha", "ref", "message", "filesChanged"}
    assert status["commit"]["filesChanged"] == {
        "added": ["docs.json", "index.mdx"],
        "modified": [],
        "removed": [],
    }
    assert status["commit"]["sha"].startswith("content-")


def test_an_update_of_a_repository_names_commit_and_author(service, tmp_path):
    repository = GitRepository(tmp_path / "docs.git")
    files = {"docs.json": json.dumps(CONFIG), "index.mdx": "# Home\n"}
    commit = repository.commit(files, message="First words")
    deployment = service.deployment("acme", repository.url)
    service.jobs.launch()
    status = published(service, deployment, service.key(deployment))
    assert (status["commit"]["sha"], status["commit"]["message"]) == (commit, "First words")
    assert status["author"] == {"name": "Ada", "avatarUrl": None, "githubUserId": None}


def test_an_update_that_fails_names_the_position(service, acme, key, tmp_path):
    (tmp_path / "docs" / "docs.json").write_text('{\n  "name": }')
    service.jobs.launch()
    status = published(service, acme, key)
    assert status["status"] == "failure"
    assert status["summary"].startswith("docs.json:2:11: ")
    assert status["endedAt"] is not None


@pytest.mark.parametrize("project_id", ["prj_0000000000000000", "x", "%00"])
def test_projects_that_do_not_exist(service, key, project_id):
    refusal(service.call("POST", f"{UPDATE}/{project_id}", key), 404)
    refusal(service.call("GET", f"{STATUS}/{project_id}", key), 404)


def test_projects_of_others(service, acme, key):
    other = service.key(service.deployment("other", "/nowhere"))
    status_id = service.call("POST", f"{UPDATE}/{acme.project_id}", key).json()["statusId"]
    refusal(service.call("POST", f"{UPDATE}/{acme.project_id}", other), 404)
    refusal(service.call("GET", f"{STATUS}/{status_id}", other), 404)


def test_keys_that_open_nothing(service, acme, key):
    assistant = service.key(acme, KeyKind.ASSISTANT, deployment_id=acme.id)
    for wrong in ("", "svc_x", assistant, key[:-1]):
        refusal(service.call("POST", f"{UPDATE}/{acme.project_id}", wrong), 401)
        refusal(service.call("GET", f"{STATUS}/up_0", wrong), 401)


def test_a_key_that_may_only_read(service, acme, key):
    status_id = service.call("POST", f"{UPDATE}/{acme.project_id}", key).json()["statusId"]
    reader = service.key(acme, scopes=["read"])
    refusal(service.call("POST", f"{UPDATE}/{acme.project_id}", reader), 403)
    assert "status" in service.call("GET", f"{STATUS}/{status_id}", reader).json()


def test_unknown_projects_do_not_count(service, acme, key):
    for _ in range(11):
        refusal(service.call("POST", f"{UPDATE}/prj_unknown", key), 404)
    assert service.call("POST", f"{UPDATE}/{acme.project_id}", key).status_code == 202


def test_ten_updates_in_ten_seconds_and_no_more(service, acme, key):
    def call(used: str = key) -> httpx.Response:
        return service.call("POST", f"{UPDATE}/{acme.project_id}", used)

    assert [call().status_code for _ in range(10)] == [202] * 10
    refused = call()
    refusal(refused, 429)
    assert refused.headers["Retry-After"] == "11"
    assert "q=10;w=10" in refused.headers["RateLimit-Policy"]
    other = service.deployment("other", "/nowhere")
    path = f"{UPDATE}/{other.project_id}"
    assert service.call("POST", path, service.key(other)).status_code == 202
    service.clock.move_to(service.clock.now() + timedelta(seconds=11))
    assert call().status_code == 202
