"""Introductions of a thing are found below the operations that are named by it."""

from __future__ import annotations

import pytest

from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.retrieval import Retrieval, RetrievedPassages
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import PageMeta, Section, Site
from docstead.search.documents import document_of
from docstead.search.index import Index
from docstead.search.index_writer import build

VERBS = ("Create", "List", "Delete", "Complete", "Retrieve", "Update", "Expire")
GUIDE = (
    "Waitpoint tokens pause a run until somebody completes them, for example in an approval. "
    "Every run keeps its state while it pauses, on whichever machine it goes on afterwards."
)


@pytest.fixture(scope="module")
def retrieval(tmp_path_factory: pytest.TempPathFactory) -> Retrieval:
    folder = tmp_path_factory.mktemp("index")
    texts = {"wait": ("Approvals", GUIDE, None)}
    for verb in VERBS:
        text = f"{verb}s a waitpoint.\n\n`waitpoint` (string)\n\nThe waitpoint."
        texts[f"api/{verb.lower()}"] = (f"{verb} waitpoint", text, "POST")
    metas = {
        slug: PageMeta(slug, f"{slug}.mdx", title, method=method)
        for slug, (title, _, method) in texts.items()
    }
    documents = (
        document_of(metas[slug], (Section("", (), text),)) for slug, (_, text, _) in texts.items()
    )
    build(documents, folder)
    return Retrieval(
        Index(folder), Site(SiteConfig("Site"), Navigation(()), metas), AbsoluteLinks("")
    )


def pages(retrieval: Retrieval, text: str, size: int = 3) -> list[str]:
    question = Question((ConversationMessage(Speaker.USER, text),), page_size=size)
    found: RetrievedPassages = retrieval.find(question, ())
    assert [each.link for each in found.excerpts] == [f"/{p.slug}" for p in found.passages]
    assert found.candidates[:size] == found.excerpts
    assert len(set(found.candidates)) == len(found.candidates) == len(VERBS) + 1
    return [each.slug for each in found.passages]


def test_who_asks_what_it_is_gets_its_introduction_first(retrieval: Retrieval) -> None:
    first, *others = pages(retrieval, "What is a waitpoint?")
    assert first == "wait"
    assert len(others) == 2


@pytest.mark.parametrize("question", ["How do I create a waitpoint?", "What is `waitpoint`?"])
def test_other_questions_and_look_ups_do_not(retrieval: Retrieval, question: str) -> None:
    assert "wait" not in pages(retrieval, question)
