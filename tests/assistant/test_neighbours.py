"""One conversation changes; those of others, and the others of its site, stay as they are."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from docstead.accounts.tenancy import Deployment
from docstead.assistant.conversation import (
    ORDINARY_ACCESS,
    ThreadAccess,
)
from docstead.assistant.events import AnswerFinished, AnswerStarted, TextDelta
from docstead.assistant.streams.records import KEPT, UnstoredParts
from docstead.assistant.threads import ThreadRecords
from docstead.base.errors import NotFound
from docstead.storage.database import Database
from docstead.storage.schema import (
    answer_events,
    answers,
    deployments,
    threads,
)
from neighbours import neighbours
from stored_talk import Talk

# --- threads --------------------------------------------------------------------


def test_each_thread_is_itself(talk: Talk, database: Database, site: Deployment) -> None:
    first, second = talk.thread(), talk.thread()
    talk.turn(first, "a1")
    talk.turn(second, "b1")
    talk.turn(second, "b2")
    with neighbours(database, [threads, deployments]) as copies:
        found = talk.threads.find(site.id, second.id, ORDINARY_ACCESS)
        assert [each.answer for each in found.turns] == ["Said b1", "Said b2"]
        assert talk.threads.find(site.id, first.id, ORDINARY_ACCESS).turn_count == 1
        for elsewhere in (copies.siblings[site.id], copies.foreign[site.id]):
            with pytest.raises(NotFound):
                talk.threads.find(elsewhere, first.id, ORDINARY_ACCESS)
        with pytest.raises(NotFound):
            talk.threads.find(site.id, "unknown", ORDINARY_ACCESS)


def test_one_thread_is_restricted_to_groups(
    talk: Talk, database: Database, site: Deployment
) -> None:
    first, second = talk.thread(), talk.thread()
    with neighbours(database, [threads, deployments]) as copies:
        groups = ThreadAccess(reads_groups=True)
        talk.threads.resume_or_create(site.id, first.id, groups, "reader", for_groups=True)
        assert talk.threads.find(site.id, second.id, ORDINARY_ACCESS).id == second.id
        assert talk.threads.find(site.id, first.id, groups).id == first.id
        with pytest.raises(NotFound):
            talk.threads.find(site.id, first.id, ORDINARY_ACCESS)
        assert talk.threads.find(site.id, copies.siblings[first.id], ORDINARY_ACCESS)


def test_a_thread_opens_with_its_own_key(database, clock, talk: Talk, site: Deployment) -> None:
    strict = ThreadRecords(database, clock, key_required=True)
    first, second = talk.thread(), talk.thread()
    assert strict.find(site.id, second.id, ThreadAccess(second.key)).id == second.id
    with pytest.raises(NotFound):
        strict.find(site.id, second.id, ThreadAccess(first.key))


def test_one_answer_is_stored_again(talk: Talk, database: Database, site: Deployment) -> None:
    thread = talk.thread()
    talk.turn(thread, "a1")
    talk.turn(thread, "a2")
    with neighbours(database, [threads]):
        talk.turn(thread, "a3", replaces=1)
    said = [each.answer for each in talk.threads.find(site.id, thread.id, ORDINARY_ACCESS).turns]
    assert said == ["Said a1", "Said a3"]


def test_a_turn_is_put_at_the_end_of_its_own_thread(talk: Talk, database, site) -> None:
    thread, longer = talk.thread(), talk.thread()
    for number in range(3):
        talk.turn(longer, f"b{number}")
    with neighbours(database, [threads]):
        talk.turn(thread, "a1")
    assert talk.threads.find(site.id, thread.id, ORDINARY_ACCESS).turn_count == 1


# --- recorded answers -----------------------------------------------------------


def test_each_recording_is_itself(talk: Talk, database: Database, site: Deployment) -> None:
    first, second = talk.thread(), talk.thread()
    talk.turn(first, "a1", chat="chat a")
    talk.later(seconds=1)
    talk.turn(second, "b1", chat="chat b")
    with neighbours(database, [deployments]) as copies:
        for answer_id in ("b1", "a1"):
            found = talk.kept.read(answer_id)
            assert found is not None
            assert (found.id, len(found.events)) == (answer_id, 3)
        for chat, thread_id in (("chat a", "none"), ("none", first.id)):
            found = talk.kept.find(site.id, chat=chat, thread_id=thread_id)
            assert found is not None
            assert found.id == "a1"
        assert talk.kept.find(site.id, chat="none", thread_id="none") is None
        elsewhere = copies.siblings[site.id]
        assert talk.kept.find(elsewhere, chat="chat a", thread_id=first.id) is None


def test_a_swept_recording_has_the_words_of_its_own_turn(talk: Talk, database: Database) -> None:
    thread = talk.thread()
    talk.turn(thread, "a1")
    talk.turn(thread, "a2")
    with neighbours(database, may_change=[answers]) as copies:
        pass
    del copies
    talk.later(seconds=KEPT.total_seconds() + 1)
    talk.kept.sweep()
    for answer_id in ("a2", "a1"):
        found = talk.kept.read(answer_id)
        assert found is not None
        assert f"Said {answer_id}" in [getattr(each, "text", "") for each in found.events]


def test_young_recordings_are_not_swept(talk: Talk, database: Database) -> None:
    talk.turn(talk.thread(), "old")
    talk.later(seconds=KEPT.total_seconds() + 1)
    talk.turn(talk.thread(), "young")
    talk.kept.sweep()
    with database.reading() as connection:
        assert list(connection.scalars(select(answer_events.c.answer_id))) == ["young"]


def test_the_answers_that_ended_are_over(talk: Talk, database: Database, site) -> None:
    thread = talk.thread()
    started = AnswerStarted("a1", thread.id, None)
    talk.kept.write([UnstoredParts(started, site.id, "chat", 0, (started,), over=False)], [])
    talk.later(seconds=1)
    ended = UnstoredParts(
        started, site.id, "chat", 1, (AnswerFinished(thread.id, True),), over=True
    )
    with neighbours(database, [answers]):
        talk.kept.write([ended], [])
    with neighbours(database, [answers]):
        talk.kept.write([], ["a1"])


def test_an_answer_is_alive_while_its_node_says_so(talk: Talk, site: Deployment) -> None:
    started = AnswerStarted("a1", talk.thread().id, None)
    talk.kept.write([UnstoredParts(started, site.id, "chat", 0, (started,), over=False)], [])
    talk.later(seconds=15)
    talk.kept.write([], ["a1"])
    talk.later(seconds=15)
    found = talk.kept.read("a1")
    assert found is not None
    assert not found.silent


def test_an_answer_that_is_over_comes_from_its_turn_once_its_beginning_is_swept(
    talk: Talk, site: Deployment
) -> None:
    thread = talk.thread()
    started = AnswerStarted("a1", thread.id, None)
    talk.kept.write([UnstoredParts(started, site.id, "chat", 0, (started,), over=False)], [])
    talk.later(seconds=KEPT.total_seconds() + 1)
    end = (AnswerFinished(thread.id, True),)
    talk.kept.write([UnstoredParts(started, site.id, "chat", 1, end, over=True)], ["a1"])
    talk.turn(thread, "a1", is_recorded=False)
    talk.kept.sweep()
    found = talk.kept.read("a1")
    assert found is not None
    assert TextDelta("Said a1") in found.events
