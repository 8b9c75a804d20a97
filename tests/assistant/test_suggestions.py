from __future__ import annotations

from dataclasses import replace

import pytest

from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.retrieval import Retrieval
from docstead.assistant.suggestions import follow_ups, starters
from docstead.content.assistant_notes import AssistantNotes
from documentation import Documentation


def test_a_page_suggests_what_its_headings_answer(published: Documentation) -> None:
    assert starters(published, "/guides/keys") == (
        "How do I create a key?",
        "How do I revoke a key?",
    )
    assert starters(published, "/guides/webhooks") == ()  # its headings name topics


@pytest.mark.parametrize("path", [None, "/nowhere", "/internal/secret"])
def test_no_page_suggests_nothing(published: Documentation, path: str | None) -> None:
    assert starters(published, path) == ()


def test_what_the_maintainers_wrote_comes_before(published: Documentation) -> None:
    notes = AssistantNotes(questions=("A?", "B?"))
    written = replace(published, site=replace(published.site, assistant=notes))
    assert starters(written, "/guides/keys") == ("A?", "B?")


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("How to rotate a key", "How do I rotate a key?"),
        ("What is a key", "What is a key?"),
        ("What authors decide", "What authors decide"),
        ("Set the query", "How do I set the query?"),
        ("Setting the query", "How do I set the query?"),
        ("Enabling background tasks", "How do I enable background tasks?"),
    ],
)
def test_headings_that_ask_are_asked_as_they_stand(
    published: Documentation, heading: str, question: str
) -> None:
    page = published.page("guides/keys")
    assert page is not None
    named = replace(page, sections=(replace(page.sections[0], heading_path=(heading,)),))
    assert starters(replace(published, pages={"guides/keys": named}), "/guides/keys") == (question,)


@pytest.mark.parametrize(
    ("language", "heading", "questions"),
    [
        ("de", "Export starten", ()),
        ("ja", "キーとは？", ("キーとは？",)),
        ("en-GB", "Rotate a key", ("How do I rotate a key?",)),
    ],
)
def test_questions_are_in_the_language_of_their_page(
    published: Documentation, language: str, heading: str, questions: tuple[str, ...]
) -> None:
    page = published.page("guides/keys")
    assert page is not None
    named = replace(page, sections=(replace(page.sections[0], heading_path=(heading,)),))
    metas = published.site.pages
    pages = {**metas, "guides/keys": replace(metas["guides/keys"], language=language)}
    written = replace(
        published, site=replace(published.site, pages=pages), pages={"guides/keys": named}
    )
    assert starters(written, "/guides/keys") == questions


def test_headings_that_name_topics_are_no_questions(published: Documentation) -> None:
    page = published.page("guides/keys")
    assert page is not None
    sections = tuple(
        replace(page.sections[0], heading_path=(heading,))
        for heading in (
            "Rules",
            "docstead serve",
            "Getting started & setup",
            "What authors decide",
            "Rotate a key",
            "Is a key secret?",
        )
    )
    listed = replace(published, pages={"guides/keys": replace(page, sections=sections)})
    assert starters(listed, "/guides/keys") == (
        "How do I rotate a key?",
        "Is a key secret?",
        "What authors decide",
    )


def test_what_else_was_found_is_suggested_first(published: Documentation) -> None:
    question = "How do I create an API key?"
    asked = Question((ConversationMessage(Speaker.USER, question),))
    found = Retrieval(published.index, published.site, AbsoluteLinks("https://docs")).find(
        asked, ()
    )
    suggested = list(follow_ups(published, found, question))
    assert "How do I revoke a key?" in suggested
    assert question not in suggested


def test_the_headings_of_every_operation_are_no_questions(published: Documentation) -> None:
    page = published.page("guides/keys")
    assert page is not None
    sections = tuple(
        replace(page.sections[0], heading_path=(heading,))
        for heading in ("Query parameters", "Path parameters", "Responses", "Authorization")
    )
    listed = replace(published, pages={"guides/keys": replace(page, sections=sections)})
    assert starters(listed, "/guides/keys") == ()
