"""Every event as the lines of a data stream."""

from __future__ import annotations

import pytest

from docstead.api.assistant.protocols.v1 import DataStream
from docstead.assistant.conversation import AnswerSource
from docstead.assistant.events import (
    AnswerData,
    AnswerFailed,
    AnswerFinished,
    AnswerStarted,
    Event,
    ReasoningDelta,
    SourceFound,
    TextDelta,
    TokenUsage,
    ToolAnswered,
    ToolCalled,
)

STARTED = AnswerStarted("msg_1", "T1", "key")
CALLED = ToolCalled("call_1", "search", {"query": "keys"})
ANSWERED = ToolAnswered("call_1", "search", [{"url": "/keys"}])
STEP_ENDS = [
    'e:{"finishReason":"tool-calls","isContinued":false}',
    'f:{"messageId":"msg_1"}',
]
CALL = '9:{"toolCallId":"call_1","toolName":"search","args":{"query":"keys"}}'
RESULT = 'a:{"toolCallId":"call_1","result":[{"url":"/keys"}]}'
LINES: list[tuple[Event, list[str]]] = [
    (STARTED, ['f:{"messageId":"msg_1"}']),
    (TextDelta("Hello"), ['0:"Hello"']),
    (ReasoningDelta("Hm"), ['g:"Hm"']),
    (SourceFound(AnswerSource("1", "/a", "A")),
     ['h:{"sourceType":"url","id":"1","url":"/a","title":"A"}']),
    (CALLED, [CALL]),
    (ANSWERED, [RESULT]),
    (AnswerData("suggestions", ["More?"]), ['2:[{"type":"suggestions","value":["More?"]}]']),
    (AnswerFailed("T1", "It broke"), [
        'e:{"finishReason":"error","isContinued":false}',
        '2:[{"type":"finish","threadId":"T1"}]',
        '8:[{"type":"finish","threadId":"T1"}]',
        '3:"It broke"',
    ]),
    (AnswerFinished("T1", True), [
        'e:{"finishReason":"stop","isContinued":false}',
        '2:[{"type":"finish","threadId":"T1"}]',
        '8:[{"type":"finish","threadId":"T1"}]',
        'd:{"finishReason":"stop","type":"finish","threadId":"T1"}',
    ]),
    (AnswerFinished("T1", False, TokenUsage(3, 5)), [
        'e:{"finishReason":"stop","usage":{"promptTokens":3,"completionTokens":5},'
        '"isContinued":false}',
        '2:[{"type":"finish","threadId":"T1"}]',
        '8:[{"type":"finish","threadId":"T1"}]',
        'd:{"finishReason":"stop","usage":{"promptTokens":3,"completionTokens":5},'
        '"type":"finish","threadId":"T1"}',
    ]),
]  # fmt: skip
IDS = [type(event).__name__ for event, _ in LINES]


def _lines(*events: Event) -> list[str]:
    stream = DataStream()
    return b"".join(map(stream.encode, events)).decode().splitlines()


def test_every_kind_of_event_is_here() -> None:
    assert {type(event) for event, _ in LINES} == set(Event.__args__)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("event", "lines"), LINES, ids=IDS)
def test_an_event_by_itself(event: Event, lines: list[str]) -> None:
    assert _lines(event) == lines


@pytest.mark.parametrize(("event", "lines"), LINES, ids=IDS)
def test_an_event_after_tools(event: Event, lines: list[str]) -> None:
    is_of_tools = isinstance(event, ToolCalled | ToolAnswered)
    step = [] if is_of_tools else STEP_ENDS
    expected = ['f:{"messageId":"msg_1"}', CALL, RESULT, *step, *lines]
    assert _lines(STARTED, CALLED, ANSWERED, event) == expected


def test_the_step_of_the_tools_ends_once() -> None:
    events = (STARTED, CALLED, ANSWERED, TextDelta("a"), TextDelta("b"))
    assert _lines(*events) == [
        'f:{"messageId":"msg_1"}', CALL, RESULT, *STEP_ENDS, '0:"a"', '0:"b"'
    ]  # fmt: skip
