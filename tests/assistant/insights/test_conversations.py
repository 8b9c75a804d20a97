"""Conditions for lists of questions, where another organization has similar rows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from conversations import Talks
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.analytics.conversations import AnswerState, ConversationReports, ExchangeQuery
from docstead.analytics.period import ReportPeriod
from docstead.assistant.conversation import AnswerFallback
from docstead.assistant.feedback import AnswerFeedback
from manual_clock import ManualClock
from neighbours import neighbours

BEGIN = datetime.fromisoformat("2026-11-21T12:00:00+00:00")


@pytest.fixture
def site(backend: Any, clock: ManualClock) -> Deployment:
    tenancy = Tenancy(backend.database, clock)
    organization = tenancy.create_organization("Acme")
    project = tenancy.create_project(organization.id, "Docs", "/nowhere")
    return tenancy.create_deployment(project.id, "acme", "docs.acme.example")


@pytest.fixture
def conversations(
    backend: Any, clock: ManualClock, site: Deployment
) -> Iterator[ConversationReports]:
    """One question an hour, each different in all that is asked for."""
    talks = Talks(backend.database, clock)
    up, down = AnswerFeedback(helpful=True), AnswerFeedback(helpful=False)
    talks.ask(site.id, "How do I rotate a KEY?", "Make 100 % new.", fp="ada", feedback=up)
    clock.move_to(BEGIN + timedelta(hours=1))
    talks.ask(site.id, "Rotate what?", fp="bob", feedback=down, fallback=AnswerFallback.CLOSEST)
    clock.move_to(BEGIN + timedelta(hours=2))
    talks.ask(site.id, "Does it fly?", fp="ada" * 100, fallback=AnswerFallback.NOTHING)
    clock.move_to(BEGIN + timedelta(hours=3))
    talks.ask(site.id, "And snake_case?", fp="bob")
    with neighbours(backend.database):
        yield ConversationReports(backend.database)


CONDITIONS = [
    (ExchangeQuery(), [3, 2, 1, 0]),
    (ExchangeQuery(words="rotate"), [1, 0]),
    (ExchangeQuery(words="new key rotate"), [0]),
    (ExchangeQuery(words="100 %"), [0]),
    (ExchangeQuery(words="e_c"), [3]),
    (ExchangeQuery(words="R%e"), []),
    (ExchangeQuery(words="\\"), []),
    (ExchangeQuery(fp="bob"), [3, 1]),
    (ExchangeQuery(fp="ada"), [0]),
    (ExchangeQuery(fp="ada" * 100), [2]),
    (ExchangeQuery(helpful=True), [0]),
    (ExchangeQuery(helpful=False), [1]),
    (ExchangeQuery(has_feedback=True), [1, 0]),
    (ExchangeQuery(has_feedback=False), [3, 2]),
    (ExchangeQuery(answered=True), [0]),
    (ExchangeQuery(answered=False), [3, 2, 1]),
    (ExchangeQuery(state=AnswerState.ANSWERED), [0]),
    (ExchangeQuery(state=AnswerState.CLOSEST), [1]),
    (ExchangeQuery(state=AnswerState.NOTHING), [2]),
    (ExchangeQuery(state=AnswerState.UNANSWERED), [3]),
    (ExchangeQuery(ReportPeriod(since=BEGIN + timedelta(hours=2))), [3, 2]),
    (ExchangeQuery(ReportPeriod(until=BEGIN + timedelta(hours=2))), [1, 0]),
    (ExchangeQuery(words="rotate", fp="bob", helpful=False), [1]),
]


def test_each_condition(conversations: ConversationReports, site: Deployment) -> None:
    for query, hours in CONDITIONS:
        found = conversations.exchanges([site.id], query, limit=100)
        assert [(each.created_at - BEGIN) / timedelta(hours=1) for each in found] == hours, query
        if found:
            after = found[0].cursor
            assert conversations.exchanges([site.id], query, limit=1, after=after) == found[1:2]


def test_states_of_exchanges(conversations: ConversationReports, site: Deployment) -> None:
    found = conversations.exchanges([site.id], limit=100)
    assert [each.state for each in found] == [
        AnswerState.UNANSWERED,
        AnswerState.NOTHING,
        AnswerState.CLOSEST,
        AnswerState.ANSWERED,
    ]
