"""What the assistant asks of a chat model."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Role(StrEnum):
    SYSTEM = "system"  #: Ours alone; what clients send never gets this role (decisions 28).
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    role: Role
    text: str


class ChatModel(Protocol):
    """Continues a conversation, token by token."""

    def stream(self, messages: Sequence[ChatMessage]) -> AsyncGenerator[str, None]:
        """Pieces of the answer as they arrive. Raises `Unavailable`, also in mid-stream."""
        ...
