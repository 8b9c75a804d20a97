"""Answers as they are made here, and recordings of those that were made anywhere."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Iterator
from functools import partial
from typing import Generic, TypeVar

from anyio import to_thread

from docstead.assistant.conversation import (
    ORDINARY_ACCESS,
    AnswerDeployment,
    Question,
    ThreadAccess,
)
from docstead.assistant.engine import Assistant
from docstead.assistant.events import AnswerFailed, AnswerFinished, AnswerStarted, Event
from docstead.assistant.stored_text import stored_name
from docstead.assistant.streams.recording import (
    RecordedEvents,
    RecordedStream,
    Recording,
    TextBatcher,
)
from docstead.assistant.streams.records import BROKE_OFF, RecordedAnswer, RecordedAnswers
from docstead.assistant.streams.writer import Writer
from docstead.base.clock import Clock
from docstead.storage.database import Database

_log = logging.getLogger(__name__)

D = TypeVar("D", bound=AnswerDeployment)

_GUESSABLE = 16  # a chat's id of fewer characters may well be that of others too
_LOOK_SECONDS = 0.5  # how often an answer that another node makes is looked at


class AnswerStreams(Generic[D]):
    """Makes answers that go on without their reader, and finds them again."""

    def __init__(self, assistant: Assistant[D], database: Database, clock: Clock) -> None:
        self._assistant = assistant
        self._kept = RecordedAnswers(database, clock)
        self._writer = Writer(self._kept)
        self._made_here: dict[tuple[str, str], Recording] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def ask(
        self, deployment: D, question: Question, *, chat: str | None = None, asker: str = ""
    ) -> Recording:
        """An answer that has begun. It can be resumed by its thread, and by `chat`.

        A chat's id that others might guess only counts together with the `asker`'s address.

        Raises:
            Unavailable: the deployment has nothing published.
            NotFound: there is no such thread, and threads must exist; or its key is wrong.
        """
        events = self._assistant.answer(deployment, question)
        # Whatever is wrong with the thread is raised here, while there can still be a status.
        started = await anext(events)
        assert isinstance(started, AnswerStarted)  # noqa: S101 - the events promise it
        recording = Recording(deployment.id, _chat(chat, asker) if chat else None, started)
        self._begin(recording, events)
        return recording

    async def resume(
        self,
        deployment: D,
        chat: str,
        *,
        asker: str = "",
        access: ThreadAccess = ORDINARY_ACCESS,
    ) -> RecordedStream | None:
        """The last answer of a chat, from its first event; None where there is none.

        Raises:
            NotFound: its thread is not open to this access.
        """
        key = _chat(chat, asker)
        for name in (key, _thread(chat)):
            if (recording := self._made_here.get((deployment.id, name))) is not None:
                await self._admit(deployment, recording.started.thread_id, access)
                return recording
        find = partial(self._kept.find, deployment.id, chat=key, thread_id=chat)
        kept = await to_thread.run_sync(find)
        if kept is None:
            return None
        await self._admit(deployment, kept.thread_id, access)
        return _RecordingReplay(self._kept, kept)

    async def drain(self, seconds: float) -> None:
        """Wait for the answers that are being made; end those that take longer."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _admit(self, deployment: D, thread_id: str, access: ThreadAccess) -> None:
        await to_thread.run_sync(self._assistant.admit, deployment, thread_id, access)

    def _begin(self, recording: Recording, events: AsyncGenerator[Event, None]) -> None:
        names = [(recording.deployment_id, key) for key in _names(recording)]
        self._made_here.update(dict.fromkeys(names, recording))
        self._writer.open(recording)
        task = asyncio.create_task(self._make(recording, events))
        self._tasks.add(task)

        def forget(_: object) -> None:
            self._tasks.discard(task)
            for name in names:
                if self._made_here.get(name) is recording:
                    del self._made_here[name]

        task.add_done_callback(forget)

    async def _make(self, recording: Recording, events: AsyncGenerator[Event, None]) -> None:
        pace = TextBatcher(recording.add)
        last: AnswerFinished | AnswerFailed = AnswerFailed(recording.started.thread_id, BROKE_OFF)
        try:
            async with contextlib.aclosing(events):
                async for event in events:
                    if isinstance(event, AnswerFinished | AnswerFailed):
                        last = event
                    else:
                        pace.take(event)
        finally:
            pace.flush()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.shield(self._writer.close(recording, last))
            recording.add(last, last=True)


class _RecordingReplay:
    """A recording, read from the database."""

    def __init__(self, store: RecordedAnswers, kept: RecordedAnswer) -> None:
        self._store = store
        self._kept: RecordedAnswer | None = kept

    async def after(self, place: int, patience_seconds: float | None = None) -> RecordedEvents:
        progress = self._progress(place)
        patience = float("inf") if patience_seconds is None else patience_seconds
        deadline = asyncio.get_running_loop().time() + patience
        while not progress.events and not progress.over:
            if asyncio.get_running_loop().time() >= deadline:
                break
            await asyncio.sleep(_LOOK_SECONDS)
            assert self._kept is not None  # noqa: S101 - it is not over
            self._kept = await to_thread.run_sync(self._store.read, self._kept.id)
            progress = self._progress(place)
        return progress

    def _progress(self, place: int) -> RecordedEvents:
        return RecordedEvents((), over=True) if self._kept is None else self._kept.since(place)


def _names(recording: Recording) -> Iterator[str]:
    if recording.chat is not None:
        yield recording.chat
    yield _thread(recording.started.thread_id)


def _chat(chat: str, asker: str) -> str:
    named = stored_name(chat)
    return f"chat {named}" if len(chat) >= _GUESSABLE else f"chat at {asker} {named}"


def _thread(thread_id: str) -> str:
    return f"thread {thread_id}"
