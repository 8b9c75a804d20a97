"""Publishing archives and named sources over HTTP."""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from docstead.api.local_sessions import PREFIX
from docstead.app.service import create_service
from docstead.app.services import AppServices, open_services
from docstead.base.api_keys import KeyKind
from docstead.base.errors import NotFound
from docstead.base.local_proof import Challenge, new_nonce
from docstead.base.units import MIB
from docstead.export.records import ExportRecords, ExportStatus
from docstead.publishing.publications import Destination
from docstead.publishing.sources import DocumentationSource
from docstead.settings import Settings
from in_process import send

PORT = 8080
URL = f"http://127.0.0.1:{PORT}"
HERE, ELSEWHERE = "127.0.0.1", "203.0.113.7"
CONFIG = json.dumps({"name": "Acme", "theme": "mint", "colors": {"primary": "#123456"},
                     "navigation": {"pages": ["index"]}})  # fmt: skip
FILES = {"docs.json": CONFIG, "index.mdx": "# Home\n\n[gone](/gone)\n"}


class PublishingService:
    """The service in this process, with its jobs."""

    def __init__(self, services: AppServices, app: Any, portal: BlockingPortal) -> None:
        self.services = services
        self.app = app
        self.portal = portal
        self.organization = services.tenancy.create_organization("acme")
        self.key = self.new_key(self.organization.id)

    def new_key(self, organization_id: str, **options: Any) -> str:
        return self.services.api_keys.create(organization_id, KeyKind.ADMIN, "test", **options).key

    async def _call(
        self, method: str, path: str, token: str, client: str, more: dict[str, Any]
    ) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token or self.key}", **more.pop("headers", {})}
        return await send(
            self.app, method, path, headers=headers, **more, base_url=URL, client_ip=client
        )

    def call(
        self, method: str, path: str, token: str = "", client: str = HERE, **more: Any
    ) -> httpx.Response:
        return self.portal.call(self._call, method, path, token, client, more)

    def published(self, path: str, token: str = "", **more: Any) -> dict[str, Any]:
        """Begin an update and follow it to its end."""
        started = self.call("POST", path, token, **more)
        assert started.status_code == 202, started.text
        deadline = time.monotonic() + 120
        while True:
            status = f"/v1/publishing/updates/{started.json()['statusId']}"
            found: dict[str, Any] = self.call("GET", status, token).json()
            if found["status"] in ("success", "failure"):
                return found
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def session(self, key: bytes, client: str = HERE, **headers: str) -> httpx.Response:
        """Ask for the token of a local session."""
        nonce = new_nonce()
        asked = self.call(
            "POST", "/v1/local-session/challenge", client=client, json={"nonce": nonce},
            headers=headers,
        )  # fmt: skip
        if not asked.is_success:
            return asked
        challenge = Challenge(nonce, asked.json()["nonce"], PORT)
        proof = {"nonce": challenge.service, "proof": challenge.proof_of_command(key)}
        return self.call("POST", "/v1/local-session", json=proof)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PublishingService]:
    settings = Settings(
        data=tmp_path_factory.mktemp("service") / "data",
        source_bytes=2 * MIB,
        render_workers=1,
        allowed_hostnames=("*.docs.example.com", "help.example.com"),
    )
    with open_services(settings) as services, start_blocking_portal() as portal:
        app: Any = create_service(services)
        with portal.wrap_async_context_manager(app.lifespan_context(app)):
            yield PublishingService(services, app, portal)


def _archive(files: dict[str, str], link: str = "") -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
        if link:
            member = tarfile.TarInfo("link.mdx")
            member.type, member.linkname = tarfile.SYMTYPE, link
            archive.addfile(member)
    return data.getvalue()


def test_an_archive_is_published_with_its_report(service: PublishingService) -> None:
    ended = service.published("/v1/publishing/first", content=_archive(FILES))
    assert ended["status"] == "success", ended
    assert (ended["report"]["pages"], ended["report"]["failed"]) == (1, 0)
    assert [each["code"] for each in ended["report"]["diagnostics"]] == ["broken-link"]
    assert ended["siteUrl"] == f"http://first.localhost:{PORT}"
    assert service.services.tenancy.deployment_of_domain("first").hostname == "first.localhost"


