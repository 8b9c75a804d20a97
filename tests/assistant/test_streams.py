"""Answers that outlive their readers, on each kind of database."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from answer_options import UNCHECKED
from chat_server import ChatServer, Reply, Rule
from docstead.accounts.tenancy import Deployment
from docstead.assistant.conversation import ConversationMessage, Question, Speaker, ThreadAccess
from docstead.assistant.engine import Assistant
from docstead.assistant.events import AnswerFailed, AnswerFinished, AnswerStarted, Event, TextDelta
from docstead.assistant.streams import AnswerStreams, RecordedStream
from docstead.base.errors import NotFound
from docstead.models.openai_compatible import OpenAICompatible
from docstead.storage.schema import answer_events, answers, turns

CHAT = "a-chat-of-its-own"
KEYS = Question((ConversationMessage(Speaker.USER, "How do I create an API key?"),))


@pytest.fixture
def nodes(
    make_assistant: Callable[..., Assistant[Deployment]],
    backend: Any,
    clock: Any,
    model_server: ChatServer,
) -> Callable[..., AnswerStreams[Deployment]]:
    """Nodes over one database; the model speaks slowly on request."""

    def make(*, written: bool = False, **options: bool) -> AnswerStreams[Deployment]:
        model = OpenAICompatible(model_server.url, "key", "tiny") if written else None
        assistant = make_assistant(model, UNCHECKED, **options)
        return AnswerStreams(assistant, backend.database, clock)

    return make


async def everything(answer: RecordedStream | None, position: int = 0) -> list[Event]:
    """All events from a position on, to the last."""
    assert answer is not None
    events: list[Event] = []
    while True:
        progress = await answer.after(position + len(events), 5)
        events += progress.events
        if progress.over:
            return events


def text_of(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 120))


def replayable(events: list[Event]) -> list[Event]:
    """Return the replayed events: everything but the thread's key."""
    first = events[0]
    assert isinstance(first, AnswerStarted)
    return [AnswerStarted(first.message_id, first.thread_id, None), *events[1:]]


def test_an_answer_is_replayed_by_every_node(
    nodes: Callable[..., AnswerStreams[Deployment]], deployment: Deployment
) -> None:
    async def work() -> None:
        answer = await nodes().ask(deployment, KEYS, chat=CHAT)
        events = await everything(answer)
        assert isinstance(events[-1], AnswerFinished)
        for chat in (CHAT, answer.started.thread_id):
            again = await everything(await nodes().resume(deployment, chat))
            assert again == replayable(events)

    run(work())


def test_an_answer_in_the_making_is_followed_from_any_position(
    nodes: Callable[..., AnswerStreams[Deployment]],
    deployment: Deployment,
    model_server: ChatServer,
) -> None:
    pieces, rest = [f"word{n} " for n in range(60)], threading.Event()
    model_server.rules = [Rule(lambda _: True, Reply(*pieces, rest=rest))]

    async def work() -> None:
        here, elsewhere = nodes(written=True), nodes()
        answer = await here.ask(deployment, KEYS, chat=CHAT)
        await answer.after(3, 120)
        assert await here.resume(deployment, CHAT) is answer
        followers = [
            everything(answer),
            everything(await here.resume(deployment, CHAT), 3),
            everything(await elsewhere.resume(deployment, CHAT)),
        ]
        following = asyncio.gather(*followers)
        rest.set()
        whole, from_third, other = await following
        assert text_of(whole) == "".join(pieces)
        assert from_third == whole[3:]
        assert other == replayable(whole)

    run(work())


def test_nobody_has_to_listen(
    nodes: Callable[..., AnswerStreams[Deployment]],
    deployment: Deployment,
    model_server: ChatServer,
    backend: Any,
) -> None:
    model_server.pieces = ["All ", "of ", "it."]

    async def work() -> None:
        streams = nodes(written=True)
        await streams.ask(deployment, KEYS, chat=CHAT)
        await streams.drain(10)
        assert text_of(await everything(await streams.resume(deployment, CHAT))) == "All of it."

    run(work())
    with backend.database.reading() as connection:
        assert connection.execute(select(turns.c.answer)).scalar_one() == "All of it."
    assert not [each for each in threading.enumerate() if "docstead-answers" in each.name]


def test_what_takes_too_long_at_the_end_breaks_off(
    nodes: Callable[..., AnswerStreams[Deployment]],
    deployment: Deployment,
    model_server: ChatServer,
) -> None:
    rest = threading.Event()
    model_server.rules = [Rule(lambda _: True, Reply(*["word "] * 50, rest=rest))]

    async def work() -> None:
        streams = nodes(written=True)
        answer = await streams.ask(deployment, KEYS, chat=CHAT)
        await answer.after(1, 120)  # its first words
        await streams.drain(0.1)
        events = await everything(answer)
        rest.set()
        assert isinstance(events[-1], AnswerFailed)
        assert text_of(events).startswith("word")
        assert await everything(await nodes().resume(deployment, CHAT)) == replayable(events)

    run(work())


def test_after_an_hour_the_thread_replays_it(
    nodes: Callable[..., AnswerStreams[Deployment]],
    deployment: Deployment,
    clock: Any,
    backend: Any,
) -> None:
    async def work() -> None:
        events = await everything(await nodes().ask(deployment, KEYS, chat=CHAT))
        clock.move_to(clock.now() + timedelta(hours=1, seconds=1))
        later = nodes()
        await everything(await later.ask(deployment, KEYS))
        await wait_until_swept(backend)
        again = await everything(await later.resume(deployment, CHAT))
        assert text_of(again) == text_of(events)
        assert again[0] == replayable(events)[0]
        assert isinstance(again[-1], AnswerFinished)

    run(work())


