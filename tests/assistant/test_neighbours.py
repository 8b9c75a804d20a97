"""One conversation changes; those of others, and the others of its site, stay as they are."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.analytics.conversations import ConversationReports, ExchangeQuery
from docstead.analytics.feedback_entries import (
    FeedbackOrigin,
    FeedbackQuery,
    FeedbackRecords,
    FeedbackStatus,
)
from docstead.analytics.page_feedback import PageFeedbackStore, PageOpinion
from docstead.analytics.period import Cursor, ReportPeriod
from docstead.analytics.readers import Reader
from docstead.analytics.retention import ConversationRetention
from docstead.analytics.searches import SearchRecords
from docstead.analytics.visits import DayCounts, PageCounted, PageVisit, ViewRecords
from docstead.assistant.conversation import (
    ORDINARY_ACCESS,
    ThreadAccess,
)
from docstead.assistant.events import AnswerFinished, AnswerStarted
from docstead.assistant.feedback import AnswerFeedback, AnswerFeedbackRecords
from docstead.assistant.streams.records import KEPT, UnstoredParts
from docstead.assistant.threads import ThreadRecords
from docstead.base.clock import ManualClock
from docstead.base.errors import NotFound
from docstead.storage.database import Database
from docstead.storage.schema import (
    answer_events,
    answer_feedback,
    answers,
    deployments,
    page_feedback,
    page_visits,
    searches,
    threads,
    turns,
    visit_salts,
)
from neighbours import neighbours
from stored_talk import Talk

EVER = ReportPeriod()
HERE = "dep"


@pytest.fixture
def database(sqlite_backend) -> Database:
    return sqlite_backend.database


@pytest.fixture
def site(database: Database, clock: ManualClock) -> Deployment:
    tenancy = Tenancy(database, clock)
    organization = tenancy.create_organization("Acme")
    project = tenancy.create_project(organization.id, "Docs", "/nowhere")
    return tenancy.create_deployment(project.id, "acme", "docs.acme.example")


@pytest.fixture
def talk(database: Database, clock: ManualClock, site: Deployment) -> Talk:
    return Talk(database, clock, site)


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


def test_a_swept_recording_is_told_by_its_own_turn(talk: Talk, database: Database) -> None:
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


# --- thumbs ---------------------------------------------------------------------


def test_one_answer_is_judged(talk: Talk, database: Database, site: Deployment) -> None:
    thread = talk.thread()
    talk.turn(thread, "a1")
    feedback = AnswerFeedbackRecords(database, talk.clock)
    feedback.give(site.id, "a1", AnswerFeedback(helpful=True))
    with neighbours(database, [answers, deployments]) as copies:
        feedback.give(site.id, "a1", AnswerFeedback(helpful=False))
        feedback.give(site.id, copies.siblings["a1"], AnswerFeedback(helpful=True))
        for here, answer in ((copies.siblings[site.id], "a1"), (site.id, "unknown")):
            with pytest.raises(NotFound):
                feedback.give(here, answer, AnswerFeedback(helpful=True))


def test_an_answer_for_groups_is_judged_with_groups(
    talk: Talk, database: Database, site: Deployment
) -> None:
    thread, public = talk.thread(), talk.thread()
    groups = ThreadAccess(reads_groups=True)
    talk.threads.resume_or_create(site.id, thread.id, groups, "reader", for_groups=True)
    for each, answer in ((public, "b1"), (thread, "a1")):
        talk.turn(each, answer)
    feedback = AnswerFeedbackRecords(database, talk.clock)
    with pytest.raises(NotFound):
        feedback.give(site.id, "a1", AnswerFeedback(helpful=True))
    feedback.give(site.id, "b1", AnswerFeedback(helpful=True))
    feedback.give(site.id, "a1", AnswerFeedback(helpful=True), reads_groups=True)


def test_one_page_is_judged(talk: Talk, database: Database, site: Deployment) -> None:
    feedback = PageFeedbackStore(database, talk.clock)
    feedback.give(site.id, PageOpinion("token", "/a", helpful=True))
    with neighbours(database, [page_feedback]):
        feedback.give(site.id, PageOpinion("token", "/a", helpful=False))
        feedback.give(site.id, PageOpinion("token 2", "/a", helpful=False))


def _judged(talk: Talk, site: Deployment) -> FeedbackRecords:
    """Two opinions on answers and two on pages, each with and without words."""
    feedback, pages = (
        AnswerFeedbackRecords(talk.database, talk.clock),
        PageFeedbackStore(talk.database, talk.clock),
    )
    thread = talk.thread()
    for number, comment in enumerate(("words", None)):
        talk.turn(thread, f"a{number}", path=None if number else "/answers")
        feedback.give(site.id, f"a{number}", AnswerFeedback(bool(number), comment))
        talk.later(minutes=1)
        pages.give(site.id, PageOpinion(f"t{number}", "/pages", bool(number), comment))
        talk.later(minutes=1)
    pages.give(site.id, PageOpinion("t2", "/pages", helpful=True, comment="words", by_agent=True))
    return FeedbackRecords(talk.database)


def test_opinions_are_read_by_site_time_kind_and_state(talk: Talk, database, site) -> None:
    opinions = _judged(talk, site)
    with neighbours(database):
        every = opinions.newest([site.id], limit=100)
        assert len(every) == 5
        assert [each.thread_id is None for each in every] == [True, True, False, True, False]
        for origin in FeedbackOrigin:
            wanted = opinions.newest([site.id], FeedbackQuery(origin=origin), limit=100)
            assert [each.id for each in wanted] == [e.id for e in every if e.origin is origin]
        middle = ReportPeriod(every[3].given_at, every[1].given_at)
        assert opinions.newest([site.id], FeedbackQuery(middle), limit=100) == every[2:4]
        assert opinions.newest([site.id], limit=100, after=every[1].cursor) == every[2:]
        assert (
            opinions.newest([site.id], FeedbackQuery(statuses=[FeedbackStatus.RESOLVED]), limit=9)
            == []
        )
        pages = opinions.by_page([site.id], FeedbackQuery(), limit=9)
        assert [(each.path, each.up, each.down) for each in pages] == [
            ("/pages", 2, 1),
            ("/", 1, 0),
            ("/answers", 0, 1),
        ]
        liked = opinions.by_page([site.id], FeedbackQuery(helpful=True), limit=9)
        assert [(each.path, each.up, each.down) for each in liked] == [
            ("/pages", 2, 0),
            ("/", 1, 0),
        ]
        (answer,) = opinions.newest([site.id], FeedbackQuery(path="/answers"), limit=9)
        assert answer.path == "/answers"
        (newest,) = opinions.by_page(
            [site.id], FeedbackQuery(ReportPeriod(every[0].given_at)), limit=9
        )
        assert newest.up + newest.down == 1


def test_one_opinion_is_marked(talk: Talk, database: Database, site: Deployment) -> None:
    opinions = _judged(talk, site)
    every = opinions.newest([site.id], limit=100)
    for number in (1, 2):  # of a page, of an answer
        with neighbours(database, [page_feedback, turns, answers, deployments]) as copies:
            opinions.mark(site.id, every[number].id, FeedbackStatus.RESOLVED)
            with pytest.raises(NotFound):
                opinions.mark(copies.siblings[site.id], every[number].id, FeedbackStatus.DISMISSED)
            with pytest.raises(NotFound):
                opinions.mark(site.id, copies.foreign[every[number].id], FeedbackStatus.DISMISSED)
        found = opinions.newest(
            [site.id], FeedbackQuery(statuses=[FeedbackStatus.RESOLVED]), limit=100
        )
        assert every[number].id in {each.id for each in found}
        assert len([each for each in found if each.id in {e.id for e in every}]) == number


# --- conversations --------------------------------------------------------------


def test_conversations_are_read_by_site_time_and_outcome(talk: Talk, database, site) -> None:
    first, second = talk.thread("ada"), talk.thread("bob")
    for number, thread in enumerate((first, second, first)):
        talk.turn(thread, f"a{number}", answered=number != 1)
        talk.later(minutes=1)
    AnswerFeedbackRecords(database, talk.clock).give(
        site.id, "a2", AnswerFeedback(helpful=True, comment="words")
    )
    conversations = ConversationReports(database)
    with neighbours(database) as copies:
        every = conversations.exchanges([site.id], limit=100)
        assert [(each.fp, each.helpful) for each in every] == [
            ("ada", True),
            ("bob", None),
            ("ada", None),
        ]
        assert conversations.exchanges([site.id], ExchangeQuery(answered=False), limit=9) == [
            every[1]
        ]
        assert conversations.exchanges([site.id], limit=9, after=every[0].cursor) == every[1:]
        middle = ReportPeriod(every[1].created_at, every[0].created_at)
        assert conversations.exchanges([site.id], ExchangeQuery(middle), limit=9) == [every[1]]
        assert conversations.by_channel([site.id], middle)["api"] == 1
        assert conversations.by_channel([site.id], EVER)["api"] == 3
        for thread, fp, count in ((second, "bob", 1), (first, "ada", 2)):
            opened = conversations.opened([site.id], thread.id)
            assert (opened.fp, len(opened.exchanges)) == (fp, count)
        with pytest.raises(NotFound):
            conversations.opened([site.id], copies.foreign[first.id])
        with pytest.raises(NotFound):
            conversations.opened([site.id], "unknown")


def test_rows_of_one_moment_are_read_by_their_ids(talk: Talk, database, site) -> None:
    thread = talk.thread()
    for number in range(3):
        talk.turn(thread, f"a{number}")
    conversations = ConversationReports(database)
    every = conversations.exchanges([site.id], limit=100)
    assert conversations.exchanges([site.id], limit=9, after=every[0].cursor) == every[1:]
    later = Cursor(every[0].created_at + timedelta(seconds=1), "")
    assert conversations.exchanges([site.id], limit=9, after=later) == every
    talk.later(minutes=1)
    talk.turn(thread, "new")
    assert conversations.exchanges([site.id], limit=9, after=every[2].cursor) == []


# --- forgetting -----------------------------------------------------------------


def test_one_reader_is_forgotten_on_one_site(talk: Talk, database, site: Deployment) -> None:
    mine, other = talk.thread("ada"), talk.thread("bob")
    for thread, answer in ((mine, "a1"), (other, "b1")):
        talk.turn(thread, answer)
        AnswerFeedbackRecords(database, talk.clock).give(
            site.id, answer, AnswerFeedback(helpful=True)
        )
    with neighbours(database):
        forgetting = ConversationRetention(database, talk.clock)
        assert forgetting.count(site.id, "ada") == forgetting.of_reader(site.id, "ada") == 1
    with database.reading() as connection:
        for table, column in ((threads, "fp"), (answers, "id"), (answer_feedback, "answer_id")):
            kept = connection.scalars(select(table.c[column])).all()
            assert not {"ada-own", "a1"} & set(kept)
            assert {"bob", "b1"} & set(kept)
    assert talk.threads.find(site.id, other.id, ORDINARY_ACCESS).turn_count == 1
    with pytest.raises(NotFound):
        talk.threads.find(site.id, mine.id, ORDINARY_ACCESS)


def test_what_is_young_stays(talk: Talk, database: Database, site: Deployment) -> None:
    old, talked = talk.thread("old"), talk.thread("talked")
    talk.turn(old, "a1")
    talk.turn(talked, "b1")
    _seen(talk, "/old")
    talk.later(days=40)
    young = talk.thread("young")
    talk.turn(young, "c1")
    silent = talk.thread("silent")
    talk.turn(talked, "b2")
    _seen(talk, "/young")
    assert ConversationRetention(database, talk.clock, days=30).sweep() == 1
    with database.reading() as connection:
        kept = set(connection.scalars(select(threads.c.id)))
        assert kept == {talked.id, young.id, silent.id}
        for column in (searches.c.query, page_feedback.c.path, page_visits.c.path):
            assert set(connection.scalars(select(column))) == {"/young"}


def _seen(talk: Talk, path: str) -> None:
    PageFeedbackStore(talk.database, talk.clock).give(
        talk.site.id, PageOpinion(path, path, helpful=True)
    )
    found, seen = SearchRecords(talk.database, talk.clock), ViewRecords(talk.database, talk.clock)
    found.note(talk.site.id, path, 1)
    found.write()
    seen.note(PageVisit(talk.site.id, path, Reader.HUMAN, "192.0.2.1", "Browser"))
    seen.write()


# --- searches and visits ----------------------------------------------------------


def test_searches_are_counted_by_site_and_time(talk: Talk, database, site: Deployment) -> None:
    found = SearchRecords(database, talk.clock)
    start = talk.clock.now()
    for query, results, clicked in (("Keys", 3, "/a"), ("keys", 3, "/a"), ("none", 0, None)):
        found.note(site.id, query, results, clicked)
        talk.later(minutes=1)
    found.note(site.id, "keys", 3, "/b")
    found.note(site.id, "keys", 3, None)
    tenancy = Tenancy(database, talk.clock)
    beside = tenancy.create_deployment(site.project_id, "beside", "beside.example.com")
    for _ in range(5):
        found.note(beside.id, "keys", 3, "/z")
    found.write()
    with neighbours(database):
        terms = found.most([site.id], limit=9)
        assert [(e.term, e.hits, e.clicks, e.top_page) for e in terms] == [
            ("keys", 4, 3, "/a"),
            ("none", 1, 0, None),
        ]
        assert [e.term for e in found.most([site.id], limit=9, found_nothing=True)] == ["none"]
        late = ReportPeriod(start + timedelta(minutes=3), None)
        (term,) = found.most([site.id], late, limit=9)
        assert (term.hits, term.top_page) == (2, "/b")
        assert found.total([site.id], late) == 2
        assert found.total([site.id], EVER) == 5


def test_visits_are_counted_by_site_time_and_reader(talk: Talk, database, site) -> None:
    seen = ViewRecords(database, talk.clock)
    start = talk.clock.now()
    seen.note(PageVisit(site.id, "/a", Reader.HUMAN, "192.0.2.1", "Browser"))
    seen.note(PageVisit(site.id, "/a", Reader.AI, "192.0.2.2", "Bot"))
    talk.later(hours=1)
    seen.note(PageVisit(site.id, "/b", Reader.HUMAN, "192.0.2.1", "Browser"))
    seen.write()
    with neighbours(database):
        assert seen.views([site.id], EVER) == DayCounts(2, 1, 3)
        assert seen.visitors([site.id], EVER) == DayCounts(1, 1, 2)
        first_hour = ReportPeriod(start, start + timedelta(hours=1))
        assert seen.views([site.id], first_hour) == DayCounts(1, 1, 2)
        assert seen.most_viewed([site.id], EVER, limit=9) == [
            PageCounted("/a", DayCounts(1, 1, 2)),
            PageCounted("/b", DayCounts(1, 0, 1)),
        ]
        second_hour = ReportPeriod(start + timedelta(hours=1))
        assert [each.path for each in seen.most_viewed([site.id], second_hour, limit=9)] == ["/b"]
        assert [each.path for each in seen.most_visited([site.id], first_hour, limit=9)] == ["/a"]


def test_each_day_has_its_own_salt(talk: Talk, database: Database, site: Deployment) -> None:
    seen = ViewRecords(database, talk.clock)
    for _ in range(3):
        seen.note(PageVisit(site.id, "/a", Reader.HUMAN, "192.0.2.1", "Browser"))
        seen.write()
        talk.later(days=1)
    with database.reading() as connection:
        assert len(set(connection.scalars(select(page_visits.c.visitor)))) == 3
    talk.later(days=-1)
    seen.forget_salts()
    with database.reading() as connection:
        assert set(connection.scalars(select(visit_salts.c.day))) == {"2026-11-22", "2026-11-23"}
