"""Timeouts of provider responses, and conversion of their errors."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from weakref import WeakKeyDictionary

from docstead.base.errors import ModelBadAnswer, ModelError, ModelTimeout
from docstead.models.chat import FinishReason, ModelEvent, ModelFinish, ModelTextDelta, ToolCall

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class ModelTimeouts:
    """Maximum waits in seconds, each since the previous event."""

    connect_seconds: float = 5.0
    first_seconds: float = 60.0  # from the request to the first event
    silence_seconds: float = 60.0  # between two events
    total_seconds: float = 600.0


class ProviderStream(Protocol[T_co]):
    """A response that a vendor's library is reading, and closes at the end."""

    def __aiter__(self) -> AsyncIterator[T_co]: ...

    async def __aenter__(self) -> object: ...

    async def __aexit__(self, *error: object) -> object: ...


async def with_timeouts(
    begin: Callable[[], Awaitable[ProviderStream[T]]], timeouts: ModelTimeouts
) -> AsyncGenerator[T, None]:
    """Yield the items of a stream, each within its timeout.

    Raises:
        ModelTimeout: a timeout was exceeded.
    """
    start = time.monotonic()
    wait, silence = timeouts.first_seconds, "did not begin to answer in time"
    async with _limit(wait, silence):
        stream = await begin()
    async with stream:
        items = aiter(stream)
        wait -= time.monotonic() - start
        while True:
            left = start + timeouts.total_seconds - time.monotonic()
            reason = silence if wait <= left else "did not end in time"
            async with _limit(min(wait, left), reason):
                item = await anext(items, None)
            if item is None:
                return
            yield item
            wait, silence = timeouts.silence_seconds, "fell silent"


async def checked_events(
    events: AsyncGenerator[ModelEvent, None], failure: Callable[[Exception], ModelError]
) -> AsyncGenerator[ModelEvent, None]:
    """Yield the events of a response that has content and ends properly.

    `failure` converts errors of the vendor's library.

    Raises:
        ModelError: the response failed.
    """
    said = False
    finish: ModelFinish | None = None
    try:
        async with aclosing(events):
            async for event in events:
                said = said or isinstance(event, ModelTextDelta | ToolCall)
                if isinstance(event, ModelFinish):
                    finish = event
                else:
                    yield event
    except ModelError:
        raise
    except Exception as error:
        # Broken connections and malformed lines raise errors of several libraries.
        raise failure(error) from error
    yield _whole(finish, said)


def _whole(finish: ModelFinish | None, said: bool) -> ModelFinish:
    if finish is None:
        detail = "the stream has no end"
        raise ModelBadAnswer("The model's response was interrupted.", detail=detail)
    if not said and finish.reason is FinishReason.LENGTH:
        raise ModelBadAnswer(detail="all output tokens were used before anything was said")
    if not said:
        raise ModelBadAnswer("The assistant's model gave no answer.", detail="the answer is empty")
    return finish


class PerLoop(Generic[T]):
    """A value per event loop, because connections cannot be shared between loops."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: WeakKeyDictionary[asyncio.AbstractEventLoop, T] = WeakKeyDictionary()

    def here(self) -> T:
        loop = asyncio.get_running_loop()
        if loop not in self._made:
            self._made[loop] = self._make()
        return self._made[loop]

    def take(self) -> T | None:
        """Remove and return the value of the running loop."""
        return self._made.pop(asyncio.get_running_loop(), None)


@asynccontextmanager
async def _limit(seconds: float, reason: str) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(max(0.0, seconds)):
            yield
    except TimeoutError as error:
        raise ModelTimeout(detail=f"the provider {reason}") from error
