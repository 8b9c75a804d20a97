"""The feature table on a running service and on bundle hosts, generated from the table.

Every profile that the table allows is the profile of one deployment. For each of them every
surface that belongs to a feature is asked, and answers exactly where the feature is on.
"""

from __future__ import annotations

import io
import itertools
import json
import re
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

import patient_http
from attacked_service import small_source
from docstead.accounts.tenancy import Deployment
from docstead.app.services import open_services
from docstead.base.api_keys import KeyKind
from docstead.base.clock import SystemClock
from docstead.base.errors import InvalidRequest, NotFound
from docstead.base.features import FEATURES, DeploymentType, FeatureProfile, Features
from docstead.base.outbound import OutboundClient
from docstead.export.manifest import MARKER, read_facts
from docstead.hosting.bundle.application import BundleHosting
from docstead.hosting.bundle.config import parsed_config
from docstead.hosting.bundle.installing import Installer, check_bundle
from docstead.hosting.bundle.manager import BundleManager
from docstead.hosting.bundle.releases import ReleaseStore
from docstead.settings import Settings
from free_ports import free_port
from in_process import ask
from running_service import Service
from tenancy_changes import set_current_edition

MESSAGE = {"id": "1", "role": "user", "content": "Elephants?"}
V1 = {"fp": "anonymous", "messages": [{**MESSAGE, "parts": [{"type": "text", "text": "Sleep?"}]}]}
V2_MESSAGE = {"id": "1", "role": "user", "parts": [{"type": "text", "text": "Sleep?"}]}
OPERATION = "/api-reference/call-0"
FEEDBACK = {"id": "0123456789abcdef", "path": "/", "helpful": True}


def possible(kind: DeploymentType) -> Iterator[FeatureProfile]:
    for bits in itertools.product((True, False), repeat=len(FEATURES)):
        try:
            chosen = dict(zip(FEATURES, bits, strict=True))
            yield FeatureProfile(kind, Features.of(kind, chosen))
        except InvalidRequest:
            continue


def domain_of(profile: FeatureProfile) -> str:
    on = [name for name, is_on in profile.features.by_name().items() if is_on]
    return "-".join((profile.type.value, *on))


PROFILES = {domain_of(each): each for kind in DeploymentType for each in possible(kind)}


@dataclass
class FeatureSite:
    """One deployment of the service, or one bundle."""

    client: Callable[..., httpx.Response]
    key: str = ""
    domain: str = ""

    def call(self, method: str, path: str, **body: Any) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.key}"}
        return self.client(method, path.replace("{}", self.domain), headers=headers, **body)

    def page(self, path: str = "/") -> str:
        found = self.client("GET", path, headers=self.host)
        assert found.status_code == 200, found.text
        return found.text

    def loads(self, script: str, path: str = "/") -> bool:
        """Return whether a page names this script of ours."""
        return re.search(rf"_docs/{script}\.[0-9a-f]+\.js", self.page(path)) is not None

    def starts(self, setting: str) -> bool:
        """Return whether the script of all pages has this setting."""
        return re.search(rf"_docs/page\.[^>]*\bdata-{setting}=", self.page()) is not None

    def post(self, path: str, body: object) -> httpx.Response:
        origin = {"sec-fetch-site": "same-origin", "origin": f"http://{self.host['host']}"}
        return self.client("POST", path, headers={**self.host, **origin}, json=body)

    @property
    def host(self) -> dict[str, str]:
        return {"host": f"{self.domain}.localhost"}

    def tools(self) -> list[str]:
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        headers = {
            **self.host,
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": "2025-06-18",
        }
        found = self.client("POST", "/mcp", headers=headers, json=asked)
        return [each["name"] for each in found.json()["result"]["tools"]]


def source(folder: Path) -> Path:
    small_source(folder, ("https://api.example.com",))
    config = json.loads((folder / "docs.json").read_text())
    config["integrations"] = {"plausible": {"domain": "docs.example.com"}}
    config["feedback"] = {"thumbsRating": True}
    (folder / "docs.json").write_text(json.dumps(config))
    return folder


