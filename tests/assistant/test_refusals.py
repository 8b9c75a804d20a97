from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from docstead.assistant.events import AnswerData, TextDelta
from docstead.assistant.refusals import SupportContact, refusal, words_of
from docstead.base.errors import InvalidRequest
from docstead.markup.words import shell_texts
from site_builders import group, make_site, meta, page


def test_a_link_is_given_the_thread() -> None:
    assert SupportContact("https://help.example.com/new?a=1").link("t 1") == (
        "https://help.example.com/new?a=1&threadId=t+1"
    )


def test_an_email_address_is_written_to() -> None:
    assert SupportContact("help@example.com").link("t1") == "mailto:help@example.com"


def test_an_at_sign_within_a_link_makes_no_email_address_of_it() -> None:
    contact = SupportContact("https://help.example.com/@team")
    assert contact.is_link
    assert contact.link("t1") == "https://help.example.com/@team?threadId=t1"


@pytest.mark.parametrize(
    "support", ["javascript:alert(1)", "https://user:key@example.com", "help", "//x", "a b@c.d"]
)
def test_neither_is_refused(support: str) -> None:
    with pytest.raises(InvalidRequest, match="support"):
        SupportContact(support)


ENGLISH = shell_texts("en")
PAGES = [(f"Page {number}", f"https://docs.example.com/{number}") for number in range(5)]


def refused(*looked_for: str, near: int = 5, **more: Any) -> list[TextDelta | AnswerData]:
    library: Any = SimpleNamespace(nearest=lambda _, most: PAGES[: min(most, near)])
    options = {"support": None, "thread_id": "t1", **more}
    return list(refusal(library, ENGLISH, looked_for, **options))


def test_a_refusal_names_what_was_searched_for_and_three_pages() -> None:
    queries = ("one  more?", " ", "`two`", "x" * 81, "four")
    said, searched, nearest = refused(*queries)
    assert said == TextDelta(ENGLISH.not_covered)
    shown = f"`one more`, `'two'`, `{'x' * 80}…`"
    assert searched == TextDelta("\n\n" + ENGLISH.looked_for.format(queries=shown))
    expected = [{"title": title, "url": url} for title, url in PAGES[:3]]
    assert nearest == AnswerData("nearest", expected)
    assert refused("x" * 80, near=0)[1:] == [
        TextDelta("\n\n" + ENGLISH.looked_for.format(queries=f"`{'x' * 80}`"))
    ]


def test_a_refusal_without_topics_and_pages_is_one_sentence() -> None:
    assert refused(near=0) == [TextDelta(ENGLISH.not_covered)]
    assert refused(near=0, said="No idea.") == [TextDelta("No idea.")]


@pytest.mark.parametrize(
    ("target", "name", "kind"),
    [
        ("https://help.example.com", ENGLISH.support, "link"),
        ("a@b.example", "a@b.example", "email"),
    ],
)
def test_a_refusal_names_the_contact(target: str, name: str, kind: str) -> None:
    contact = SupportContact(target)
    _, text, data = refused(near=0, support=contact)
    link = contact.link("t1")
    assert text == TextDelta("\n\n" + ENGLISH.ask_support.format(contact=f"[{name}]({link})"))
    assert data == AnswerData("support", {"kind": kind, "url": link})


@pytest.mark.parametrize(
    ("asked_in", "chosen", "path", "language"),
    [
        ("de", None, "/", "de"),
        ("de", "fr", "/", "de"),
        ("en", "fr", "/", "fr"),
        ("en", None, "/es", "en"),
        ("", "fr", "/es", "fr"),
        ("", None, "/es", "es"),
        ("", None, None, "en"),
    ],
)
def test_messages_are_in_the_language_of_the_reader(
    asked_in: str, chosen: str | None, path: str | None, language: str
) -> None:
    metas = {"es": meta("es", language="es")}
    site = make_site(group("All", page("index"), page("es")), metas=metas)
    question: Any = SimpleNamespace(language=chosen, current_path=path)
    assert words_of(question, site, asked_in) == shell_texts(language)
