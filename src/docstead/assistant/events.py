"""Events of an answer. Each stream codec turns these into its own parts.

Order: Started; then any of the others, in any order, except that a ToolAnswered follows its
ToolCalled; then Finished or Failed, which is the last.

They are kept as JSON while an answer can be replayed: `encoded` and `decoded` are the two ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from docstead.assistant.conversation import AnswerSource
from docstead.base.decoders import json_decoder


class AnswerStarted(msgspec.Struct, frozen=True, tag="Started"):
    """The thread is known; nothing has been searched yet."""

    message_id: str
    thread_id: str
    thread_key: str | None  # on new threads only: it is shown once


class SourceFound(msgspec.Struct, frozen=True, tag=True):
    source: AnswerSource


class TextDelta(msgspec.Struct, frozen=True, tag=True):
    text: str


class ReasoningDelta(msgspec.Struct, frozen=True, tag=True):
    """A model thinks aloud; no part of the answer."""

    text: str


class ToolCalled(msgspec.Struct, frozen=True, tag=True):
    """A model uses one of our tools. `arguments` is a JSON object."""

    call_id: str
    name: str
    arguments: dict[str, Any]


class ToolAnswered(msgspec.Struct, frozen=True, tag=True):
    """Result of the tool, as JSON; short, since clients send it with every question."""

    call_id: str
    name: str
    result: Any


class AnswerData(msgspec.Struct, frozen=True, tag="Noted"):
    """Data in addition to the text, as JSON under a name: further questions, nearest pages."""

    name: str
    value: Any


class TokenUsage(msgspec.Struct, frozen=True):
    prompt_tokens: int
    completion_tokens: int


class AnswerFinished(msgspec.Struct, frozen=True, tag="Finished"):
    """The answer is complete and stored. `answered` is False where the documentation is silent."""

    thread_id: str
    answered: bool
    usage: TokenUsage | None = None  # None where the model did not say


class AnswerFailed(msgspec.Struct, frozen=True, tag="Failed"):
    """The answer broke off; `message` is fit for readers. What was said is stored."""

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
    """The events as JSON."""
    return _ENCODER.encode(events).decode()


def decoded(text: str) -> list[Event]:
    """Events from their JSON."""
    return _DECODER.decode(text)