def own_settings(profile: FeatureProfile) -> dict[str, object]:
    fixed = [f"{name}={'on' if on else 'off'}" for name, on in profile.features.by_name().items()]
    kind = profile.type.value
    return {
        "deployment_type": kind,
        "features": fixed,
        "export_deployment_type": kind,
        "export_features": fixed,
    }


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("features")
    deployments = {domain: own_settings(profile) for domain, profile in PROFILES.items()}
    deployments["nobody"] = {"deployment_type": "air-gapped"}
    more = (
        ("DOCSTEAD_DEPLOYMENTS", json.dumps(deployments)),
        ("DOCSTEAD_LIMITS", json.dumps({"export-start": 100, "export-status": 10_000})),
    )
    running = Service(source(folder / "source"), folder / "data", free_port(), more=more)
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def keys(service: Service) -> dict[str, str]:
    """A deployment for each profile, with a key for each."""
    settings = Settings(data=service.data, port=service.port, limits={"key-creation": 100})
    with open_services(settings) as services:
        tenancy = services.tenancy
        first = tenancy.deployment_of_domain(service.facts["domain"])

        def made(domain: str) -> Deployment:
            return tenancy.create_deployment(first.project_id, domain, f"{domain}.localhost")

        deployments = [made(domain) for domain in PROFILES]
        assert first.current_edition_id is not None
        set_current_edition(tenancy, first.project_id, first.current_edition_id)
        create = services.api_keys.create
        return {
            each.domain: create(
                each.organization_id, KeyKind.ASSISTANT, "k", deployment_id=each.id
            ).key
            for each in deployments
        }


@pytest.fixture(scope="module")
def sites(service: Service, keys: dict[str, str]) -> Iterator[dict[str, FeatureSite]]:
    with httpx.Client(base_url=service.facts["baseUrl"], timeout=120) as client:
        yield {domain: FeatureSite(client.request, key, domain) for domain, key in keys.items()}


def answers(response: httpx.Response) -> bool:
    """Return whether it is answered; a refusal must be the interface's own."""
    if response.status_code == 503:
        assert list(response.json()) == ["error"]
        assert "switched off" in response.json()["error"]
        return False
    assert response.status_code < 500, response.text
    return True


