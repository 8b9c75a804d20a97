"""Pages of conversations and gaps."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from conversations import SOURCE, Talks
from docstead.assistant.answer_trace import AnswerTrace, CheckOutcome, TraceCheck, TracePassage
from docstead.assistant.conversation import AnswerFallback, QuestionChannel
from docstead.assistant.feedback import AnswerFeedback
from docstead.models.embedding import QueryEmbeddings
from docstead.models.minilm import MiniLM

LIST = "/dashboard/conversations/acme"
GAPS = "/dashboard/gaps/acme"


@pytest.fixture
def talks(harness: Any) -> Talks:
    return Talks(harness.database, harness.clock)


def test_before_the_first_question(owner: Any) -> None:
    assert "No questions yet" in owner.get(LIST).text
    page = owner.get(GAPS).text
    assert "No gaps yet" in page
    assert "No searches without results" in page
    assert "No repeated questions yet" in page


def test_questions_with_answer_and_feedback(owner: Any, acme: Any, talks: Talks) -> None:
    feedback = AnswerFeedback(helpful=False, comment="<b>Too</b> long")
    talks.ask(acme.id, "How do I start?", "Run `it`.", path="/guides/start", feedback=feedback)
    talks.ask(acme.id, "Can it fly?")
    page = owner.get(LIST).text
    for text in ("How do I start?", "/guides/start", "Not helpful", "Unanswered"):
        assert text in page
    assert "&lt;b&gt;Too&lt;/b&gt; long" in page
    assert "How do I start?" not in owner.get(f"{LIST}?show=unanswered").text
    assert "Can it fly?" not in owner.get(f"{LIST}?show=answered").text


def test_a_conversation_whole(owner: Any, acme: Any, talks: Talks) -> None:
    thread = talks.ask(acme.id, "How?", "Run `it` <script>now</script>.", fp="reader-7")
    talks.ask(acme.id, "Why?", thread=thread, channel=QuestionChannel.MCP)
    page = owner.get(f"{LIST}/{thread.id}").text
    for text in ("reader-7", "How?", "<code>it</code>", "Start › Install", "by another assistant"):
        assert text in page
    assert "<script>now" not in page


def test_what_an_answer_rests_on(owner: Any, acme: Any, talks: Talks) -> None:
    checks = (
        TraceCheck("Run `it`.", CheckOutcome.SUPPORTED, f"{SOURCE.url}:~:text=Run", "Run it."),
        TraceCheck("It <i>flies</i>.", CheckOutcome.DROPPED, reason="a word is not there: flies"),
        TraceCheck("It runs twice.", CheckOutcome.CONTRADICTED, SOURCE.url, reason="it runs once"),
    )
    checks += (TraceCheck("Press **Run** or [go](https://evil.example).", CheckOutcome.UNCITED),)
    trace = AnswerTrace(
        (TracePassage(SOURCE.url, SOURCE.title, "Run it, and <b>wait</b>."),), checks
    )
    thread = talks.ask(acme.id, "How?", "Run `it`.", trace=trace)
    page = owner.get(f"{LIST}/{thread.id}").text
    for text in ("Supported", "Removed", "a word is not there", "Run it, and &lt;b&gt;wait"):
        assert text in page
    assert "It &lt;i&gt;flies" in page
    assert "Press <strong>Run</strong> or" in page
    assert f'Contradicted by <a href="{SOURCE.url}"' in page
    assert "It <i>flies" not in page


def test_long_lists_have_pages(owner: Any, acme: Any, talks: Talks) -> None:
    for number in range(51):
        talks.ask(acme.id, f"Question number {number}?")
    first = owner.get(LIST).text
    older = first.split("?after=")[1].split('"')[0]
    second = owner.get(f"{LIST}?after={older}").text
    assert (first.count("Question number"), second.count("Question number")) == (50, 1)
    assert owner.get(f"{LIST}?after=nonsense").status_code == 400


def rows(page: str) -> list[str]:
    """The questions of a list."""
    return re.findall(r'<a class="question"[^>]*>([^<]*)<', page)


def test_filters_choose_questions(owner: Any, harness: Any, acme: Any, talks: Talks) -> None:
    up = AnswerFeedback(helpful=True)
    talks.ask(acme.id, "Old one?", "By card.", fp="a&b", feedback=up)
    harness.clock.move_to(harness.clock.now() + timedelta(days=1))
    talks.ask(acme.id, "New one?", fp="bob", fallback=AnswerFallback.CLOSEST)
    talks.ask(harness.organization("other").id, "Old one of others?", fp="bob", feedback=up)
    today = harness.clock.now().date()
    for query, expected in {
        "q=CARD": ["Old one?"],
        "q=one": ["New one?", "Old one?"],
        f"from={today}": ["New one?"],
        f"to={today - timedelta(days=1)}": ["Old one?"],
        f"from={today}&to={today}": ["New one?"],
        "reader=a%26b": ["Old one?"],
        "grade=up": ["Old one?"],
        "grade=down": [],
        "grade=none": ["New one?"],
        "show=closest": ["New one?"],
        "show=answered": ["Old one?"],
        "show=nothing": [],
        "show=unanswered": [],
        "show=unknown&grade=unknown&q=%00": ["New one?", "Old one?"],
        "q=one&reader=bob&show=closest": ["New one?"],
    }.items():
        assert rows(owner.get(f"{LIST}?{query}").text) == expected, query
    page = owner.get(LIST).text
    assert f'href="{LIST}?reader=a%26b"' in page
    assert page.count("Closest sections</span>") == 1


def test_filters_stay_in_the_form_and_in_links(owner: Any, acme: Any, talks: Talks) -> None:
    for number in range(102):
        talks.ask(acme.id, f"Question {number % 2}, number {number}?", fp="ada")
    first = owner.get(f"{LIST}?q=%22question+1%22&q=question+1,&reader=ada&after=").text
    assert 'name="q" type="search" value="question 1,"' in first
    (older,) = re.findall(r'href="([^"]*)">Older<', first)
    second = owner.get(html.unescape(older)).text
    assert [len(rows(first)), len(rows(second))] == [50, 1]
    assert all("Question 1," in each for each in [*rows(first), *rows(second)])
    assert f'href="{LIST}?q=question+1%2C&amp;reader=ada">Newest<' in second


def test_a_filter_without_matches(owner: Any, acme: Any, talks: Talks) -> None:
    talks.ask(acme.id, "How do I start?", "Run it.")
    page = owner.get(f"{LIST}?q=%3Cb%3E").text
    assert "No question matches all filters." in page
    assert 'value="&lt;b&gt;"' in page
    assert f'<a href="{LIST}">Clear filters</a>' in page


@pytest.mark.parametrize("day", ["tomorrow", "2026-02-30", "9999-12-31T00:00", "%00"])
def test_a_date_that_is_none(owner: Any, day: str) -> None:
    answer = owner.get(f"{LIST}?from={day}")
    expected = (200, "No questions yet") if day == "%00" else (400, "must be a date such as")
    assert (answer.status_code, expected[1] in answer.text) == (expected[0], True)


@pytest.mark.parametrize("name", ["from", "to"])
def test_the_first_and_the_last_day_that_can_be_written(
    owner: Any, acme: Any, talks: Talks, name: str
) -> None:
    talks.ask(acme.id, "Mine?")
    days = ("0001-01-01", "9999-12-30")
    shown = ["Mine?" in owner.get(f"{LIST}?{name}={day}").text for day in days]
    assert shown == [name == "from", name == "to"]
    assert owner.get(f"{LIST}?to=9999-12-31").status_code == 400


def test_readers_are_forgotten(owner: Any, acme: Any, talks: Talks) -> None:
    talks.ask(acme.id, "Mine?", fp="reader-1")
    talks.ask(acme.id, "Theirs?", fp="reader-2")
    owner.get(LIST)
    assert owner.post(f"{LIST}/forget", fp=" ").status_code == 400
    asked = owner.post(f"{LIST}/forget", fp="reader-1")
    assert asked.status_code == 200
    assert "of reader-1?" in asked.text
    assert "Mine?" in owner.get(LIST).text
    answer = owner.post(f"{LIST}/forget", fp="reader-1", confirmed="yes")
    page = owner.get(answer.headers["location"]).text
    assert "Removed 1 conversation" in page
    assert "Mine?" not in page
    assert "Theirs?" in page


def test_a_reader_without_conversations_is_not_forgotten(owner: Any) -> None:
    owner.get(LIST)
    refused = owner.post(f"{LIST}/forget", fp="nobody")
    assert refused.status_code == 400
    assert "no conversations of" in refused.text
    assert "Delete permanently" not in refused.text


def test_anonymous_readers_are_forgotten_together(owner: Any, acme: Any, talks: Talks) -> None:
    talks.ask(acme.id, "Mine?", fp="anonymous")
    talks.ask(acme.id, "Theirs?", fp="reader-1")
    owner.get(LIST)
    together = "This includes all readers whom clients do not identify."
    assert together in owner.post(f"{LIST}/forget", fp="anonymous").text
    assert together not in owner.post(f"{LIST}/forget", fp="reader-1").text


def test_gaps_are_grouped_by_what_they_share(
    owner: Any, harness: Any, acme: Any, talks: Talks
) -> None:
    for question in (
        "Does it support SAML login?",
        "SAML login?",
        "How do I configure SAML login for the readers of my organization?",
        "Is there a Kubernetes operator?",
    ):
        talks.ask(acme.id, question)
    harness.insights.searches.note(acme.id, "zeppelin", 0)
    page = owner.get(GAPS).text
    unanswered = page.split('id="missed"')[0]
    assert unanswered.count('class="group-head"') == 2
    assert "3 times" in unanswered
    assert "zeppelin" in page


def test_gaps_are_grouped_by_meaning(
    harness: Any, acme: Any, talks: Talks, browser: Any, tmp_path: Path
) -> None:
    undone = ("How do I roll back to the previous version?", "go back to an earlier edition")
    for question in (*undone, "Is there a Slack bot?"):
        talks.ask(acme.id, question)
    queries = QueryEmbeddings(MiniLM(tmp_path / "models"))
    with_model = replace(harness, question_vectors=queries.vectors)
    owner = browser(of=with_model).sign_in(with_model, acme.organization_id)
    page = owner.get(GAPS).text
    unanswered, _, most_asked = page.partition('id="missed"')
    assert unanswered.count('class="group-head"') == 2
    assert most_asked.count('class="group-head"') == 1
    queries.close()


def test_others_conversations_are_not_there(
    owner: Any, harness: Any, acme: Any, talks: Talks
) -> None:
    other = harness.organization("other")
    thread = talks.ask(other.id, "A secret?")
    assert owner.get(f"{LIST}/{thread.id}").status_code == 404
    assert owner.get("/dashboard/conversations/other").status_code == 404
    assert owner.get("/dashboard/gaps/other").status_code == 404
