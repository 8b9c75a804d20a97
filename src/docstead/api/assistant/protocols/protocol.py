"""Protocol of one version of the message endpoint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from docstead.api.assistant.asking import AskRequest
from docstead.assistant.events import Event


class Encoder(Protocol):
    """Writes the events of one answer, from its first on."""

    def encode(self, event: Event) -> bytes:
        """The bytes of an event: whole lines, so that they can be sent at once."""
        ...


@dataclass(frozen=True, slots=True)
class ChatProtocol:
    """A chat client's protocol. `resume_path` holds `{chatId}`, or it is a query parameter."""

    version: str  # as in the path: v1
    summary: str
    request: type[AskRequest]
    encoder: Callable[[], Encoder]
    headers: Mapping[str, str]
    heartbeat: bytes  # what clients skip; it keeps proxies from closing a quiet connection
    resume_path: str  # below `/assistant/{domain}`
    body: Mapping[str, Any]  # the `content` of a 200 in the OpenAPI document
    deprecated: bool = False