async def wait_until_swept(backend: Any) -> None:
    query = select(answer_events.c.answer_id).distinct()
    for _ in range(6000):
        with backend.database.reading() as connection:
            if len(connection.scalars(query).all()) == 1:
                return
        await asyncio.sleep(0.02)
    raise AssertionError("old events were not removed")


def test_an_answer_whose_node_died_ends(
    nodes: Callable[..., AnswerStreams[Deployment]],
    deployment: Deployment,
    clock: Any,
    backend: Any,
) -> None:
    async def work() -> None:
        answer = await nodes().ask(deployment, KEYS, chat=CHAT)
        events = await everything(answer)
        forget_the_end(backend, answer.started.message_id)
        replay = await nodes().resume(deployment, CHAT)
        assert replay is not None
        assert not (await replay.after(len(events), 0)).over
        clock.move_to(clock.now() + timedelta(seconds=30))
        again = await everything(await nodes().resume(deployment, CHAT))
        assert again[-1] == AnswerFailed(answer.started.thread_id, again[-1].message)

    run(work())


def forget_the_end(backend: Any, answer_id: str) -> None:
    """Simulate a node that is killed after the first event."""
    with backend.database.transaction() as connection:
        first = (
            f'[{{"type":"Started","message_id":"{answer_id}","thread_id":"T","thread_key":null}}]'
        )
        connection.execute(update(answer_events).values(events=first))
        connection.execute(update(answers).values(over=False))
        connection.execute(turns.delete())


def test_the_latest_of_simultaneous_answers_is_resumed(
    nodes: Callable[..., AnswerStreams[Deployment]], deployment: Deployment
) -> None:
    """As after a regenerate; the clock stands still."""

    async def work() -> None:
        streams = nodes()
        for _ in range(6):
            asked = [await streams.ask(deployment, KEYS, chat=CHAT) for _ in range(3)]
            events = [await everything(each) for each in asked]
            again = await everything(await nodes().resume(deployment, CHAT))
            assert again == replayable(events[-1])

    run(work())


def test_an_answer_of_another_node_is_resumed_if_it_was_asked_for_later(
    nodes: Callable[..., AnswerStreams[Deployment]],
    deployment: Deployment,
    model_server: ChatServer,
    clock: Any,
) -> None:
    rest = threading.Event()
    model_server.rules = [Rule(lambda _: True, Reply(*["word "] * 50, rest=rest))]

    async def work() -> None:
        here, elsewhere = nodes(written=True), nodes()
        slow = await here.ask(deployment, KEYS, chat=CHAT)
        await slow.after(1, 120)
        clock.move_to(clock.now() + timedelta(seconds=1))
        last = await everything(await elsewhere.ask(deployment, KEYS, chat=CHAT))
        assert await everything(await here.resume(deployment, CHAT)) == replayable(last)
        rest.set()
        await everything(slow)

    run(work())


class TestWhoMayResume:
    def test_not_another_deployment(
        self,
        nodes: Callable[..., AnswerStreams[Deployment]],
        deployment: Deployment,
        other: Deployment,
    ) -> None:
        async def work() -> None:
            streams = nodes()
            answer = await streams.ask(deployment, KEYS, chat=CHAT)
            assert await streams.resume(other, CHAT) is None
            await everything(answer)
            for chat in (CHAT, answer.started.thread_id, "unknown", ""):
                assert await streams.resume(other, chat) is None

        run(work())

    def test_a_guessable_id_only_from_the_same_ip_address(
        self, nodes: Callable[..., AnswerStreams[Deployment]], deployment: Deployment
    ) -> None:
        async def work() -> None:
            streams = nodes()
            await everything(await streams.ask(deployment, KEYS, chat="1", asker="192.0.2.1"))
            for chat, asker in (("1", "192.0.2.2"), ("at 192.0.2.1 1", ""), ("192.0.2.1 1", "")):
                assert await streams.resume(deployment, chat, asker=asker) is None
            assert await streams.resume(deployment, "1", asker="192.0.2.1") is not None

        run(work())

    def test_a_thread_that_needs_its_key(
        self, nodes: Callable[..., AnswerStreams[Deployment]], deployment: Deployment
    ) -> None:
        async def work() -> None:
            streams = nodes(thread_key_required=True)
            answer = await streams.ask(deployment, KEYS, chat=CHAT)
            key = answer.started.thread_key
            await everything(answer)
            for wrong in (None, "", "wrong"):
                with pytest.raises(NotFound):
                    await streams.resume(deployment, CHAT, access=ThreadAccess(wrong))
            assert await streams.resume(deployment, CHAT, access=ThreadAccess(key)) is not None

        run(work())

    def test_the_last_answer_of_a_chat(
        self, nodes: Callable[..., AnswerStreams[Deployment]], deployment: Deployment, clock: Any
    ) -> None:
        async def work() -> None:
            streams = nodes()
            await everything(await streams.ask(deployment, KEYS, chat=CHAT))
            clock.move_to(clock.now() + timedelta(seconds=1))
            last = Question(
                (ConversationMessage(Speaker.USER, "What happens to webhooks that fail?"),)
            )
            events = await everything(await streams.ask(deployment, last, chat=CHAT))
            again = await everything(await streams.resume(deployment, CHAT))
            assert replayable(again) == replayable(events)

        run(work())
