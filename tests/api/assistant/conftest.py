"""The assistant's endpoints over a small documentation, in process and behind a real server."""

from __future__ import annotations

import fcntl
import json
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import select

from answer_options import UNCHECKED
from chat_server import ChatServer, Reply, Rule, chat_server
from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.analytics.searches import SearchRecords
from docstead.api.application import create_api
from docstead.api.assistant.admission import Admission
from docstead.api.assistant.contents import ContentSearch
from docstead.api.assistant.routes import assistant_routes
from docstead.api.authentication import Authentication
from docstead.api.client_address import ClientAddress
from docstead.assistant.answer_task import Answerer, AnswerOptions
from docstead.assistant.answering import ModelAnswerer, QuoteAnswerer
from docstead.assistant.checking.judgments import JudgeLimits
from docstead.assistant.engine import Assistant
from docstead.assistant.feedback import AnswerFeedbackRecords
from docstead.assistant.streams import AnswerStreams
from docstead.base.api_keys import KeyKind
from docstead.base.features import ALL_FEATURES, Features
from docstead.limits.rate_limits import RateLimits
from docstead.models.openai_compatible import OpenAICompatible
from docstead.storage.database import Database
from docstead.storage.schema import answer_feedback
from documentation import CurrentDocumentation, Documentation, documentation
from manual_clock import ManualClock
from migrated_data import copy_databases
from running_server import running_server

CLIENT = Path(__file__).parent / "client"
QUESTION = "How do I create an API key?"


@dataclass(frozen=True)
class AssistantHarness:
    """A service with one published deployment, another one, and one that is empty."""

    database: Database
    clock: ManualClock
    tenancy: Tenancy
    api_keys: ApiKeys
    editions: CurrentDocumentation
    deployment: Deployment
    other: Deployment
    empty: Deployment

    @cached_property
    def searches(self) -> SearchRecords:
        return SearchRecords(self.database, self.clock)

    def key(self, deployment: Deployment | None = None, **options: Any) -> str:
        owner = deployment or self.deployment
        return self.api_keys.create(
            owner.organization_id, KeyKind.ASSISTANT, "Site", deployment_id=owner.id, **options
        ).key

    def admin_key(self) -> str:
        return self.api_keys.create(self.deployment.organization_id, KeyKind.ADMIN, "CI").key

    def feedback(self, answer_id: str) -> dict[str, Any]:
        """Return the stored feedback of an answer."""
        query = select(answer_feedback).where(answer_feedback.c.answer_id == answer_id)
        with self.database.reading() as connection:
            return dict(connection.execute(query).mappings().one())

    def app(
        self,
        model: OpenAICompatible | None = None,
        *,
        answerer: Answerer | None = None,
        thread_key_required: bool = False,
        thread_must_exist: bool = False,
        features: Features = ALL_FEATURES,
        limits: Mapping[str, int] | None = None,
    ) -> FastAPI:
        client_address = ClientAddress(["127.0.0.0/8"])
        site_url = site_url_of
        chosen = answerer or (
            ModelAnswerer(model, UNCHECKED) if model else QuoteAnswerer(UNCHECKED)
        )
        assistant = Assistant(
            self.database,
            self.editions,
            lambda _: chosen,
            self.clock,
            site_url,
            thread_key_required=thread_key_required,
            thread_must_exist=thread_must_exist,
        )
        router = assistant_routes(
            authentication=Authentication(self.api_keys, client_address),
            client_address=client_address,
            admission=Admission(
                self.tenancy, RateLimits(self.database, self.clock, limits), lambda _: features
            ),
            streams=AnswerStreams(assistant, self.database, self.clock),
            feedback=AnswerFeedbackRecords(self.database, self.clock),
            contents=ContentSearch(self.editions, site_url, self.searches),
        )
        return create_api([router], base_url="https://api.example.com")


def site_url_of(deployment: Deployment) -> str:
    return f"https://{deployment.hostname}"


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Documentation:
    return documentation(tmp_path_factory.mktemp("documentation") / "index")


@pytest.fixture
def harness(sqlite_backend: Any, clock: ManualClock, published: Documentation) -> AssistantHarness:
    return _harness(sqlite_backend.database, clock, published)