def test_the_documented_archive_is_published(service: PublishingService, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    command = ["tar", "czf", "-", "-C", str(tmp_path), "."]
    archive = subprocess.run(command, capture_output=True, check=True).stdout
    ended = service.published("/v1/publishing/tar", content=archive)
    assert ended["status"] == "success", ended


def test_links_in_archives_are_refused(service: PublishingService) -> None:
    hostile = _archive(FILES, link="/etc/passwd")
    ended = service.published("/v1/publishing/linking", content=hostile)
    assert ended["status"] == "failure"
    assert "symbolic link" in ended["summary"]
    assert ended["siteUrl"] is None


def test_an_archive_that_unpacks_to_too_much_is_refused(service: PublishingService) -> None:
    bomb = _archive({**FILES, "zeros.txt": "0" * (3 * MIB)})
    ended = service.published("/v1/publishing/bomb", content=bomb)
    assert ended["status"] == "failure"
    assert "unpacks to more than" in ended["summary"]


def test_an_archive_that_failed_is_not_kept(service: PublishingService) -> None:
    sent = service.published("/v1/publishing/kept", content=_archive(FILES))
    assert sent["status"] == "success", sent
    stored = set(service.services.objects.keys("archives"))
    hostile = _archive(FILES, link="/etc/shadow")
    assert service.published("/v1/publishing/kept", content=hostile)["status"] == "failure"
    deadline = time.monotonic() + 120  # it is removed once the update has ended
    while set(service.services.objects.keys("archives")) != stored:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_an_archive_above_the_storage_of_an_organization_is_refused(
    service: PublishingService,
) -> None:
    services = service.services
    full = services.tenancy.create_organization("full").id
    project = services.tenancy.create_project(full, "Full", "/nowhere")
    site = services.tenancy.create_deployment(project.id, "full", "full.localhost")
    records = ExportRecords(services.database, services.clock)
    bundle = records.create(
        deployment_id=site.id, organization_id=full, edition_id="ed", version=None, paths=None
    )
    size = services.settings.organization_bytes
    records.advance(bundle.id, ExportStatus.RUNNING)
    records.advance(bundle.id, ExportStatus.COMPLETED, size_bytes=size)
    stored = set(services.objects.keys())
    answer = service.call(
        "POST", "/v1/publishing/more", service.new_key(full), content=_archive(FILES)
    )
    assert answer.status_code == 403
    assert "may store 102,400 MB" in answer.json()["error"]
    assert set(services.objects.keys()) == stored
    assert [each.name for each in services.tenancy.projects(full)] == ["Full"]


def test_bodies_are_limited_as_repositories_are(service: PublishingService) -> None:
    large = service.call("POST", "/v1/publishing/large", content=b"x" * (3 * MIB))
    assert large.status_code == 413
    assert "DOCSTEAD_SOURCE_BYTES" in large.json()["error"]
    empty = service.call("POST", "/v1/publishing/empty")
    assert empty.status_code == 400


def test_names_are_checked_before_anything_is_stored(service: PublishingService) -> None:
    for path in ("/v1/publishing/No%20domain", "/v1/publishing/x?hostname=a_b"):
        assert service.call("POST", path, content=_archive(FILES)).status_code == 400
    assert list(service.services.objects.keys("archives/none")) == []


@pytest.mark.parametrize(
    "hostname", ["bank.example", "docs.example.com", "evil-docs.example.com", "a.help.example.com"]
)
def test_a_key_may_not_choose_other_hostnames(service: PublishingService, hostname: str) -> None:
    tenancy = service.services.tenancy
    before = tenancy.projects(service.organization.id)
    path = f"/v1/publishing/chosen?hostname={hostname}"
    refused = service.call("POST", path, content=_archive(FILES))
    assert refused.status_code == 403
    assert refused.json()["error"] == (
        f"hostname: {hostname} is not allowed; "
        "choose one of *.docs.example.com, help.example.com, or leave it out"
    )
    assert tenancy.projects(service.organization.id) == before


@pytest.mark.parametrize("hostname", ["127.0.0.1", "10.1.2.3", "localhost", "LOCALHOST"])
def test_a_key_may_never_choose_names_of_the_service(
    service: PublishingService, hostname: str
) -> None:
    path = f"/v1/publishing/stolen?hostname={hostname}"
    refused = service.call("POST", path, content=_archive(FILES))
    assert refused.status_code == 403
    assert refused.json()["error"] == (
        f"hostname: {hostname.lower()} belongs to the service; leave it out"
    )


def test_a_key_may_choose_allowed_hostnames_and_the_operator_any(
    service: PublishingService, tmp_path: Path
) -> None:
    publications, tenancy = service.services.publications, service.services.tenancy
    source = DocumentationSource(str(tmp_path))
    for owner, domain, hostname in (
        (service.organization.id, "one", "a.b.docs.example.com"),
        (service.organization.id, "two", "HELP.example.com"),
        (service.organization.id, "three", "three.localhost"),
        (None, "four", "bank.example"),
    ):
        begun = publications.start(owner, Destination(domain, hostname), source, "api")
        assert begun.target is not None
        assert begun.target.deployment is not None
        assert begun.target.deployment.hostname == hostname.lower()
        assert tenancy.project(begun.project_id).name == domain


def test_domains_of_others_are_taken(service: PublishingService) -> None:
    service.published("/v1/publishing/mine", content=_archive(FILES))
    other = service.services.tenancy.create_organization("other")
    key = service.new_key(other.id)
    refused = service.call("POST", "/v1/publishing/mine", key, content=_archive(FILES))
    assert (refused.status_code, "'mine'" in refused.json()["error"]) == (409, True)
    assert service.services.tenancy.deployment_of_domain("mine").organization_id != other.id


def test_a_former_domain_is_refused_to_its_organization_only(service: PublishingService) -> None:
    service.published("/v1/publishing/before", content=_archive(FILES))
    tenancy = service.services.tenancy
    renamed = tenancy.deployment_of_domain("before")
    service.services.renames.rename(renamed.id, "after")
    refused = service.call("POST", "/v1/publishing/before", content=_archive(FILES))
    assert refused.status_code == 409
    assert refused.json()["error"] == (
        "domain: 'before' was renamed to 'after'; publish to that domain"
    )
    key = service.new_key(tenancy.create_organization("newcomer").id)
    done = service.published("/v1/publishing/before", key, content=_archive(FILES))
    assert done["status"] == "success"
    assert tenancy.deployment_named("before").organization_id != renamed.organization_id
    assert tenancy.deployment_named("after").id == renamed.id


def test_unknown_updates_do_not_count(service: PublishingService) -> None:
    organization = service.services.tenancy.create_organization("followers").id
    key = service.new_key(organization)
    begun = service.published("/v1/publishing/followed", key, content=_archive(FILES))
    path, unknown = "/v1/publishing/updates/", "up_0123456789abcdef"
    for _ in range(601):
        assert service.call("GET", f"{path}{unknown}", key).status_code == 404
    assert service.call("GET", f"{path}{begun['statusId']}", key).status_code == 200


def test_reading_keys_do_not_publish(service: PublishingService) -> None:
    key = service.new_key(service.organization.id, scopes=["read"])
    refused = service.call("POST", "/v1/publishing/unwritten", key, content=_archive(FILES))
    assert refused.status_code == 403
    with pytest.raises(NotFound):
        service.services.tenancy.deployment_of_domain("unwritten")


def test_keys_send_no_paths(service: PublishingService, tmp_path: Path) -> None:
    body = {"source": str(tmp_path)}
    ended = service.published("/v1/publishing/paths", json=body)
    assert ended["status"] == "failure"
    assert "gzip" in ended["summary"]


def test_a_local_session_names_a_folder(service: PublishingService, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    opened = service.session(service.services.keyring.commands_key)
    token = opened.json()["token"]
    assert token.startswith(PREFIX)
    body = {"source": str(tmp_path)}
    ended = service.published("/v1/publishing/local", token=token, json=body)
    assert ended["status"] == "success", ended
    missing = {"source": str(tmp_path / "nowhere")}
    refused = service.call("POST", "/v1/publishing/local", token, json=missing)
    assert refused.status_code == 422
    assert "cannot read" in refused.json()["error"]
    sent = service.published("/v1/publishing/local", token=token, content=_archive(FILES))
    assert sent["status"] == "success"


def test_a_local_session_needs_the_key_and_this_machine(service: PublishingService) -> None:
    key = service.services.keyring.commands_key
    assert service.session(b"another key").status_code == 401
    assert service.session(key, client=ELSEWHERE).status_code == 403
    assert service.session(key, **{"X-Forwarded-For": ELSEWHERE}).status_code == 403
    token = service.session(key).json()["token"]
    used_elsewhere = service.call("GET", "/v1/publishing/updates/up_1", token, ELSEWHERE)
    assert used_elsewhere.status_code == 403
    assert service.call("GET", "/v1/publishing/updates/up_1", token).status_code == 404
    assert service.call("GET", "/v1/publishing/updates/up_1", f"{PREFIX}x").status_code == 401


def test_a_proof_is_good_once_and_for_one_port(service: PublishingService) -> None:
    key, nonce = service.services.keyring.commands_key, new_nonce()
    path = "/v1/local-session/challenge"
    answered = service.call("POST", path, json={"nonce": nonce}).json()
    challenge = Challenge(nonce, answered["nonce"], PORT)
    assert answered["proof"] == challenge.proof_of_service(key)
    proof = {"nonce": challenge.service, "proof": challenge.proof_of_command(key)}
    assert service.call("POST", "/v1/local-session", json=proof).status_code == 200
    assert service.call("POST", "/v1/local-session", json=proof).status_code == 401
    answered = service.call("POST", path, json={"nonce": nonce}).json()
    elsewhere = Challenge(nonce, answered["nonce"], PORT + 1)
    relayed = {"nonce": elsewhere.service, "proof": elsewhere.proof_of_command(key)}
    assert service.call("POST", "/v1/local-session", json=relayed).status_code == 401
