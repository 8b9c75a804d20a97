from __future__ import annotations

from dataclasses import replace

import pytest

from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.retrieval import Retrieval
from docstead.assistant.suggestions import follow_ups, starters
from docstead.content.assistant_notes import AssistantNotes
from docstead.content.navigation import Navigation, NavNode, NodeKind
from docstead.search.documents import Passage
from documentation import Documentation


def test_a_page_suggests_what_its_headings_answer(published: Documentation) -> None:
    assert starters(published, "/guides/keys") == (
        "How do I create a key?",
        "How do I revoke a key?",
    )
    assert starters(published, "/guides/webhooks") == ()  # its headings name topics


def test_titles_of_the_next_pages_follow_what_a_page_asks(published: Documentation) -> None:
    metas = published.site.pages
    titles = {
        "index": "Send a parcel",
        "guides/install": "Install the client",
        "guides/webhooks": "Webhooks",
        "reference/limits": "Set a limit",
        "v1/labels": "Print labels",
    }
    pages = {**metas, **{slug: replace(metas[slug], title=title) for slug, title in titles.items()}}
    listed = Navigation(tuple(NavNode(NodeKind.PAGE, titles[slug], slug=slug) for slug in titles))
    titled = replace(published, site=replace(published.site, pages=pages, navigation=listed))
    assert starters(titled, "/guides/webhooks") == (
        "How do I set a limit?",
        "How do I send a parcel?",
        "How do I install the client?",
    )


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


def _followed(
    edition: Documentation, question: str, *near: tuple[str, str, str, float]
) -> list[str]:
    """Return the follow-ups where sections with this slug, title, heading and cosine are near."""
    asked = Question((ConversationMessage(Speaker.USER, question),))
    retrieval = Retrieval(edition.index, edition.site, AbsoluteLinks("https://docs"))
    found = retrieval.find(asked, ())
    first = found.passages[0]
    sections = tuple(
        replace(
            first,
            slug=slug,
            title=title,
            heading_path=(heading,) if heading else (),
            cosine=cosine,
        )
        for slug, title, heading, cosine in near
    )
    found = replace(found, near=(first, *sections))
    return list(follow_ups(edition, found, question, [found.candidates[0].link]))


CREATE = "How do I create an API key?"
KEYS, HOOKS, INSTALL = "guides/keys", "guides/webhooks", "guides/install"


def test_shared_words_and_nearness_decide_what_is_suggested(published: Documentation) -> None:
    assert _followed(
        published,
        CREATE,
        (HOOKS, "Webhooks", "Send a parcel", 0.55),  # near, and about something else
        (HOOKS, "Webhooks", "Rotate a key", 0.95),
        (HOOKS, "Webhooks", "Track your key", 0.24),
        (KEYS, "API keys", "Delete parcels", 0.68),  # shares no word, but the page
    ) == ["How do I delete parcels?", "How do I rotate a key?", "How do I revoke a key?"]


def test_sections_whose_title_or_headings_have_the_words_of_the_question_come_first(
    published: Documentation,
) -> None:
    suggested = _followed(
        published,
        CREATE,
        (HOOKS, "Webhooks", "Rotate signatures", 0.7),
        (INSTALL, "API keys in containers", "Rotate secrets", 0.6),
    )
    assert suggested == ["How do I revoke a key?", "How do I rotate secrets?"]


def test_sections_like_the_answered_one_come_first(
    published: Documentation, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = [(KEYS, "API keys", f"{verb} a key", 0.5) for verb in ("Rotate", "Limit", "Delete")]
    like = {"Rotate a key": 0.1, "Limit a key": 0.8, "Delete a key": 0.9}

    def similarities(_: object, __: object, others: list[Passage]) -> list[float | None]:
        return [like.get(each.heading_path[-1], 0.0) if each.heading_path else 0 for each in others]

    monkeypatch.setattr(type(published.index), "similarities", similarities)
    assert _followed(published, CREATE, *near)[:2] == [
        "How do I delete a key?",
        "How do I limit a key?",
    ]
    assert "How do I rotate a key?" not in _followed(published, CREATE, *near)


def test_headings_of_the_page_come_before_near_ones_of_other_pages(
    published: Documentation,
) -> None:
    assert _followed(published, CREATE, (INSTALL, "Install", "Copy the settings", 0.6)) == [
        "How do I revoke a key?",
        "How do I copy the settings?",
    ]


def test_what_encloses_the_answered_section_is_not_asked(published: Documentation) -> None:
    page = published.page(KEYS)
    assert page is not None
    paths = (("Manage keys", "Create a key"), ("Manage keys",), ("Revoke a key",))
    sections = tuple(replace(page.sections[0], heading_path=path) for path in paths)
    nested = replace(published, pages={KEYS: replace(page, sections=sections)})
    asked = Question((ConversationMessage(Speaker.USER, CREATE),))
    links = AbsoluteLinks("https://docs")
    found = Retrieval(nested.index, nested.site, links).find(asked, ())
    answered = replace(found.passages[0], heading_path=paths[0])
    found = replace(found, passages=(answered,), near=())
    assert list(follow_ups(nested, found, CREATE)) == ["How do I revoke a key?"]
    operation = replace(nested.site.pages[KEYS], method="POST")
    pages = {**nested.site.pages, KEYS: operation}
    of_api = replace(nested, site=replace(nested.site, pages=pages))
    assert list(follow_ups(of_api, found, CREATE)) == []


def test_questions_that_few_readers_ask_come_later(published: Documentation) -> None:
    near = [
        (HOOKS, "Webhooks", heading, 0.9)
        for heading in ("Install a key", "Key rotation", "Key types", "Rotate a key")
    ]
    # A section of the answer's page comes before them.
    assert _followed(published, CREATE, *near)[1] == "How do I rotate a key?"


def test_a_third_question_has_to_be_strong(published: Documentation) -> None:
    near = [(HOOKS, "Webhooks", f"{verb} a key", 0.4) for verb in ("Rotate", "Limit", "Delete")]
    assert len(_followed(published, CREATE, *near)) == 2
    strong = [(*each[:3], 0.9) for each in near]
    assert len(_followed(published, CREATE, *strong)) == 3


def test_titles_of_near_pages_and_topics_are_asked_about(published: Documentation) -> None:
    assert _followed(
        published,
        CREATE,
        (HOOKS, "Restrict an API key", "Details", 0.95),
        (INSTALL, "Create an API key", "Key rotation", 1.0),
        (KEYS, "Session keys", "Prerequisites", 0.9),
    ) == ["How do I restrict an API key?", "How do I revoke a key?", "How does key rotation work?"]


def test_the_headings_of_every_operation_are_no_questions(published: Documentation) -> None:
    page = published.page("guides/keys")
    assert page is not None
    sections = tuple(
        replace(page.sections[0], heading_path=(heading,))
        for heading in ("Query parameters", "Path parameters", "Responses", "Authorization")
    )
    listed = replace(published, pages={"guides/keys": replace(page, sections=sections)})
    assert starters(listed, "/guides/keys") == ()
