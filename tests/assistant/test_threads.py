"""Conversations that are continued."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from docstead.accounts.tenancy import Deployment
from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.engine import Assistant
from docstead.assistant.events import TextDelta
from docstead.base.errors import NotFound
from docstead.storage.schema import threads, turns

Ask = Callable[..., Any]
KEYS = "How do I create an API key?"
RETRIES = "What happens to webhooks that fail?"


@pytest.fixture
def stored(backend: object) -> Callable[[], list[dict[str, Any]]]:
    """Every turn, in order."""

    def read() -> list[dict[str, Any]]:
        query = select(turns).order_by(turns.c.thread_id, turns.c.position)
        with backend.database.reading() as connection:  # type: ignore[attr-defined]
            return [dict(row) for row in connection.execute(query).mappings()]

    return read


def test_a_new_thread_has_a_key_that_is_not_stored(ask: Ask, backend: object) -> None:
    started = ask(KEYS, fp="reader-7").started
    with backend.database.reading() as connection:  # type: ignore[attr-defined]
        row = connection.execute(select(threads)).mappings().one()
    assert (row["id"], row["fp"]) == (started.thread_id, "reader-7")
    assert started.thread_key
    assert started.thread_key not in row.values()


def test_a_turn_is_stored_whole(ask: Ask, stored: Callable[[], list[dict[str, Any]]]) -> None:
    answer = ask(KEYS, current_path="/guides/keys")
    (turn,) = stored()
    assert turn["question"] == KEYS
    assert turn["answer"] == answer.text
    assert [source["url"] for source in turn["sources"]] == answer.urls
    assert (turn["answered"], turn["edition_id"]) == (True, "ed_1")
    assert turn["current_path"] == "/guides/keys"


def test_an_unanswered_turn_is_marked(ask: Ask, stored: Callable[[], list[dict[str, Any]]]) -> None:
    ask("How do I bake sourdough bread?")
    assert [turn["answered"] for turn in stored()] == [False]


def test_a_thread_is_continued_by_its_id(
    ask: Ask, stored: Callable[[], list[dict[str, Any]]]
) -> None:
    first = ask(RETRIES)
    second = ask("and the signature?", thread_id=first.thread_id)
    assert second.thread_id == first.thread_id
    assert second.started.thread_key is None
    assert any(url.endswith("/guides/webhooks#signatures") for url in second.locations)
    assert [(turn["position"], turn["question"]) for turn in stored()] == [
        (0, RETRIES),
        (1, "and the signature?"),
    ]


def test_asking_again_replaces_the_answer(
    ask: Ask, stored: Callable[[], list[dict[str, Any]]]
) -> None:
    thread_id = ask(RETRIES).thread_id
    first = ask(RETRIES, "They are retried.", KEYS, thread_id=thread_id)
    again = ask(RETRIES, "They are retried.", KEYS, thread_id=thread_id)
    assert [turn["question"] for turn in stored()] == [RETRIES, KEYS]
    assert stored()[1]["answer_id"] == again.started.message_id != first.started.message_id


def test_a_question_may_come_back_later(
    ask: Ask, stored: Callable[[], list[dict[str, Any]]]
) -> None:
    thread_id = ask(RETRIES).thread_id
    ask(RETRIES, "They are retried.", RETRIES, thread_id=thread_id)
    assert [turn["question"] for turn in stored()] == [RETRIES, RETRIES]


@pytest.mark.parametrize("thread_id", ["", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "x" * 5000, "' OR 1=1"])
def test_an_unknown_thread_begins_a_new_one(ask: Ask, thread_id: str) -> None:
    begun = ask(KEYS, thread_id=thread_id)
    assert begun.thread_id != thread_id
    assert begun.started.thread_key
    assert ask(RETRIES, thread_id=begun.thread_id).thread_id == begun.thread_id


def test_an_unknown_thread_is_not_found_where_threads_must_exist(
    make_assistant: Callable[..., Assistant[Deployment]],
    deployment: Deployment,
    asking: Callable[..., Ask],
) -> None:
    ask = asking(make_assistant(thread_must_exist=True), deployment)
    with pytest.raises(NotFound, match="threadId"):
        ask(KEYS, thread_id="01ARZ3NDEKTSV4RRFFQ69G5FAV")


def test_a_thread_of_another_deployment_is_not_continued(ask: Ask, other: Deployment) -> None:
    thread_id = ask(KEYS, to=other).thread_id
    assert ask(KEYS, thread_id=thread_id).thread_id != thread_id


class TestRequiredKeys:
    @pytest.fixture
    def ask(
        self,
        make_assistant: Callable[..., Assistant[Deployment]],
        deployment: Deployment,
        asking: Callable[..., Ask],
    ) -> Ask:
        return asking(make_assistant(thread_key_required=True), deployment)

    def test_the_key_opens_the_thread(self, ask: Ask) -> None:
        first = ask(KEYS)
        key = first.started.thread_key
        assert ask(RETRIES, thread_id=first.thread_id, thread_key=key).is_finished

    @pytest.mark.parametrize("key", [None, "", "wrong", "schlüssel"])
    def test_no_other_does(self, ask: Ask, key: str | None) -> None:
        thread_id = ask(KEYS).thread_id
        with pytest.raises(NotFound):
            ask(RETRIES, thread_id=thread_id, thread_key=key)


def test_what_was_said_is_stored_when_nobody_listens_any_more(
    make_assistant: Callable[..., Assistant[Deployment]],
    deployment: Deployment,
    stored: Callable[[], list[dict[str, Any]]],
) -> None:
    question = Question((ConversationMessage(Speaker.USER, KEYS),))

    async def leave_early() -> str:
        events = make_assistant().answer(deployment, question)
        async for event in events:
            if isinstance(event, TextDelta):
                await events.aclose()
                return event.text
        raise AssertionError("no text came")

    said = asyncio.run(leave_early())
    assert [turn["answer"] for turn in stored()] == [said]


def test_answers_that_end_together_stand_behind_each_other(
    make_assistant: Callable[..., Assistant[Deployment]],
    deployment: Deployment,
    ask: Ask,
    stored: Callable[[], list[dict[str, Any]]],
) -> None:
    thread_id = ask(KEYS).thread_id
    assistant = make_assistant()

    async def all_at_once() -> None:
        async def one(number: int) -> None:
            text = f"{RETRIES} {number}"
            question = Question((ConversationMessage(Speaker.USER, text),), thread_id=thread_id)
            async for _ in assistant.answer(deployment, question):
                pass

        await asyncio.gather(*(one(number) for number in range(8)))

    asyncio.run(all_at_once())
    assert [turn["position"] for turn in stored()] == list(range(9))
