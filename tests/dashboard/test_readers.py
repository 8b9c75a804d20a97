"""Pages of views and feedback."""

from __future__ import annotations

from typing import Any

import pytest

from conversations import Talks
from docstead.analytics.insights import ReaderInsights
from docstead.analytics.page_feedback import ReaderFeedback
from docstead.analytics.readers import Reader
from docstead.analytics.visits import PageVisit
from docstead.assistant.feedback import AnswerFeedback

READERS = "/dashboard/readers/acme"
FEEDBACK = "/dashboard/feedback/acme"


@pytest.fixture
def insights(harness: Any) -> ReaderInsights:
    return ReaderInsights.over(harness.database, harness.clock)


def test_before_anybody_came(owner: Any) -> None:
    assert "No views yet" in owner.get(READERS).text
    assert "No feedback yet" in owner.get(FEEDBACK).text


def test_views_by_page_with_their_thumbs(owner: Any, acme: Any, insights: ReaderInsights) -> None:
    for reader in (Reader.HUMAN, Reader.HUMAN, Reader.AI):
        insights.visits.note(
            PageVisit(acme.id, "/guides/<start>", reader, "192.0.2.1", "Mozilla/5.0")
        )
    insights.visits.write()
    insights.page_feedback.give(acme.id, ReaderFeedback("t" * 16, "/guides/<start>", helpful=True))
    page = owner.get(f"{READERS}?days=7").text
    assert "/guides/&lt;start&gt;" in page
    for label, number in (("People", 2), ("AI", 1), ("Helpful", 1), ("Not helpful", 0)):
        assert f'<td data-label="{label}">{number}</td>' in page


def test_feedback_is_worked_off(
    owner: Any, acme: Any, harness: Any, insights: ReaderInsights
) -> None:
    talks = Talks(harness.database, harness.clock)
    talks.ask(acme.id, "How?", "So.", path="/a", feedback=AnswerFeedback(helpful=True))
    given = ReaderFeedback("t" * 16, "/b", False, "<i>Too</i> short", "reader@example.test")
    insights.page_feedback.give(acme.id, given)
    page = owner.get(FEEDBACK).text
    for text in ("/a", "View answer", "/b", "&lt;i&gt;Too&lt;/i&gt; short", "reader@example.test"):
        assert text in page
    first, second = insights.feedback.newest([acme.id], limit=9)
    answer = owner.post(FEEDBACK, id=[first.id, second.id], status="resolved", show="open")
    assert answer.headers["location"] == f"{FEEDBACK}?show=open"
    assert "No open feedback" in owner.get(f"{FEEDBACK}?show=open").text
    assert "/b" in owner.get(f"{FEEDBACK}?show=closed").text


def test_feedback_is_filtered_by_thumb_and_page(
    owner: Any, acme: Any, insights: ReaderInsights
) -> None:
    pages = (("/guides/start", True), ("/guides/start", False), ("/keys", False))
    for number, (path, helpful) in enumerate(pages):
        insights.page_feedback.give(acme.id, ReaderFeedback(f"{number}" * 16, path, helpful))
    negative = owner.get(f"{FEEDBACK}?show=unhelpful").text
    assert negative.count('name="id"') == 2
    assert ">Helpful<" not in negative
    # PostgreSQL takes no text with this character.
    one = owner.get(f"{FEEDBACK}?show=unhelpful&page=%00%2Fguides%2Fstart").text
    assert one.count('name="id"') == 1
    assert "/<wbr>guides/<wbr>start</a>" in one
    assert '/guides/start">/<wbr>guides' in one
    assert "?show=open&amp;page=/guides/start" in one


def test_only_a_known_status_of_known_feedback(owner: Any) -> None:
    assert owner.post(FEEDBACK, id="fbk_0", status="eaten").status_code == 400
    assert owner.post(FEEDBACK, id="fbk_0", status="resolved").status_code == 404
    assert owner.post(FEEDBACK, status="resolved").status_code == 400
