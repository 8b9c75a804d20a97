"""Base class of models that use a provider's client library."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Collection,
    Mapping,
    Sequence,
)
from contextlib import aclosing
from typing import Any

from docstead.base.errors import ModelError
from docstead.models.chat import ChatMessage, ModelEvent, ToolSpec, ToolUse
from docstead.models.inputs import InputKind, acceptable
from docstead.models.timeouts import ModelTimeouts, PerLoop, checked_events, with_timeouts

_log = logging.getLogger(__name__)

# Options that replace a temperature, or exclude one.
_EXCLUDE_TEMPERATURE = frozenset(
    {"temperature", "top_p", "thinking", "reasoning", "reasoning_effort"}
)
_BAD_REQUESTS = (400, 422)


class RemoteModel(ABC):
    """A chat model at `base_url`. The provider's library is loaded on first use.

    `options` are added to every request: temperature, reasoning effort and the like. `inputs` are
    the supported input files; notes replace others. `temperature` is sent unless `options` set it,
    or the model rejects it.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        *,
        name: str = "",
        timeouts: ModelTimeouts | None = None,
        max_output_tokens: int | None = None,
        options: Mapping[str, Any] | None = None,
        inputs: Collection[InputKind] = (),
        temperature: float | None = None,
    ) -> None:
        self.model = model
        self._name = name or model
        self._base_url = base_url
        self._api_key = api_key
        self._timeouts = timeouts or ModelTimeouts()
        self._max_output_tokens = max_output_tokens
        self._options = dict(options or {})
        decided = not _EXCLUDE_TEMPERATURE.isdisjoint(self._options)
        self._temperature = None if decided else temperature
        self._inputs = frozenset(inputs)
        self._clients = PerLoop(self._connect)

    @property
    def name(self) -> str:
        return self._name

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        tools: Sequence[ToolSpec] = (),
        tool_use: ToolUse = ToolUse.AUTO,
        max_output_tokens: int | None = None,
    ) -> AsyncGenerator[ModelEvent, None]:
        limit = max_output_tokens or self._max_output_tokens
        request = self._request(acceptable(messages, self._inputs), tools, tool_use, limit)
        async with aclosing(checked_events(self._events(request), self._failure)) as events:
            async for event in events:
                yield event

    async def close(self) -> None:
        client = self._clients.take()
        if client is not None:
            await client.close()

    async def _events(self, request: dict[str, Any]) -> AsyncGenerator[ModelEvent, None]:
        async def begin() -> Any:
            return await self._begun(request)

        async with aclosing(with_timeouts(begin, self._timeouts)) as items:
            async for event in self._understood(items):
                yield event

    async def _begun(self, request: dict[str, Any]) -> Any:
        """Start a stream, without a temperature if the model rejects it."""
        if self._temperature is not None:
            request["extra_body"]["temperature"] = self._temperature
        try:
            return await self._begin(self._clients.here(), request)
        except Exception as error:
            if self._temperature is None or not _refuses_temperature(error):
                raise
        self._temperature = None
        del request["extra_body"]["temperature"]
        return await self._begin(self._clients.here(), request)

    def _failure(self, error: Exception) -> ModelError:
        failure = self._translated(error)
        _log.warning("the chat model %s failed: %s", self._name, failure.detail)
        return failure

    @abstractmethod
    def _connect(self) -> Any:
        """Return the library's client, with its retries disabled."""

    @abstractmethod
    def _request(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec],
        tool_use: ToolUse,
        max_output_tokens: int | None,
    ) -> dict[str, Any]:
        """Return the arguments for the client library."""

    @abstractmethod
    async def _begin(self, client: Any, request: dict[str, Any]) -> Any:
        """Return the stream of the library's own items."""

    @abstractmethod
    def _understood(self, items: AsyncIterable[Any]) -> AsyncIterator[ModelEvent]:
        """Convert items of the library to events."""

    @abstractmethod
    def _translated(self, error: Exception) -> ModelError:
        """Convert an error of the library."""


def _refuses_temperature(error: Exception) -> bool:
    status = getattr(error, "status_code", None)
    return status in _BAD_REQUESTS and "temperature" in str(error)
