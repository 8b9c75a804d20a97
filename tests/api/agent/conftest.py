"""Agent jobs over HTTP. Turns are queued here and never run."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp

from agent_server import AgentTenant
from docstead.accounts.plans import OrganizationPlan
from docstead.agent.event_log import EventLog
from docstead.agent.records import AgentRecords
from docstead.agent.turn_ends import TurnEnd
from docstead.agent.values import StepRecord
from docstead.app.service import create_service
from docstead.app.services import AppServices, open_services
from docstead.base.api_keys import KeyKind
from docstead.settings import Settings
from in_process import ask

BASE_URL = "http://service.test"


@dataclass(frozen=True)
class AgentService:
    services: AppServices
    app: ASGIApp
    folder: Path

    def tenant(
        self, name: str, plan: OrganizationPlan = OrganizationPlan.ENTERPRISE, **key: Any
    ) -> AgentTenant:
        organization = self.services.tenancy.create_organization(name, plan)
        repository = self.folder / "repository"
        project = self.services.tenancy.create_project(organization.id, name, str(repository))
        made = self.services.api_keys.create(organization.id, KeyKind.ADMIN, "test", **key)
        return AgentTenant(project, made.key)

    def call(
        self,
        method: str,
        path: str,
        key: str = "",
        headers: dict[str, str] | None = None,
        **options: Any,
    ) -> httpx.Response:
        sent = {"Authorization": f"Bearer {key}"} if key else {}
        sent |= headers or {}
        return ask(self.app, method, path, headers=sent, base_url=BASE_URL, **options)

    def create(
        self, tenant: AgentTenant, prompt: str = "Add a page", **more: Any
    ) -> httpx.Response:
        return self.call("POST", tenant.jobs, tenant.key, json={"prompt": prompt}, **more)

    def message(
        self, tenant: AgentTenant, job_id: str, prompt: str = "Shorter", **more: Any
    ) -> httpx.Response:
        path = f"{tenant.jobs}/{job_id}/message"
        return self.call("POST", path, tenant.key, json={"prompt": prompt}, **more)

    def get(self, tenant: AgentTenant, job_id: str) -> dict[str, Any]:
        response = self.call("GET", f"{tenant.jobs}/{job_id}", tenant.key)
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    def end(self, job_id: str, end: TurnEnd) -> None:
        """End all turns of a job, as the jobs that do not run here would."""
        records = self._records
        for turn in records.turns(job_id):
            records.begin_next(turn.id)
            records.end_turn(turn.id, end)

    def set_link(self, job_id: str, link: str) -> None:
        """Note a pull request, as the first turn's step does."""
        turn = self._records.turns(job_id)[0]
        event_log = EventLog(self.services.database, self.services.clock)
        event_log.write(turn, StepRecord("pull request", job={"pr_link": link}))

    def ask(self, job_id: str, text: str) -> None:
        """Open a question, as a step of the first turn does."""
        turn = self._records.turns(job_id)[0]
        question = {
            "kind": "question", "text": text, "options": [], "assumption": "Yes.", "until": "",
        }  # fmt: skip
        event_log = EventLog(self.services.database, self.services.clock)
        event_log.write(turn, StepRecord("tool 1.0", job={"question": question}))

    @property
    def _records(self) -> AgentRecords:
        return AgentRecords(self.services.database, self.services.clock)


@pytest.fixture(scope="session")
def agent_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentService]:
    """A service with a model that nothing here talks to. Each test has a tenant of its own."""
    importlib.import_module("dbos")  # a service imports it before threads execute statements
    folder = tmp_path_factory.mktemp("agent")
    settings = Settings(
        data=folder / "data",
        base_url=BASE_URL,
        model_base_url="http://127.0.0.1:9/v1",
        model_name="scripted",
        agent_prompt_characters=1_000,
    )
    with open_services(settings) as services:
        yield AgentService(services, create_service(services), folder)


@pytest.fixture
def acme(agent_service: AgentService) -> AgentTenant:
    return agent_service.tenant("acme")
