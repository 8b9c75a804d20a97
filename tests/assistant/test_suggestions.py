from __future__ import annotations

from dataclasses import replace

import pytest

from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.retrieval import Retrieval
from docstead.assistant.suggestions import follow_ups, starters
from docstead.content.assistant_notes import AssistantNotes
from docstead.search.documents import Passage
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


def test_nearness_decides_what_is_suggested(published: Documentation) -> None:
    question = "How do I create an API key?"
    asked = Question((ConversationMessage(Speaker.USER, question),))
    found = Retrieval(published.index, published.site, AbsoluteLinks("https://docs")).find(
        asked, ()
    )
    passage = replace(found.passages[0], slug="guides/keys")
    near = [
        replace(passage, heading_path=(heading,), cosine=cosine)
        for heading, cosine in (
            ("Ship a parcel", 0.9),
            ("Rotate a key", 0.5),
            ("Track your parcel", 0.3),
            ("Delete a key", 0.6),
            ("Remove the account", 0.1),
        )
    ]

    class Near:
        analyser = published.index.analyser

        def search(self, *_: object, limit: int) -> list[Passage]:
            return near[:limit]

    edition = replace(published, index=Near())
    assert list(follow_ups(edition, found, question)) == [
        "How do I delete a key?",
        "How do I rotate a key?",
    ]
    del near[3]
    assert list(follow_ups(edition, found, question)) == [
        "How do I rotate a key?",
        "How do I track my parcel?",
    ]


def test_the_headings_of_every_operation_are_no_questions(published: Documentation) -> None:
    page = published.page("guides/keys")
    assert page is not None
    sections = tuple(
        replace(page.sections[0], heading_path=(heading,))
        for heading in ("Query parameters", "Path parameters", "Responses", "Authorization")
    )
    listed = replace(published, pages={"guides/keys": replace(page, sections=sections)})
    assert starters(listed, "/guides/keys") == ()
