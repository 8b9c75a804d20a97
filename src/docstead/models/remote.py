"""Base class of models that use a provider's client library."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Callable,
    Collection,
    Mapping,
    Sequence,
)
from contextlib import aclosing
from functools import partial
from typing import Any

from docstead.base.errors import ModelError
from docstead.base.response_limits import ResponseLimits
from docstead.base.units import MIB
from docstead.models.chat import ChatMessage, ModelEvent, ModelUsage, ToolSpec, ToolUse
from docstead.models.inputs import InputKind, acceptable
from docstead.models.timeouts import ModelTimeouts, PerLoop, checked_events, with_timeouts
from docstead.models.usage_estimates import UsageMeter, estimated_usage

_log = logging.getLogger(__name__)

# Options that replace a temperature, or exclude one.
_EXCLUDE_TEMPERATURE = frozenset(
    {"temperature", "top_p", "thinking", "reasoning", "reasoning_effort"}
)
_BAD_REQUESTS = (400, 422)

# Longer than any answer; each token takes several hundred bytes of a stream.
_LIMITS = ResponseLimits(128 * MIB, longest_line=4 * MIB)
STREAM_HOOKS = {"response": [_LIMITS.limit_async_response]}


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
        sent = acceptable(messages, self._inputs)
        request, meter = self._request(sent, tools, tool_use, limit), UsageMeter()
        estimate = partial(estimated_usage, self._name, sent, tools)
        metered = _metered(self._events(request, meter), meter, estimate)
        async with aclosing(checked_events(metered, self._failure)) as events:
            async for event in events:
                yield event

    async def close(self) -> None:
        client = self._clients.take()
        if client is not None:
            await client.close()

    async def _events(
        self, request: dict[str, Any], meter: UsageMeter
    ) -> AsyncGenerator[ModelEvent, None]:
        async def begin() -> Any:
            return await self._begun(request)

        async with aclosing(with_timeouts(begin, self._timeouts)) as items:
            async for event in self._understood(meter.counted(items, self._characters)):
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
    def _characters(self, item: Any) -> int:
        """Return the number of characters that an item of the library adds to the response."""

    @abstractmethod
    def _translated(self, error: Exception) -> ModelError:
        """Convert an error of the library."""


async def _metered(
    events: AsyncGenerator[ModelEvent, None],
    meter: UsageMeter,
    estimate: Callable[[int], ModelUsage],
) -> AsyncGenerator[ModelEvent, None]:
    """Yield the events, and an estimate of the usage if they contain none, also before an error."""
    try:
        async with aclosing(events):
            async for event in events:
                meter.note(event)
                yield event
    except Exception:
        for usage in meter.missing(estimate):
            yield usage
        raise
    for usage in meter.missing(estimate):
        yield usage


def _refuses_temperature(error: Exception) -> bool:
    status = getattr(error, "status_code", None)
    return status in _BAD_REQUESTS and "temperature" in str(error)
