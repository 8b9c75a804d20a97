"""Pages and sections that are answered because a question names them or their role."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.events import SourceFound, TextDelta
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.replies import quoted
from docstead.assistant.retrieval import Retrieval
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation, NavNode, NodeKind
from docstead.content.pages import PageMeta, Section, Site
from docstead.search.documents import document_of
from docstead.search.index import Index
from docstead.search.index_writer import build

LIMITS = "Requests are counted for each key. Further ones get status 429 and can be sent later."
PAGES = {
    "introduction": ("Introduction", "Acme moves parcels. It finds the fastest way to each town."),
    "start": ("Quickstart", "Create a parcel, print its label and drop it at the next shop."),
    "limits": ("Rate limits", LIMITS),
    "staff": ("Rate limits of staff", "Only the staff of Acme may read about these rate limits."),
    "api": ("API basics", "Acme has an API. Every request to the API of Acme needs a key in it."),
    "api/acme": (
        "Get Acme",
        "Gets Acme. What Acme is, and what Acme does, is in what Acme returns.",
    ),
}
COMPOSE = "Write a file for it and start all containers with one command on any machine you have."


@pytest.fixture(scope="module")
def retrieval(tmp_path_factory: pytest.TempPathFactory) -> Retrieval:
    folder: Path = tmp_path_factory.mktemp("index")
    metas = {
        slug: PageMeta(
            slug,
            "",
            title,
            method="GET" if slug == "api/acme" else None,
            groups=("staff",) if slug == "staff" else (),
        )
        for slug, (title, _) in PAGES.items()
    }
    nodes = tuple(NavNode(NodeKind.PAGE, metas[slug].title, slug=slug) for slug in PAGES)
    further = {"api": (Section("compose", ("Docker compose",), COMPOSE),)}
    documents = (
        document_of(metas[slug], (Section("", (), text), *further.get(slug, ())))
        for slug, (_, text) in PAGES.items()
    )
    build(documents, folder)
    site = Site(SiteConfig("Acme Docs"), Navigation(nodes), metas)
    return Retrieval(Index(folder), site, AbsoluteLinks(""))


def answer(retrieval: Retrieval, text: str, *groups: str) -> tuple[list[str], str]:
    """Return the sources and the text of an answer."""
    message = ConversationMessage(Speaker.USER, text)
    found = retrieval.find(Question((message,), groups=groups), ())
    said = list(quoted(found))
    urls = [e.source.url.partition("#:~")[0] for e in said if isinstance(e, SourceFound)]
    return urls, "".join(e.text for e in said if isinstance(e, TextDelta))


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("What is Acme?", "introduction"),
        ("What does Acme do?", "introduction"),
        ("How do I get started?", "start"),
        ("rate limits", "limits"),
        ("what are the rate limits?", "limits"),
    ],
)
def test_the_page_that_is_asked_for_is_quoted_first(
    retrieval: Retrieval, question: str, page: str
) -> None:
    urls, text = answer(retrieval, question)
    assert urls[0] == f"/{page}"
    assert f"> {PAGES[page][1]}" in text


def test_a_section_of_that_name_is_quoted(retrieval: Retrieval) -> None:
    urls, text = answer(retrieval, "docker compose")
    assert urls[0].partition(":~")[0] == "/api#compose"
    assert COMPOSE in text


def test_pages_for_groups_are_named_for_their_readers_only(retrieval: Retrieval) -> None:
    assert "/staff" not in answer(retrieval, "rate limits of staff")[0]
    assert answer(retrieval, "rate limits of staff", "staff")[0][0] == "/staff"


def test_the_passages_for_a_model_begin_with_the_page(retrieval: Retrieval) -> None:
    message = ConversationMessage(Speaker.USER, "What is Acme?")
    found = retrieval.find(Question((message,), page_size=2), ())
    assert found.covered
    assert found.passages[0].slug == "introduction"
    assert len(found.passages) == 2
    assert found.candidates[:2] == found.excerpts
