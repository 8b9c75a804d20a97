"""The whole service on a real port, with clients of its agent API."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import patient_http
from builds import fork_server
from chat_server import ChatServer
from docstead.accounts.plans import OrganizationPlan
from docstead.accounts.tenancy import Project
from docstead.agent.reviews.records import Review
from docstead.app.service import create_service
from docstead.app.services import AppServices, open_services
from docstead.base.api_keys import KeyKind
from docstead.settings import Settings
from running_server import running_server


@dataclass(frozen=True)
class AgentTenant:
    """A project and an admin key of its organization."""

    project: Project
    key: str

    @property
    def jobs(self) -> str:
        return f"/v2/agent/{self.project.id}/job"


@dataclass
class AgentServer:
    services: AppServices
    url: str
    _tenants: dict[Path, AgentTenant] = field(default_factory=dict)

    def tenant(self, name: str, repository: Path, root: str = "") -> AgentTenant:
        """Create the project of a repository in a new organization."""
        if repository not in self._tenants:
            organization = self.services.tenancy.create_organization(
                name, OrganizationPlan.ENTERPRISE
            )
            project = self.services.tenancy.create_project(
                organization.id, name, str(repository), "main", root
            )
            made = self.services.api_keys.create(organization.id, KeyKind.ADMIN, "test")
            self._tenants[repository] = AgentTenant(project, made.key)
        return self._tenants[repository]

    def created(self, tenant: AgentTenant, prompt: str) -> dict[str, Any]:
        return self._call("POST", tenant, "", 201, {"prompt": prompt})

    def followed_up(self, tenant: AgentTenant, job_id: str, prompt: str) -> dict[str, Any]:
        return self._call("POST", tenant, f"/{job_id}/message", 200, {"prompt": prompt})

    def job(self, tenant: AgentTenant, job_id: str) -> dict[str, Any]:
        return self._call("GET", tenant, f"/{job_id}", 200)

    def ended(self, tenant: AgentTenant, job_id: str, seconds: float = 120) -> dict[str, Any]:
        """Wait until the job is no longer active; return it."""
        deadline = time.monotonic() + seconds
        while (job := self.job(tenant, job_id))["status"] == "active":
            assert time.monotonic() < deadline, job
            time.sleep(0.1)
        return job

    def events(self, tenant: AgentTenant, job_id: str) -> list[tuple[str, dict[str, Any]]]:
        """Return kind and data of every event of an ended job."""
        path = f"{self.url}/v2/agent/{tenant.project.id}/job/{job_id}/events"
        text = patient_http.get(path, headers=_headers(tenant)).text
        blocks = [block.split("\n") for block in text.split("\n\n") if "\nevent: " in f"\n{block}"]
        lines = [dict(line.split(": ", 1) for line in block if ": " in line) for block in blocks]
        return [(each["event"], json.loads(each["data"])) for each in lines]

    def changes(self, tenant: AgentTenant, branch: str) -> list[Review]:
        """Return all pull requests of a branch, including closed ones."""
        found = self.services.forges.reviews.of_project(tenant.project.id)
        return [each for each in found if each.branch == branch]

    def _call(
        self, method: str, tenant: AgentTenant, path: str, status: int, body: Any = None
    ) -> Any:
        url = f"{self.url}/v2/agent/{tenant.project.id}/job{path}"
        answer = patient_http.request(method, url, headers=_headers(tenant), json=body)
        assert answer.status_code == status, answer.text
        return answer.json()


@contextmanager
def agent_server(data: Path, chat: ChatServer, **settings: Any) -> Iterator[AgentServer]:
    """Yield a service whose agent uses the model `chat`."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        chosen = Settings(
            data=data,
            base_url=url,
            model_base_url=chat.url,
            model_name="scripted",
            **{"render_workers": 1, **settings},
        )
        with (
            open_services(chosen, fork_server()) as services,
            running_server(create_service(services), listener),
        ):
            yield AgentServer(services, url)


def _headers(tenant: AgentTenant) -> dict[str, str]:
    return {"Authorization": f"Bearer {tenant.key}"}
