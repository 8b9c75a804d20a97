"""An assistant over a small documentation, on each kind of database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from chat_server import ChatServer, chat_server
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.assistant.answer_task import Answerer, AnswerOptions
from docstead.assistant.answering import ModelAnswerer, QuoteAnswerer
from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.engine import Assistant
from docstead.assistant.events import (
    AnswerData,
    AnswerFinished,
    AnswerStarted,
    Event,
    SourceFound,
    TextDelta,
)
from docstead.models.openai_compatible import OpenAICompatible
from docstead.storage.database import Database
from documentation import CurrentDocumentation, Documentation, documentation
from manual_clock import ManualClock
from stored_talk import Talk


@dataclass(frozen=True)
class StreamedAnswer:
    events: tuple[Event, ...]

    @property
    def text(self) -> str:
        return "".join(each.text for each in self.events if isinstance(each, TextDelta))

    @property
    def urls(self) -> list[str]:
        return [each.source.url for each in self.events if isinstance(each, SourceFound)]

    @property
    def locations(self) -> list[str]:
        """Pages and sections, without the words that the URLs lead to."""
        return [url.partition(":~:")[0].rstrip("#") for url in self.urls]

    @property
    def started(self) -> AnswerStarted:
        first = self.events[0]
        assert isinstance(first, AnswerStarted)
        return first

    def data(self, name: str) -> Any:
        """Return the value of the first `AnswerData` of this name."""
        return next(e.value for e in self.events if isinstance(e, AnswerData) and e.name == name)

    @property
    def thread_id(self) -> str:
        return self.started.thread_id

    @property
    def is_finished(self) -> bool:
        return isinstance(self.events[-1], AnswerFinished)


Ask = Callable[..., StreamedAnswer]


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Documentation:
    return documentation(tmp_path_factory.mktemp("documentation") / "index")


@pytest.fixture
def database(sqlite_backend) -> Database:
    return sqlite_backend.database


@pytest.fixture
def site(database: Database, clock: ManualClock) -> Deployment:
    return deploy(Tenancy(database, clock), "acme")


@pytest.fixture
def talk(database: Database, clock: ManualClock, site: Deployment) -> Talk:
    """Stored conversations on one site, on SQLite."""
    return Talk(database, clock, site)


@pytest.fixture
def tenancy(backend: object, clock: ManualClock) -> Tenancy:
    return Tenancy(backend.database, clock)  # type: ignore[attr-defined]


@pytest.fixture
def deployment(tenancy: Tenancy) -> Deployment:
    return deploy(tenancy, "parcelo")


@pytest.fixture
def other(tenancy: Tenancy) -> Deployment:
    return deploy(tenancy, "other")


@pytest.fixture
def unpublished(tenancy: Tenancy) -> Deployment:
    return deploy(tenancy, "empty")


def deploy(tenancy: Tenancy, domain: str) -> Deployment:
    organization = tenancy.create_organization("Parcelo")
    project = tenancy.create_project(organization.id, "Docs", "/docs")
    return tenancy.create_deployment(project.id, domain, f"{domain}.example.com")


@pytest.fixture
def editions(
    published: Documentation, deployment: Deployment, other: Deployment
) -> CurrentDocumentation:
    return CurrentDocumentation({deployment.id: published, other.id: published})


@pytest.fixture
def model_server() -> Iterator[ChatServer]:
    with chat_server() as server:
        yield server


@pytest.fixture
def make_assistant(
    backend: object, editions: CurrentDocumentation, clock: ManualClock
) -> Callable[..., Assistant[Deployment]]:
    def make(
        model: OpenAICompatible | None = None,
        answer_options: AnswerOptions | None = None,
        answerer: Answerer | None = None,
        **options: bool,
    ) -> Assistant[Deployment]:
        chosen = answerer or (
            ModelAnswerer(model, answer_options) if model else QuoteAnswerer(answer_options)
        )
        return Assistant(
            backend.database,  # type: ignore[attr-defined]
            editions,
            lambda _: chosen,
            clock,
            lambda deployment: f"https://{deployment.hostname}",
            **options,
        )

    return make


@pytest.fixture
def ask(make_assistant: Callable[..., Assistant[Deployment]], deployment: Deployment) -> Ask:
    """Asks the quoting assistant; earlier messages may be given before the question."""
    return asking(make_assistant(), deployment)


@pytest.fixture
def ask_model(
    make_assistant: Callable[..., Assistant[Deployment]],
    deployment: Deployment,
    model_server: ChatServer,
) -> Ask:
    """Asks an assistant whose words come from the scripted model."""

    def ask(
        *texts: str, answer_options: AnswerOptions | None = None, **options: object
    ) -> StreamedAnswer:
        model = OpenAICompatible(model_server.url, "key", "tiny")
        return asking(make_assistant(model, answer_options), deployment, model.close)(
            *texts, **options
        )

    return ask


@pytest.fixture(name="asking")
def asking_fixture() -> Callable[..., Ask]:
    return asking


async def nothing() -> None:
    pass


def asking(
    assistant: Assistant[Deployment],
    deployment: Deployment,
    close: Callable[[], Awaitable[None]] = nothing,
) -> Ask:
    def ask(*texts: str, to: Deployment = deployment, **options: object) -> StreamedAnswer:
        speakers = (Speaker.USER, Speaker.ASSISTANT)
        messages = tuple(
            ConversationMessage(speakers[position % 2], text) for position, text in enumerate(texts)
        )
        question = Question(**{"messages": messages, **options})

        async def collect() -> StreamedAnswer:
            try:
                return StreamedAnswer(
                    tuple([event async for event in assistant.answer(to, question)])
                )
            finally:
                await close()

        return asyncio.run(collect())

    return ask