def _harness(database: Database, clock: ManualClock, published: Documentation) -> AssistantHarness:
    tenancy = Tenancy(database, clock)
    deployment, other, empty = (deploy(tenancy, domain) for domain in ("parcelo", "other", "empty"))
    return AssistantHarness(
        database,
        clock,
        tenancy,
        ApiKeys(database, clock, b"pepper"),
        CurrentDocumentation({deployment.id: published, other.id: published}),
        deployment,
        other,
        empty,
    )


def deploy(tenancy: Tenancy, domain: str) -> Deployment:
    organization = tenancy.create_organization(domain.title())
    project = tenancy.create_project(organization.id, "Docs", "/docs")
    return tenancy.create_deployment(project.id, domain, f"{domain}.example.com")


@pytest.fixture
def client(harness: AssistantHarness) -> Iterator[TestClient]:
    """Speaks to the service in process, with the deployment's own key."""
    headers = {"authorization": f"Bearer {harness.key()}"}
    with TestClient(harness.app(), headers=headers) as client:
        yield client


@pytest.fixture(scope="module")
def shared_client(
    tmp_path_factory: pytest.TempPathFactory, published: Documentation
) -> Iterator[TestClient]:
    """Speaks to one service for all tests of a file that look at single answers only."""
    path = tmp_path_factory.mktemp("shared") / "docstead.db"
    copy_databases(path)
    clock = ManualClock(datetime(2026, 11, 21, 12, tzinfo=UTC))
    with closing(Database(f"sqlite:///{path}")) as database:
        harness = _harness(database, clock, published)
        headers = {"authorization": f"Bearer {harness.key()}"}
        with TestClient(harness.app(), headers=headers) as client:
            yield client


@pytest.fixture
def body() -> Callable[..., dict[str, Any]]:
    """A valid request body, with some fields changed; `...` leaves a field out."""

    def make(question: str = QUESTION, **changes: Any) -> dict[str, Any]:
        message = {
            "id": "m1",
            "role": "user",
            "content": question,
            "parts": [{"type": "text", "text": question}],
        }
        fields = {"fp": "anonymous", "messages": [message], **changes}
        return {name: value for name, value in fields.items() if value is not ...}

    return make


@pytest.fixture
def model_server() -> Iterator[ChatServer]:
    with chat_server() as server:
        yield server


@pytest.fixture
def judging_answerer(model_server: ChatServer) -> Answerer:
    """A model with a judge that contradicts its second sentence after it has been sent."""
    model_server.pieces = ["Copy the key. ", "Hand it to everybody."]
    judging = Rule("Sentence: ", Reply("contradicted [1]"))
    model_server.rules = [Rule("Sentence: Copy", Reply("supported")), judging]
    model = OpenAICompatible(model_server.url, "key", "tiny")
    limits = JudgeLimits(wait_seconds=0, judgment_seconds=120, closing_seconds=120)
    answer_options = AnswerOptions(falls_back=False, suggests=False)
    return ModelAnswerer(model, answer_options, judge=model, judge_limits=limits)


@pytest.fixture
def serve() -> Iterator[Callable[[FastAPI], str]]:
    """Starts real servers; gives their URLs."""
    with ExitStack() as stack:

        def start(app: FastAPI) -> str:
            listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=512))
            stack.enter_context(running_server(app, listener))
            return f"http://127.0.0.1:{listener.getsockname()[1]}"

        yield start


class ChatClient:
    """The published chat client, in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def __call__(self, action: str, **request: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": action, **request}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the chat client ended"
        answer: dict[str, Any] = json.loads(line)
        return answer


@pytest.fixture(scope="session")
def chat_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatClient]:
    """Installed from its lock file when that has changed, once for all workers."""
    _install(tmp_path_factory.getbasetemp().parent / "chat-client.lock")
    process = subprocess.Popen(
        ["node", "client.mjs"], cwd=CLIENT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        yield ChatClient(process)
        assert process.stdin is not None
        process.stdin.close()
        process.wait(120)


def _install(lock: Path) -> None:
    """Install the client as `make` does, for test runs without it."""
    lock_file = CLIENT / "package-lock.json"
    installed = CLIENT / "node_modules" / ".package-lock.json"
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not installed.exists() or installed.stat().st_mtime < lock_file.stat().st_mtime:
            subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=CLIENT, check=True)
            installed.touch()
