"""Feedback, searches and visits of one site are read and changed; those of others stay."""

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
from docstead.analytics.page_feedback import PageFeedbackStore, ReaderFeedback
from docstead.analytics.period import Cursor, ReportPeriod
from docstead.analytics.readers import Reader
from docstead.analytics.retention import ConversationRetention
from docstead.analytics.searches import SearchRecords
from docstead.analytics.visits import DayCounts, PageCounted, PageVisit, ViewRecords
from docstead.assistant.conversation import (
    ORDINARY_ACCESS,
    ThreadAccess,
)
from docstead.assistant.feedback import AnswerFeedback, AnswerFeedbackRecords
from docstead.base.errors import NotFound
from docstead.storage.database import Database
from docstead.storage.schema import (
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


# --- thumbs ---------------------------------------------------------------------


def test_one_answer_gets_feedback(talk: Talk, database: Database, site: Deployment) -> None:
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


def test_an_answer_for_groups_gets_feedback_with_groups(
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


def test_one_page_gets_feedback(talk: Talk, database: Database, site: Deployment) -> None:
    feedback = PageFeedbackStore(database, talk.clock)
    feedback.give(site.id, ReaderFeedback("token", "/a", helpful=True))
    with neighbours(database, [page_feedback]):
        feedback.give(site.id, ReaderFeedback("token", "/a", helpful=False))
        feedback.give(site.id, ReaderFeedback("token 2", "/a", helpful=False))


def _with_feedback(talk: Talk, site: Deployment) -> FeedbackRecords:
    """Feedback on two answers and two pages, each with and without words."""
    feedback, pages = (
        AnswerFeedbackRecords(talk.database, talk.clock),
        PageFeedbackStore(talk.database, talk.clock),
    )
    thread = talk.thread()
    for number, comment in enumerate(("words", None)):
        talk.turn(thread, f"a{number}", path=None if number else "/answers")
        feedback.give(site.id, f"a{number}", AnswerFeedback(bool(number), comment))
        talk.later(minutes=1)
        pages.give(site.id, ReaderFeedback(f"t{number}", "/pages", bool(number), comment))
        talk.later(minutes=1)
    pages.give(
        site.id, ReaderFeedback("t2", "/pages", helpful=True, comment="words", by_agent=True)
    )
    return FeedbackRecords(talk.database)


def test_feedback_is_read_by_site_time_kind_and_state(talk: Talk, database, site) -> None:
    records = _with_feedback(talk, site)
    with neighbours(database):
        every = records.newest([site.id], limit=100)
        assert len(every) == 5
        assert [each.thread_id is None for each in every] == [True, True, False, True, False]
        for origin in FeedbackOrigin:
            of_origin = records.newest([site.id], FeedbackQuery(origin=origin), limit=100)
            assert [each.id for each in of_origin] == [e.id for e in every if e.origin is origin]
        middle = ReportPeriod(every[3].given_at, every[1].given_at)
        assert records.newest([site.id], FeedbackQuery(middle), limit=100) == every[2:4]
        assert records.newest([site.id], limit=100, after=every[1].cursor) == every[2:]
        assert (
            records.newest([site.id], FeedbackQuery(statuses=[FeedbackStatus.RESOLVED]), limit=9)
            == []
        )
        pages = records.by_page([site.id], FeedbackQuery(), limit=9)
        assert [(each.path, each.up, each.down) for each in pages] == [
            ("/pages", 2, 1),
            ("/answers", 0, 1),
        ]
        liked = records.by_page([site.id], FeedbackQuery(helpful=True), limit=9)
        assert [(each.path, each.up, each.down) for each in liked] == [("/pages", 2, 0)]
        (answer,) = records.newest([site.id], FeedbackQuery(path="/answers"), limit=9)
        assert answer.path == "/answers"
        (newest,) = records.by_page(
            [site.id], FeedbackQuery(ReportPeriod(every[0].given_at)), limit=9
        )
        assert newest.up + newest.down == 1


def test_one_piece_of_feedback_is_marked(talk: Talk, database: Database, site: Deployment) -> None:
    records = _with_feedback(talk, site)
    every = records.newest([site.id], limit=100)
    for number in (1, 2):  # of a page, of an answer
        with neighbours(database, [page_feedback, turns, answers, deployments]) as copies:
            records.mark(site.id, every[number].id, FeedbackStatus.RESOLVED)
            with pytest.raises(NotFound):
                records.mark(copies.siblings[site.id], every[number].id, FeedbackStatus.DISMISSED)
            with pytest.raises(NotFound):
                records.mark(site.id, copies.foreign[every[number].id], FeedbackStatus.DISMISSED)
        found = records.newest(
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
        talk.site.id, ReaderFeedback(path, path, helpful=True)
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
