"""A response that follows an answer: heartbeats, slow readers, departures."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from docstead.api.assistant.protocols.protocol import ChatProtocol
from docstead.api.assistant.protocols.v1 import V1
from docstead.api.assistant.protocols.v2 import V2
from docstead.api.assistant.stream import AnswerStream
from docstead.assistant.events import AnswerFinished, AnswerStarted, TextDelta
from docstead.assistant.streams.recording import AnswerRecording

Send = Callable[[dict[str, Any]], Awaitable[None]]


def recording() -> AnswerRecording:
    return AnswerRecording("dep_1", None, AnswerStarted("msg_1", "T1", None))


async def stays() -> dict[str, Any]:
    await asyncio.Event().wait()
    return {"type": "http.disconnect"}


async def leaves() -> dict[str, Any]:
    await asyncio.sleep(0.05)
    return {"type": "http.disconnect"}


async def responded(response: AnswerStream, receive: Any, send: Send) -> None:
    await asyncio.wait_for(response({"type": "http"}, receive, send), 120)


@pytest.mark.parametrize("protocol", [V1, V2])
def test_a_quiet_answer_shows_signs_of_life(protocol: ChatProtocol) -> None:
    async def work() -> list[bytes]:
        answer, writes = recording(), []

        async def send(message: dict[str, Any]) -> None:
            writes.append(message.get("body", b""))
            if writes[-1] == protocol.heartbeat and writes.count(protocol.heartbeat) == 2:
                end(answer)

        response = AnswerStream(answer, protocol, {}, heartbeat_seconds=0.05)
        await responded(response, stays, send)
        return writes

    writes = asyncio.run(work())
    assert writes.count(protocol.heartbeat) >= 2
    assert b"".join(writes).count(b"msg_1") == 1


def end(answer: AnswerRecording) -> None:
    answer.add(AnswerFinished("T1", True), last=True)


def test_a_slow_reader_gets_the_rest_in_one_write_and_holds_up_nobody() -> None:
    async def work() -> list[bytes]:
        answer, writes = recording(), []

        async def send(message: dict[str, Any]) -> None:
            if len(writes) == 1:  # the first event is on its way
                answer.add(TextDelta("So: "))
            if len(writes) == 2:
                for number in range(50):
                    answer.add(TextDelta(f"{number} "))
                end(answer)
            writes.append(message.get("body", b""))
            await asyncio.sleep(0.02)

        await responded(AnswerStream(answer, V2, {}), stays, send)
        return writes

    writes = asyncio.run(work())
    assert len(writes) == 4
    assert writes[-1].count(b"text-delta") == 50


def test_when_the_reader_leaves_the_response_ends_and_the_answer_does_not() -> None:
    async def work() -> AnswerRecording:
        answer = recording()

        async def send(_: dict[str, Any]) -> None: ...

        await responded(AnswerStream(answer, V1, {}), leaves, send)
        return answer

    assert not asyncio.run(work()).over
