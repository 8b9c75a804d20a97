"""Each kind of client, in front of the scripted server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from chat_server import ChatServer, chat_server
from docstead.models.anthropic_messages import AnthropicMessages
from docstead.models.chat import ChatMessage, ChatRole, ModelEvent, ModelTextDelta
from docstead.models.completion import Completion, Transcript
from docstead.models.openai_compatible import OpenAICompatible
from docstead.models.openai_responses import OpenAIResponses
from docstead.models.remote import RemoteModel
from docstead.models.timeouts import ModelTimeouts

QUESTION = (ChatMessage(ChatRole.SYSTEM, "Be brief."), ChatMessage(ChatRole.USER, "Hello?"))


@dataclass
class Client:
    """Asks the scripted server, and keeps what arrives."""

    make: Callable[..., RemoteModel]
    events: list[ModelEvent] = field(default_factory=list)

    @property
    def pieces(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, ModelTextDelta)]

    def ask(
        self,
        messages: tuple[ChatMessage, ...] = QUESTION,
        timeouts: ModelTimeouts | None = None,
        options: dict[str, Any] | None = None,
        inputs: tuple[str, ...] = (),
        **request: Any,
    ) -> Completion:
        model = self.make(timeouts=timeouts, options=options, inputs=inputs)

        async def listen() -> None:
            try:
                async for event in model.stream(messages, **request):
                    self.events.append(event)
            finally:
                await model.close()

        asyncio.run(listen())
        transcript = Transcript()
        for event in self.events:
            transcript.add(event)
        return transcript.completion()


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


@pytest.fixture
def openai_client(server: ChatServer) -> Client:
    return Client(lambda **more: OpenAICompatible(server.url, "key-of-ours", "tiny", **more))


@pytest.fixture
def anthropic_client(server: ChatServer) -> Client:
    url = server.anthropic_url
    return Client(lambda **more: AnthropicMessages(url, "key-of-ours", "tiny", **more))


@pytest.fixture
def responses_client(server: ChatServer) -> Client:
    return Client(lambda **more: OpenAIResponses(server.url, "key-of-ours", "tiny", **more))


@pytest.fixture(params=["openai", pytest.param("responses", marks=pytest.mark.deep), "anthropic"])
def client(request: pytest.FixtureRequest) -> Client:
    """All kinds in turn: callers must not notice the difference."""
    client: Client = request.getfixturevalue(f"{request.param}_client")
    return client
