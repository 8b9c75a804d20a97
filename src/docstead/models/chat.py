"""Protocol of chat models, as the assistant and the agent use it.

Failure rule: every failure of a provider is a `ModelError` of `base.errors`, before
the first event or in mid-stream. A stream that ends without an error has ended with `ModelFinish`.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from docstead.base.errors import InvalidRequest


class ChatRole(StrEnum):
    SYSTEM = "system"  #: Ours alone; what clients send never gets this role.
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"  #: What a tool returned; `tool_call_id` says to which call.


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants to be used. `arguments` is JSON as the model wrote it."""

    id: str
    name: str
    arguments: str

    def values(self) -> dict[str, Any]:
        """The arguments by name.

        Raises:
            InvalidRequest: they are not a JSON object; the message is fit for the model.
        """
        try:
            values = json.loads(self.arguments or "{}")
        except (ValueError, RecursionError) as error:
            raise InvalidRequest(f"{self.name}: the arguments are not JSON: {error}") from error
        if not isinstance(values, dict):
            raise InvalidRequest(f"{self.name}: the arguments must be a JSON object")
        return values


@dataclass(frozen=True, slots=True)
class ModelReasoning:
    """Reasoning of a model. Some providers need it back, with a signature, after a tool call."""

    text: str
    signature: str = ""


@dataclass(frozen=True, slots=True)
class ProviderMessage:
    """An assistant's message as its provider sent it, to be sent back unchanged.

    Providers sign parts of it and refuse messages that were rebuilt. `content` is JSON in the
    form of the protocol's module; other models than `model` do not receive it.
    """

    model: str  # configured name
    content: Any


@dataclass(frozen=True, slots=True)
class InputFile:
    """A picture or a PDF that a message carries."""

    name: str
    media_type: str  # one of `models.inputs`
    data: bytes


@dataclass(frozen=True, slots=True)
class ChatMessage:
    role: ChatRole
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()  # of an assistant's message
    tool_call_id: str | None = None  # of a tool's message
    reasoning: tuple[ModelReasoning, ...] = ()  # of an assistant's message with tool calls
    original: ProviderMessage | None = None  # of an assistant's message
    files: tuple[InputFile, ...] = ()  # of a user's message; pictures of a tool's


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool that a model may use. `parameters` is a JSON schema of type `object`."""

    name: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"type": "object"})


class ToolUse(StrEnum):
    AUTO = "auto"  #: The model decides.
    NONE = "none"  #: The model must answer in words; tools stay named for the history's sake.
    REQUIRED = "required"  #: The model must use one.


@dataclass(frozen=True, slots=True)
class ModelTextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ModelReasoningDelta:
    """A piece of reasoning; a signature ends a block of it."""

    text: str
    signature: str = ""


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """Tokens of one call. Input includes cached and written tokens, output the reasoning."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    model: str = ""  # configured name of the model that was paid
    written_tokens: int = 0  # input that the provider wrote to its cache

    def __add__(self, other: ModelUsage) -> ModelUsage:
        return ModelUsage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.model or other.model,
            self.written_tokens + other.written_tokens,
        )


class FinishReason(StrEnum):
    STOP = "stop"
    LENGTH = "length"  #: The limit of output tokens cut the answer, often in mid-sentence.
    TOOL_CALLS = "tool_calls"


@dataclass(frozen=True, slots=True)
class ModelFinish:
    reason: FinishReason = FinishReason.STOP


ModelEvent = (
    ModelTextDelta | ModelReasoningDelta | ToolCall | ProviderMessage | ModelUsage | ModelFinish
)


class ChatModel(Protocol):
    """Continues a conversation, event by event."""

    @property
    def name(self) -> str:
        """Name of the model in the settings."""
        ...

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        tools: Sequence[ToolSpec] = (),
        tool_use: ToolUse = ToolUse.AUTO,
        max_output_tokens: int | None = None,
    ) -> AsyncGenerator[ModelEvent, None]:
        """Yield the answer as it arrives: deltas, whole tool calls, `ModelUsage`, `ModelFinish`.

        Raises:
            ModelError: see the tree in `base.errors`; also in mid-stream.
        """
        ...

    async def close(self) -> None:
        """End the connections that the running event loop has opened."""
        ...
