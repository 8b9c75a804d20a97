"""Interface of a chat protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from docstead.api.assistant.asking import AskRequest
from docstead.assistant.events import Event


class Encoder(Protocol):
    """Encodes the events of one answer, in order."""

    def encode(self, event: Event) -> bytes:
        """Return the bytes of an event as whole lines, so that they can be flushed."""
        ...


@dataclass(frozen=True, slots=True)
class ChatProtocol:
    """A version of the chat protocol.

    `resume_path` contains `{chatId}`, or the id is a query parameter.
    """

    version: str  # as in the path, such as v1
    summary: str
    request: type[AskRequest]
    encoder: Callable[[], Encoder]
    headers: Mapping[str, str]
    heartbeat: bytes  # ignored by clients; keeps proxies from closing an idle connection
    resume_path: str  # below `/assistant/{domain}`
    body: Mapping[str, Any]  # `content` of the 200 response in the OpenAPI document
    deprecated: bool = False
