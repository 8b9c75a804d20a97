"""Forges over real HTTP: servers that keep changes, with checking proxies in front of them.

The proxy (Prism) compares every call, and every answer, with the forge's description. A
call that is not right gets 422 and does not get to the forge.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

import patient_http
from docstead.accounts.tenancy import Project, Tenancy
from docstead.agent.forges.access import ForgeAccess
from docstead.agent.forges.client import new_client
from docstead.agent.forges.factory import ForgeFactory
from docstead.agent.forges.project_settings import ProjectSettings, ProjectSettingsStore
from docstead.agent.reviews.records import ReviewRecords
from docstead.storage.database import Database
from forge_server import Front, GitHubServer, GitLabServer, front
from free_ports import free_port
from github_description import ENTERPRISE, FOLDER, GITHUB, trimmed
from manual_clock import ManualClock

_PRISM = FOLDER / "node_modules" / "@stoplight" / "prism-cli" / "dist" / "index.js"
_START_SECONDS = 120


@dataclass
class ForgeParts:
    """Parts that forges are built from."""

    database: Database
    clock: ManualClock
    client: httpx.Client
    pauses: list[float] = field(default_factory=list)

    @property
    def tenancy(self) -> Tenancy:
        return Tenancy(self.database, self.clock)

    @property
    def reviews(self) -> ReviewRecords:
        return ReviewRecords(self.database, self.clock)

    @property
    def settings(self) -> ProjectSettingsStore:
        return ProjectSettingsStore(self.database)

    def project(self, source: str, **chosen: Any) -> Project:
        """A project of a new organization, with these agent settings."""
        organization = self.tenancy.create_organization("Acme")
        project = self.tenancy.create_project(organization.id, "Handbook", source)
        if chosen:
            self.settings.save(project.id, ProjectSettings(**chosen))
        return project

    def forges(self, *known: ForgeAccess) -> ForgeFactory:
        return ForgeFactory(
            {each.name: each for each in known},
            self.settings,
            self.reviews,
            "https://docs.example.com",
            open_client=lambda: self.client,
            now=lambda: self.clock.now().timestamp(),
            sleep=self.pauses.append,
        )

    def forge(self, source: str, access: ForgeAccess) -> Any:
        """The forge of a new project that has chosen this access."""
        return self.forges(access).of(self.project(source, credential=access.name))


@pytest.fixture
def harness(sqlite_backend: Any, clock: ManualClock) -> Iterator[ForgeParts]:
    with new_client() as client:
        yield ForgeParts(sqlite_backend.database, clock, client)


@pytest.fixture(scope="session")
def github_description() -> dict[str, Any]:
    return trimmed(GITHUB)


@pytest.fixture(scope="session")
def github_front() -> Iterator[Front]:
    with front() as held:
        yield held


@pytest.fixture(scope="session")
def gitlab_front() -> Iterator[Front]:
    with front() as held:
        yield held


@pytest.fixture
def github_server(github_front: Front, github_description: dict[str, Any]) -> GitHubServer:
    """A GitHub of this test's own; `github_front.url` leads to it unchecked."""
    server = GitHubServer(examples=github_description["components"]["examples"])
    github_front.forge = server
    return server


@pytest.fixture
def gitlab_server(gitlab_front: Front) -> GitLabServer:
    server = GitLabServer()
    gitlab_front.forge = server
    return server


@pytest.fixture(scope="session")
def github_proxy(
    github_front: Front, github_description: dict[str, Any], tmp_path_factory: Any
) -> Iterator[str]:
    """GitHub, behind the proxy that checks calls against GitHub's description."""
    path = tmp_path_factory.mktemp("description") / "github.json"
    path.write_text(json.dumps(github_description))
    with _prism(path, github_front.url) as url:
        yield url


@pytest.fixture(scope="session")
def enterprise_proxy(github_front: Front, tmp_path_factory: Any) -> Iterator[str]:
    """The same, checked against the description of Enterprise Server."""
    path = tmp_path_factory.mktemp("description") / "enterprise.json"
    path.write_text(json.dumps(trimmed(ENTERPRISE)))
    with _prism(path, github_front.url) as url:
        yield url


@pytest.fixture(scope="session")
def gitlab_proxy(gitlab_front: Front) -> Iterator[str]:
    """GitLab, behind the proxy that checks calls against the recorded shapes."""
    with _prism(FOLDER / "gitlab.json", gitlab_front.url) as url:
        yield url


@contextmanager
def _prism(description: Path, upstream: str) -> Iterator[str]:
    assert _PRISM.exists(), "run `make test-python` once: it installs the checking proxy"
    port = free_port()
    command = ["node", str(_PRISM), "proxy", str(description), upstream, "--errors"]
    process = subprocess.Popen(
        [*command, "--port", str(port), "--host", "127.0.0.1"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(120)


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while True:
        with suppress(httpx.TransportError):
            patient_http.get(url)
            return
        assert process.poll() is None, "the checking proxy did not start"
        assert time.monotonic() < deadline, "the checking proxy is not ready"
        time.sleep(0.05)
