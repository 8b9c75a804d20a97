"""Events of an answer, which stream codecs encode.

Order: Started; then any of the others, with each ToolAnswered after its ToolCalled; then Finished
or Failed.

They are stored as JSON while an answer can be replayed: see `encoded` and `decoded`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from docstead.assistant.conversation import AnswerSource
from docstead.base.decoders import json_decoder


class AnswerStarted(msgspec.Struct, frozen=True, tag="Started"):
    """The thread is known; the search has not started."""

    message_id: str
    thread_id: str
    thread_key: str | None  # only for new threads, whose key is sent once


class SourceFound(msgspec.Struct, frozen=True, tag=True):
    source: AnswerSource


class TextDelta(msgspec.Struct, frozen=True, tag=True):
    text: str


class ReasoningDelta(msgspec.Struct, frozen=True, tag=True):
    """Reasoning of a model, not part of the answer."""

    text: str


class ToolCalled(msgspec.Struct, frozen=True, tag=True):
    """A model calls a tool. `arguments` is a JSON object."""

    call_id: str
    name: str
    arguments: dict[str, Any]


class ToolAnswered(msgspec.Struct, frozen=True, tag=True):
    """Result of a tool as JSON; short, because clients send it back with every question."""

    call_id: str
    name: str
    result: Any


class AnswerData(msgspec.Struct, frozen=True, tag="Noted"):
    """Additional named JSON data: follow-up questions, closest pages."""

    name: str
    value: Any


class TokenUsage(msgspec.Struct, frozen=True):
    prompt_tokens: int
    completion_tokens: int


class AnswerFinished(msgspec.Struct, frozen=True, tag="Finished"):
    """The answer is complete and stored. `answered` is False if nothing was found."""

    thread_id: str
    answered: bool
    usage: TokenUsage | None = None  # None if the model did not report it


class AnswerFailed(msgspec.Struct, frozen=True, tag="Failed"):
    """The answer failed; `message` is for readers. What was said is stored."""

    thread_id: str
    message: str


Event = (
    AnswerStarted
    | SourceFound
    | TextDelta
    | ReasoningDelta
    | ToolCalled
    | ToolAnswered
    | AnswerData
    | AnswerFinished
    | AnswerFailed
)

_ENCODER = msgspec.json.Encoder()
_DECODER = json_decoder(list[Event])


def encoded(events: Sequence[Event]) -> str:
    """Return the events as JSON."""
    return _ENCODER.encode(events).decode()


def decoded(text: str) -> list[Event]:
    """Return events from their JSON."""
    return _DECODER.decode(text)
