"""Events as lines, read back by the client's own parser."""

from __future__ import annotations

import base64
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docstead.api.assistant.protocols.v1 import DataStream
from docstead.assistant.conversation import AnswerSource
from docstead.assistant.events import (
    AnswerFailed,
    AnswerFinished,
    AnswerStarted,
    Event,
    SourceFound,
    TextDelta,
    TokenUsage,
)

ChatClient = Callable[..., dict[str, Any]]

# Every character that can be stored or sent; lone surrogates cannot.
texts = st.text(st.characters(exclude_categories=("Cs",)))
sources = st.builds(AnswerSource, id=texts, url=texts, title=texts)
middles = st.lists(st.builds(TextDelta, texts) | st.builds(SourceFound, sources))
usages = st.none() | st.builds(TokenUsage, st.integers(0, 10**9), st.integers(0, 10**9))
ends = st.builds(AnswerFinished, texts, st.booleans(), usages) | st.builds(
    AnswerFailed, texts, texts
)
answers = st.tuples(st.builds(AnswerStarted, texts, texts, st.none()), middles, ends)
cuts = st.lists(st.integers(0, 10_000), max_size=20)


def test_the_lines_of_an_answer() -> None:
    events: list[Event] = [
        AnswerStarted("msg_1", "T1", "key"),
        SourceFound(AnswerSource("https://a/b#c", "https://a/b#c", "Keys › “New”")),
        TextDelta('Press "New key"\n'),
        AnswerFinished("T1", True, TokenUsage(0, 0)),
    ]
    assert b"".join(map(DataStream().encode, events)).decode().splitlines() == [
        'f:{"messageId":"msg_1"}',
        'h:{"sourceType":"url","id":"https://a/b#c","url":"https://a/b#c","title":"Keys › “New”"}',
        '0:"Press \\"New key\\"\\n"',
        'e:{"finishReason":"stop","usage":{"promptTokens":0,"completionTokens":0},'
        '"isContinued":false}',
        '2:[{"type":"finish","threadId":"T1"}]',
        '8:[{"type":"finish","threadId":"T1"}]',
        'd:{"finishReason":"stop","usage":{"promptTokens":0,"completionTokens":0},'
        '"type":"finish","threadId":"T1"}',
    ]


def test_the_step_ends_and_the_thread_precedes_a_failure() -> None:
    assert DataStream().encode(AnswerFailed("T1", 'It "broke"')).splitlines() == [
        b'e:{"finishReason":"error","isContinued":false}',
        b'2:[{"type":"finish","threadId":"T1"}]',
        b'8:[{"type":"finish","threadId":"T1"}]',
        b'3:"It \\"broke\\""',
    ]


@given(answers)
def test_lines_are_whole_strict_json(answer: tuple[AnswerStarted, list[Event], Event]) -> None:
    stream = DataStream()
    for event in flat(answer):
        written = stream.encode(event)
        assert written.endswith(b"\n")
        for line in written.decode().removesuffix("\n").split("\n"):
            code, _, value = line.partition(":")
            assert len(code) == 1
            json.loads(value, parse_constant=pytest.fail)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(answer=answers, positions=cuts)
def test_the_client_reads_what_was_meant_wherever_the_stream_is_cut(
    chat_client: ChatClient, answer: tuple[AnswerStarted, list[Event], Event], positions: list[int]
) -> None:
    events = flat(answer)
    raw = b"".join(map(DataStream().encode, events))
    borders = sorted({0, len(raw), *(position % (len(raw) + 1) for position in positions)})
    chunks = [
        base64.b64encode(raw[start:end]).decode() for start, end in itertools.pairwise(borders)
    ]
    result = chat_client("read", chunks=chunks)
    assert result == {"seen": [part for event in events for part in meaning(event)], "error": None}


def flat(answer: tuple[AnswerStarted, list[Event], Event]) -> list[Event]:
    started, middle, end = answer
    return [started, *middle, end]


def meaning(event: Event) -> list[list[Any]]:
    """Return the client's view of an event."""
    match event:
        case AnswerStarted(message_id):
            return [["start", {"messageId": message_id}]]
        case SourceFound(source):
            shape = {"sourceType": "url", "id": source.id, "url": source.url, "title": source.title}
            return [["source", shape]]
        case TextDelta(text):
            return [["text", text]]
        case AnswerFailed(thread_id, message):
            finish = [{"type": "finish", "threadId": thread_id}]
            return [
                ["step", {"finishReason": "error", "isContinued": False}],
                ["data", finish],
                ["annotations", finish],
                ["error", message],
            ]
        case AnswerFinished(thread_id, _, usage):
            finish = [{"type": "finish", "threadId": thread_id}]
            end = {"finishReason": "stop", **tokens(usage)}
            return [
                ["step", {**end, "isContinued": False}],
                ["data", finish],
                ["annotations", finish],
                ["finish", end],
            ]


def tokens(usage: TokenUsage | None) -> dict[str, Any]:
    if usage is None:
        return {}
    counts = {"promptTokens": usage.prompt_tokens, "completionTokens": usage.completion_tokens}
    return {"usage": counts}
