"""Several models as one, with retries and fallback.

Failure rule: after text or a tool call has been passed on, nothing is retried, because two
beginnings are not an answer. A model that failed is skipped for a while if there is another, so
that readers do not wait for its timeout repeatedly.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from docstead.base.errors import (
    ModelBadAnswer,
    ModelContextFull,
    ModelError,
    ModelRateLimited,
    ModelRefused,
    ModelUnreachable,
)
from docstead.models.chat import (
    ChatMessage,
    ChatModel,
    ModelEvent,
    ModelUsage,
    ToolSpec,
    ToolUse,
)

_log = logging.getLogger(__name__)

_RETRIABLE = (ModelUnreachable, ModelRateLimited, ModelBadAnswer)
# These concern the conversation rather than the model's health.
_ABOUT_THE_CONVERSATION = (ModelContextFull, ModelRefused)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Number of retries of a model, and their exponential delays with jitter."""

    times: int = 2
    first_wait_seconds: float = 0.5
    longest_wait_seconds: float = 8.0
    rest_seconds: float = 30.0  # seconds for which a failed model is skipped

    def wait_seconds(self, attempt: int, error: ModelError) -> float | None:
        """Return the seconds before the next attempt, or None to give up."""
        if attempt >= self.times or not isinstance(error, _RETRIABLE):
            return None
        if isinstance(error, ModelRateLimited) and error.retry_after_seconds is not None:
            requested = error.retry_after_seconds
            return requested if requested <= self.longest_wait_seconds else None
        wait = self.first_wait_seconds * float(2**attempt) * random.uniform(0.75, 1.25)  # noqa: S311
        return min(wait, self.longest_wait_seconds)


class Router:
    """Tries `models` in order of preference; there is at least one."""

    def __init__(
        self,
        models: Sequence[ChatModel],
        retries: RetryPolicy | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._models = tuple(models)
        self._retries = retries or RetryPolicy()
        self._sleep = sleep
        self._rests_until: dict[int, float] = {}

    @property
    def name(self) -> str:
        return self._models[0].name

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        tools: Sequence[ToolSpec] = (),
        tool_use: ToolUse = ToolUse.AUTO,
        max_output_tokens: int | None = None,
    ) -> AsyncGenerator[ModelEvent, None]:
        """Like `ChatModel.stream`; raises the error of the last model tried."""
        failure = ModelError()
        for position in self._order():

            def begin(
                model: ChatModel = self._models[position],
            ) -> AsyncGenerator[ModelEvent, None]:
                return model.stream(
                    messages, tools=tools, tool_use=tool_use, max_output_tokens=max_output_tokens
                )

            try:
                async with aclosing(self._tried(begin)) as events:
                    async for event in events:
                        yield event
            except _NotStarted as unbegun:
                failure = unbegun.error
                self._note(position, failure)
            else:
                self._rests_until.pop(position, None)
                return
        raise failure

    async def close(self) -> None:
        for model in self._models:
            await model.close()

    async def _tried(
        self, begin: Callable[[], AsyncGenerator[ModelEvent, None]]
    ) -> AsyncGenerator[ModelEvent, None]:
        """Yield the events of the first successful attempt. Raises `_NotStarted` if all fail."""
        attempt, begun = 0, False
        while True:
            try:
                async with aclosing(begin()) as events:
                    async for event in events:
                        begun |= not isinstance(event, ModelUsage)
                        yield event
            except ModelError as error:
                if begun:
                    raise
                wait = self._retries.wait_seconds(attempt, error)
                if wait is None:
                    raise _NotStarted(error) from error
                await self._sleep(wait)
                attempt += 1
            else:
                return

    def _order(self) -> list[int]:
        """Return the healthy models first, then those that failed recently."""
        now = time.monotonic()
        positions = range(len(self._models))
        return sorted(positions, key=lambda position: self._rests_until.get(position, 0.0) > now)

    def _note(self, position: int, error: ModelError) -> None:
        _log.warning(
            "the chat model %s gave no answer: %s", self._models[position].name, error.detail
        )
        if not isinstance(error, _ABOUT_THE_CONVERSATION):
            self._rests_until[position] = time.monotonic() + self._retries.rest_seconds


class _NotStarted(Exception):
    """All attempts failed."""

    def __init__(self, error: ModelError) -> None:
        super().__init__(error.message)
        self.error = error
