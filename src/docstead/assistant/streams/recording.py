"""Recording of an answer in progress, with events by position."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from docstead.assistant.events import AnswerStarted, Event, ReasoningDelta, TextDelta

_TOGETHER_SECONDS = 0.03


@dataclass(frozen=True, slots=True)
class RecordedEvents:
    """Events after a position; `over` if no more will come."""

    events: tuple[Event, ...]
    over: bool


class RecordedStream(Protocol):
    """An answer that can be followed from any position, at any pace."""

    async def after(self, position: int, patience_seconds: float | None = None) -> RecordedEvents:
        """Return the events from `position` on, waiting for the first; none on a timeout.

        Without `patience_seconds` there is no timeout.
        """
        ...


class AnswerRecording:
    """Events so far. Belongs to the event loop that generates the answer."""

    def __init__(self, deployment_id: str, chat: str | None, started: AnswerStarted) -> None:
        self.deployment_id = deployment_id
        self.chat = chat  # the client's chat
        self.started = started
        self.events: list[Event] = [started]
        self.over = False
        self._changed = asyncio.Event()

    def add(self, event: Event, *, last: bool = False) -> None:
        self.events.append(event)
        self.over = last
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def after(self, position: int, patience_seconds: float | None = None) -> RecordedEvents:
        if position >= len(self.events) and not self.over:
            await self._change(patience_seconds)
        return RecordedEvents(tuple(self.events[position:]), self.over)

    async def _change(self, patience_seconds: float | None) -> None:
        if patience_seconds is None:  # the common case, a thousand times a second, needs no timer
            await self._changed.wait()
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience_seconds):
                await self._changed.wait()


class TextBatcher:
    """Merges consecutive text events, at most one per 30 ms: clients copy the whole message
    for every part. Other events are sent immediately.
    """

    def __init__(self, add: Callable[[Event], None]) -> None:
        self._add = add
        self._loop = asyncio.get_running_loop()
        self._kind: type[TextDelta | ReasoningDelta] = TextDelta
        self._texts: list[str] = []
        self._next_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def take(self, event: Event) -> None:
        if not isinstance(event, TextDelta | ReasoningDelta):
            self.flush()
            self._add(event)
            return
        if type(event) is not self._kind:
            self.flush()
            self._kind = type(event)
        self._texts.append(event.text)
        if self._loop.time() >= self._next_at:
            self.flush()
        elif self._timer is None:
            self._timer = self._loop.call_at(self._next_at, self.flush)

    def flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._texts:
            self._add(self._kind("".join(self._texts)))
            self._texts.clear()
            self._next_at = self._loop.time() + _TOGETHER_SECONDS
