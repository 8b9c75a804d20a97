"""Storage of recordings: all answers of the process together, several times a second."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from docstead.assistant.events import Event
from docstead.assistant.streams.recording import AnswerRecording
from docstead.assistant.streams.records import RecordedAnswers, UnstoredParts
from docstead.base.unexpected import log_failure

_log = logging.getLogger(__name__)

_EVERY_SECONDS = 0.5
_BEAT_SECONDS = 5.0
_SWEEP_SECONDS = 300.0


@dataclass(slots=True, eq=False)
class _WriteProgress:
    recording: AnswerRecording
    position: int = 0
    last: Event | None = None
    is_lost: bool = False  # a part could not be stored, so the rest is useless
    done: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def has_more(self) -> bool:
        return self.last is not None or len(self.recording.events) > self.position


class Writer:
    """Writes while there are events; idle, it uses no task and no thread."""

    def __init__(self, kept: RecordedAnswers) -> None:
        self._kept = kept
        self._open: dict[AnswerRecording, _WriteProgress] = {}
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._beat_at = 0.0
        self._swept_at = float("-inf")
        self._thread: ThreadPoolExecutor

    def open(self, recording: AnswerRecording) -> None:
        """Start to store the events of a recording."""
        self._open[recording] = _WriteProgress(recording)
        if self._task is None or self._task.done():
            self._wake = asyncio.Event()
            self._task = asyncio.create_task(self._run())

    def has_begun(self, recording: AnswerRecording) -> bool:
        """Report whether the first events of a recording are stored."""
        written = self._open.get(recording)
        return written is None or written.position > 0

    async def close(self, recording: AnswerRecording, last: Event) -> None:
        """Store the remaining events and the last one; return when done."""
        written = self._open[recording]
        written.last = last
        self._wake.set()
        await written.done.wait()

    async def _run(self) -> None:
        # Its own thread, so that a thousand new answers do not delay it.
        with ThreadPoolExecutor(1, thread_name_prefix="docstead-answers") as self._thread:
            while self._open:
                # At the end of the event loop, open answers end and wait for this.
                with contextlib.suppress(asyncio.CancelledError):
                    await self._write()
                    if not any(each.last for each in self._open.values()):
                        await self._pause()
                    self._wake.clear()

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(_EVERY_SECONDS):
                await self._wake.wait()
        except TimeoutError:
            pass

    async def _write(self) -> None:
        taken = [(each, _fresh(each)) for each in self._open.values() if each.has_more]
        now = asyncio.get_running_loop().time()
        alive = []
        if now - self._beat_at >= _BEAT_SECONDS:
            alive, self._beat_at = [r.started.message_id for r in self._open], now
        if not taken and not alive:
            return
        await self._store(taken, alive)
        for each, fresh in taken:
            each.position += len(fresh.events)
            if fresh.over:
                del self._open[each.recording]
                each.done.set()
        await self._sweep(now)

    async def _store(
        self, taken: list[tuple[_WriteProgress, UnstoredParts]], alive: list[str]
    ) -> None:
        found = [(each, fresh) for each, fresh in taken if not each.is_lost]
        try:
            await self._in_thread(partial(self._kept.write, [f for _, f in found], alive))
        except Exception:
            for each, fresh in found:
                await self._store_one(each, fresh)

    async def _store_one(self, written: _WriteProgress, fresh: UnstoredParts) -> None:
        try:
            await self._in_thread(partial(self._kept.write, [fresh], []))
        except Exception as error:
            # Readers have received the events; only the replay is lost.
            message_id = fresh.started.message_id
            log_failure(_log, f"answer {message_id} cannot be recorded", error)
            written.is_lost = True

    async def _sweep(self, now: float) -> None:
        if now - self._swept_at < _SWEEP_SECONDS:
            return
        self._swept_at = now
        try:
            await self._in_thread(self._kept.sweep)
        except Exception as error:
            log_failure(_log, "old recordings could not be removed", error)

    async def _in_thread(self, work: Callable[[], None]) -> None:
        """Wait for the current write, even if cancelled."""
        future = asyncio.get_running_loop().run_in_executor(self._thread, work)
        while not future.done():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait([future])
        future.result()


def _fresh(written: _WriteProgress) -> UnstoredParts:
    recording, last = written.recording, written.last
    events = tuple(recording.events[written.position :])
    return UnstoredParts(
        started=recording.started,
        deployment_id=recording.deployment_id,
        chat=recording.chat,
        position=written.position,
        events=events if last is None else (*events, last),
        over=last is not None,
    )
