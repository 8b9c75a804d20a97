"""A service that is killed and restarted, with a repository that has a tag for each round."""

from __future__ import annotations

import json
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

import killed_node
import patient_http
from docstead.accounts.plans import OrganizationPlan
from docstead.app.services import open_services
from docstead.base.api_keys import KeyKind
from docstead.settings import Settings
from ready_processes import ReadyProcess, ReadyProcesses

SECONDS = 300


@dataclass
class NodeTenant:
    """The tenant of the test, and its keys."""

    project_id: str
    admin: str
    assistant: str


@dataclass
class KillableNode:
    """The service, restarted after each kill."""

    data: Path
    port: int
    ready: ReadyProcesses
    kills: int = 0
    broken: Counter[str] = field(default_factory=Counter)  # requests without a response, by path
    process: ReadyProcess | None = None

    @property
    def points(self) -> Path:
        return self.data.with_name(f"{self.data.name}-points")

    def request(self, method: str, path: str, key: str = "", **more: Any) -> httpx.Response:
        """Send a request, again after each time that the node dies of it."""
        deadline = time.monotonic() + SECONDS
        while True:
            self.keep_alive()
            try:
                return self.once(method, path, key, **more)
            except httpx.TransportError:
                self.broken[path] += 1
                self.await_death()
                assert time.monotonic() < deadline, self.log()

    def once(self, method: str, path: str, key: str = "", **more: Any) -> httpx.Response:
        url = path if path.startswith("http") else f"http://127.0.0.1:{self.port}{path}"
        headers = {**({"authorization": f"Bearer {key}"} if key else {}), **more.pop("headers", {})}
        return patient_http.request(method, url, headers=headers, verify=False, **more)

    def keep_alive(self) -> None:
        """Start the node if it has died, and wait until it answers."""
        deadline = time.monotonic() + SECONDS
        while not self._is_well():
            assert time.monotonic() < deadline, self.log()
            if self.process is None or self.process.poll() is not None:
                self.kills += self.process is not None
                self._start()
            time.sleep(0.05)

    def await_death(self) -> None:
        """Wait until the process has ended whose connection broke."""
        if self.process is not None:
            try:
                self.process.wait(120)
            except subprocess.TimeoutExpired:
                raise AssertionError(f"the node lives but breaks off: {self.log()}") from None

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def log(self) -> str:
        return self._log.read_text()[-4_000:]

    @property
    def _log(self) -> Path:
        return self.data.with_name(f"{self.data.name}-log")

    def _is_well(self) -> bool:
        if self.process is None or self.process.poll() is not None:
            return False
        try:
            return self.once("GET", "/livez").status_code == 200
        except httpx.TransportError:
            return False

    def _start(self) -> None:
        self.points.touch()
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.data.parent)}
        environment |= {f"DOCSTEAD_{k}": v for k, v in _settings(self.data, self.port).items()}
        command = [Path(killed_node.__file__), self.points, self._log]
        self.process = self.ready.start(command, environment)


def _settings(data: Path, port: int) -> dict[str, str]:
    return {
        "DATA": str(data),
        "PORT": str(port),
        "RENDER_WORKERS": "1",
        "ADDRESS_REQUESTS_PER_HOUR": "1000000000",
        "LIMITS": '{"export-start": 1000, "project-update": 1000}',
        "LOG_LEVEL": "warning",
    }


def new_installation(folder: Path, port: int) -> NodeTenant:
    """Create a data folder with a project whose repository has a tag for each round."""
    _new_repository(folder / "repository", range(1, 41))
    with open_services(Settings(data=folder / "data", port=port, render_workers=1)) as services:
        organization = services.tenancy.create_organization("Acme", OrganizationPlan.ENTERPRISE)
        project = services.tenancy.create_project(
            organization.id, "Docs", f"file://{folder / 'repository'}", "main", ""
        )
        deployment = services.tenancy.create_deployment(project.id, "docs", "docs.acme.example")
        create = services.api_keys.create
        admin = create(organization.id, KeyKind.ADMIN, "test")
        assistant = create(organization.id, KeyKind.ASSISTANT, "test", deployment_id=deployment.id)
    return NodeTenant(project.id, admin.key, assistant.key)


def _new_repository(folder: Path, numbers: range) -> None:
    config = {
        "name": "Acme",
        "theme": "mint",
        "colors": {"primary": "#0055ff"},
        "logo": "/logo.svg",
        "navigation": {"pages": ["index", "guides/keys"]},
    }
    (folder / "guides").mkdir(parents=True)
    (folder / "docs.json").write_text(json.dumps(config))
    (folder / "index.mdx").write_text("---\ntitle: Acme\n---\n\nAcme sends parcels.\n")
    _git(folder, "init", "--quiet", "--initial-branch=main")
    for number in numbers:
        color = f"{number:06x}"
        (folder / "logo.svg").write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg"><path fill="#{color}" d="M0 0h8v8z"/></svg>'
        )
        (folder / "guides" / "keys.mdx").write_text(
            "---\ntitle: API keys\n---\n\nAPI keys let programs act for you.\n\n"
            f"## Rotate a key\n\nTo rotate a key, open Settings, page {number}, and choose Rotate. "
            f"The key before stays valid for {number} hours.\n"
        )
        _git(folder, "add", "--all")
        _git(folder, "commit", "--quiet", "--message", f"Round {number}")
        _git(folder, "tag", f"round-{number}")


def _git(folder: Path, *arguments: str) -> None:
    name = ("-c", "user.name=Tester", "-c", "user.email=tester@example.com")
    subprocess.run(["git", *name, *arguments], cwd=folder, check=True)
