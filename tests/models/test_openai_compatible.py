"""The client of OpenAI-compatible servers, against a real one that is scripted."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator

import pytest

from chat_server import ChatServer, chat_server
from docstead.base.errors import Unavailable
from docstead.models.chat import Message, Role, TextDelta
from docstead.models.openai_compatible import OpenAICompatible
from docstead.models.patience import Patience

QUESTION = [Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "Hello?")]


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


async def said(server: ChatServer, patience: Patience | None = None) -> list[str]:
    model = OpenAICompatible(server.url, "key", "tiny", patience=patience)
    try:
        events = [event async for event in model.stream(QUESTION)]
        return [event.text for event in events if isinstance(event, TextDelta)]
    finally:
        await model.close()


def test_the_pieces_arrive_in_order(server: ChatServer) -> None:
    server.pieces = ["Grüß ", "", "dich", "!"]
    assert asyncio.run(said(server)) == ["Grüß ", "dich", "!"]


def test_the_request_is_what_the_protocol_wants(server: ChatServer) -> None:
    asyncio.run(said(server))
    request = server.requests[0]
    assert request["path"] == "/v1/chat/completions"
    assert (request["model"], request["stream"]) == ("tiny", True)
    assert request["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello?"},
    ]
    assert server.keys == ["Bearer key"]


def test_an_emoji_cut_in_two_is_made_whole(server: ChatServer) -> None:
    server.pieces = ["fine \ud83d", "\ude00!", "\ud83d", "x"]
    assert "".join(asyncio.run(said(server))) == "fine 😀!�x"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500, 503])
def test_a_refusal_is_unavailable_and_tells_no_detail(server: ChatServer, status: int) -> None:
    server.status = status
    with pytest.raises(Unavailable) as failure:
        asyncio.run(said(server))
    assert "secret" not in failure.value.message


def test_an_answer_that_breaks_off_is_unavailable(server: ChatServer) -> None:
    server.pieces, server.breaks_after = ["one", "two", "three"], 2
    with pytest.raises(Unavailable):
        asyncio.run(said(server))


def test_a_model_that_says_nothing_in_time_is_unavailable(server: ChatServer) -> None:
    server.pause_seconds = 0.5
    with pytest.raises(Unavailable):
        asyncio.run(said(server, Patience(first_seconds=0.1, silence_seconds=0.1)))


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(Unavailable):
        asyncio.run(said(ChatServer(url="http://127.0.0.1:9/v1")))


def test_closing_the_stream_ends_the_request(server: ChatServer) -> None:
    server.pieces, server.pause_seconds = ["word "] * 200, 0.02

    async def first_piece() -> object:
        model = OpenAICompatible(server.url, "key", "tiny")
        stream = model.stream(QUESTION)
        piece = await anext(stream)
        await stream.aclose()
        await model.close()
        return piece

    assert asyncio.run(first_piece()) == TextDelta("word ")
    assert server.cancelled.wait(5)


def test_the_library_is_not_loaded_before_the_first_question() -> None:
    code = (
        "import sys; from docstead.models.openai_compatible import OpenAICompatible; "
        "OpenAICompatible('http://x', 'k', 'm'); sys.exit('openai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
