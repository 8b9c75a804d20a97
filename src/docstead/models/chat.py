"""Protocol of chat models, for the assistant and the agent.

Failure rule: every provider error is a `ModelError` of `base.errors`, before the first event or
within the stream. A stream without an error ends with `ModelFinish`.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from docstead.base.errors import InvalidRequest


class ChatRole(StrEnum):
    SYSTEM = "system"  #: Only our own text has this role; clients cannot set it.
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"  #: Result of the tool call with the id `tool_call_id`.


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call of a model. `arguments` is JSON as written by the model."""

    id: str
    name: str
    arguments: str

    def values(self) -> dict[str, Any]:
        """Return the arguments by name.

        Raises:
            InvalidRequest: they are not a JSON object; the message is suitable for the model.
        """
        try:
            values = json.loads(self.arguments or "{}")
        except (ValueError, RecursionError) as error:
            raise InvalidRequest(f"{self.name}: the arguments are not JSON: {error}") from error
        if not isinstance(values, dict):
            raise InvalidRequest(f"{self.name}: the arguments must be a JSON object")
        return values

    def values_or_text(self) -> dict[str, Any]:
        """Return the arguments by name; malformed ones as text within an object."""
        try:
            return self.values()
        except InvalidRequest:
            return {"malformed": self.arguments}


@dataclass(frozen=True, slots=True)
class ModelReasoning:
    """Reasoning of a model, which some providers need back, with a signature."""

    text: str
    signature: str = ""


@dataclass(frozen=True, slots=True)
class ProviderMessage:
    """An assistant message as received, to be sent back unchanged.

    Providers sign parts of it and reject modified messages. `content` is JSON in the format of the
    protocol's module; it is sent to the model `model` only.
    """

    model: str  # configured name
    content: Any


@dataclass(frozen=True, slots=True)
class InputFile:
    """An image or PDF in a message."""

    name: str
    media_type: str  # one of `models.inputs`
    data: bytes


@dataclass(frozen=True, slots=True)
class ChatMessage:
    role: ChatRole
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()  # for assistant messages
    tool_call_id: str | None = None  # for tool messages
    reasoning: tuple[ModelReasoning, ...] = ()  # for assistant messages with tool calls
    original: ProviderMessage | None = None  # for assistant messages
    files: tuple[InputFile, ...] = ()  # for user messages; images also for tool messages


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool that a model may use. `parameters` is a JSON schema of type `object`."""

    name: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"type": "object"})


class ToolUse(StrEnum):
    AUTO = "auto"  #: The model decides.
    NONE = "none"  #: The model must respond with text; tools are declared for the history.
    REQUIRED = "required"  #: The model must call a tool.


@dataclass(frozen=True, slots=True)
class ModelTextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ModelReasoningDelta:
    """A piece of reasoning; a signature ends a block."""

    text: str
    signature: str = ""


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """Tokens of a call. Input includes cached and written tokens, output the reasoning."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    model: str = ""  # configured name of the model
    written_tokens: int = 0  # input written to the provider's cache
    is_estimated: bool = False  # because the provider reported none

    @property
    def has_tokens(self) -> bool:
        return bool(self.input_tokens or self.output_tokens)

    def __add__(self, other: ModelUsage) -> ModelUsage:
        return ModelUsage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.model or other.model,
            self.written_tokens + other.written_tokens,
            self.is_estimated or other.is_estimated,
        )


class FinishReason(StrEnum):
    STOP = "stop"
    LENGTH = "length"  #: Truncated by the output token limit.
    TOOL_CALLS = "tool_calls"


@dataclass(frozen=True, slots=True)
class ModelFinish:
    reason: FinishReason = FinishReason.STOP


ModelEvent = (
    ModelTextDelta | ModelReasoningDelta | ToolCall | ProviderMessage | ModelUsage | ModelFinish
)


class ChatModel(Protocol):
    """Continues a conversation as a stream of events."""

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
        """Yield the response as it arrives: deltas, whole tool calls, `ModelUsage`, `ModelFinish`.

        Raises:
            ModelError: see the tree in `base.errors`; also within the stream.
        """
        ...

    async def close(self) -> None:
        """Close connections opened by the running event loop."""
        ...