PAGE: dict[str, tuple[str, Callable[[FeatureSite], bool]]] = {
    "search in pages": ("search", lambda site: site.loads("search")),
    "panel": ("assistant", lambda site: site.starts("assistant")),
    "counting script": ("analytics", lambda site: site.starts("events")),
    "thumbs": ("analytics", lambda site: "data-thumbs" in site.page()),
    "integrations": ("analytics", lambda site: site.starts("integrations")),
}
SERVICE: dict[str, tuple[str, Callable[[FeatureSite], bool]]] = {
    **PAGE,
    "playground script": (
        "playground", lambda site: site.loads("playground", OPERATION),
    ),
    "search endpoint": (
        "search",
        lambda site: answers(site.call("POST", "/discovery/v1/search/{}", json={"query": "a"})),
    ),
    "message v1": (
        "assistant",
        lambda site: answers(site.call("POST", "/discovery/v1/assistant/{}/message", json=V1)),
    ),
    "message v2": (
        "assistant",
        lambda site: answers(
            site.call(
                "POST", "/discovery/v2/assistant/{}/message",
                json={"fp": "anonymous", "messages": [V2_MESSAGE]},
            )
        ),
    ),
    "widget": (
        "assistant",
        lambda site: answers(site.call("GET", "/discovery/v2/assistant/{}/starters")),
    ),
    "resume": (
        "assistant",
        lambda site: answers(site.call("GET", "/discovery/v2/assistant/{}/message/c/stream")),
    ),
    "feedback on answers": (
        "assistant",
        lambda site: answers(
            site.call(
                "POST", "/discovery/v2/assistant/{}/feedback",
                json={"messageId": "m", "helpful": True},
            )
        ),
    ),
    "tool search": ("search", lambda site: "search" in site.tools()),
    "tool ask": ("assistant", lambda site: "ask" in site.tools()),
    "tool report_problem": ("analytics", lambda site: "report_problem" in site.tools()),
    "events": (
        "analytics",
        lambda site: answers(
            site.call("POST", "/discovery/v1/events/{}", json={"event": "view", "path": "/"})
        ),
    ),
    "feedback on pages": (
        "analytics",
        lambda site: answers(site.call("POST", "/discovery/v1/feedback/{}", json=FEEDBACK)),
    ),
    "view beacon": (
        "analytics",
        lambda site: answers(site.post("/_docs/api/v1/e", {"event": "view", "path": "/"})),
    ),
    "feedback beacon": (
        "analytics", lambda site: answers(site.post("/_docs/api/feedback", FEEDBACK)),
    ),
    "playground proxy": (
        "playground",
        lambda site: answers(
            site.post("/_docs/api/request", {"page": "/", "method": "GET", "url": "https://a.b/"})
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("surface", SERVICE)
@pytest.mark.parametrize("domain", PROFILES)
def test_the_service_offers_what_the_table_says(
    sites: dict[str, FeatureSite], domain: str, surface: str
) -> None:
    feature, is_available = SERVICE[surface]
    assert is_available(sites[domain]) is getattr(PROFILES[domain].features, feature)


def test_pages_and_the_tool_that_reads_them_belong_to_no_feature(
    sites: dict[str, FeatureSite],
) -> None:
    for site in sites.values():
        assert "read_page" in site.tools()
        found = site.call("POST", "/discovery/v1/page/{}", json={"path": "/"})
        assert found.status_code == 200


@pytest.mark.parametrize(
    "path",
    ["views", "visitors", "searches", "feedback", "feedback/by-page", "assistant",
     "assistant/caller-stats", "assistant/threads/thr_1"],
)  # fmt: skip
def test_analytics_of_a_project_without_them_are_refused(service: Service, path: str) -> None:
    settings = Settings(data=service.data, port=service.port)
    with open_services(settings) as services:
        mine = services.tenancy.deployment_of_domain(service.facts["domain"])
        project = services.tenancy.create_project(mine.organization_id, path, "/nowhere")
        try:
            found = services.tenancy.deployment_of_domain("nobody")
        except NotFound:
            found = services.tenancy.create_deployment(project.id, "nobody", "nobody.localhost")
    refused = service.admin("GET", f"/v1/analytics/{found.project_id}/{path}")
    assert refused.status_code == 503, refused.text
    assert "switched off" in refused.json()["error"]
    answered = service.admin("GET", f"/v1/analytics/{mine.project_id}/{path}")
    assert answered.status_code == (404 if "threads/" in path else 200)


@pytest.fixture(scope="module")
def archives(service: Service, keys: dict[str, str]) -> dict[str, bytes]:
    """The bundle of each deployment, exported by the service."""
    jobs = {
        domain: service.admin("POST", "/v1/static-export/jobs", json={"domain": domain}).json()
        for domain in keys
    }
    found = {}
    for domain, job in jobs.items():
        assert service.ended(job["jobId"])["status"] == "completed"
        bundle = service.admin("POST", f"/v1/static-export/jobs/{job['jobId']}/bundle").json()
        found[domain] = patient_http.get(bundle["bundleUrl"]).content
    return found


def configuration(profile: FeatureProfile) -> dict[str, object]:
    return {
        "deploymentType": profile.type.value,
        "features": profile.features.by_name(),
        "staticExport": {"enabled": True, "bundleUrl": "bundle.tar.gz"},
    }


def bundle_host(
    folder: Path, profile: FeatureProfile, archive: bytes
) -> tuple[FeatureSite, str | None]:
    """Serve a bundle as `docstead host` does; the site, and its error."""
    (folder / "bundle.tar.gz").write_bytes(archive)
    (folder / "deployment.yaml").write_text(json.dumps(configuration(profile)))
    releases = ReleaseStore(folder / "bundles")
    installer = Installer(
        releases, lambda found: OutboundClient(found.allowed_networks), SystemClock()
    )
    manager = BundleManager(folder / "deployment.yaml", releases, installer)
    manager.open()
    manager.poll()

    hosting = BundleHosting(manager)
    site = FeatureSite(partial(ask, hosting, base_url="http://d.test"), domain="d")
    return site, manager.report()["error"]


@pytest.mark.parametrize("domain", PROFILES)
def test_a_bundle_host_offers_what_the_table_says(
    archives: dict[str, bytes], tmp_path: Path, domain: str
) -> None:
    profile = PROFILES[domain]
    site, error = bundle_host(tmp_path, profile, archives[domain])
    assert error is None
    for feature, is_available in PAGE.values():
        assert is_available(site) is getattr(profile.features, feature)
    has_playground = site.loads("playground", OPERATION)
    assert has_playground is profile.features.playground
    with tarfile.open(fileobj=io.BytesIO(archives[domain])) as archive:
        has_index = any(name.startswith("_docs/search/") for name in archive.getnames())
    assert has_index is profile.features.search


def test_a_bundle_host_refuses_bundles_with_more_than_it_allows(archives: dict[str, bytes]) -> None:
    facts = {}
    for domain, data in archives.items():
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            member = archive.extractfile(MARKER)
            assert member is not None
            facts[domain] = read_facts(member.read())
    for made, hosted in itertools.product(PROFILES, repeat=2):
        has, allowed = (PROFILES[each].features.by_name() for each in (made, hosted))
        config = parsed_config(json.dumps(configuration(PROFILES[hosted])).encode(), Path("d.yaml"))
        surplus = [name for name in FEATURES if has[name] and not allowed[name]]
        if not surplus:
            check_bundle(facts[made], config)
            continue
        with pytest.raises(
            InvalidRequest, match=rf"^features\.({'|'.join(surplus)}): disabled here"
        ):
            check_bundle(facts[made], config)
