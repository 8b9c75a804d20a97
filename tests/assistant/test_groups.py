"""Pages for groups: found, read and suggested only for their readers."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.retrieval import Retrieval
from docstead.assistant.tools.library import DocumentationLookup
from docstead.base.errors import NotFound
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import PageMeta, Section, Site
from docstead.markup.rendered import RenderedPage
from docstead.search.documents import document_of
from docstead.search.index import Index
from docstead.search.index_writer import build
from documentation import Documentation

SECRET = "The harbour code is changed every Monday."
LINKS = AbsoluteLinks("https://docs")


@pytest.fixture
def edition(tmp_path: Path) -> Documentation:
    metas = {
        "open": PageMeta(slug="open", file="open.mdx", title="Parcels"),
        "crew": PageMeta(slug="crew", file="crew.mdx", title="Harbour code", groups=("crew",)),
    }
    texts = {"open": "Parcels are sent by ship.", "crew": SECRET}
    pages = {s: RenderedPage(s, "", (), (Section("", (), t),)) for s, t in texts.items()}
    build((document_of(metas[s], page.sections) for s, page in pages.items()), tmp_path / "index")
    site = Site(SiteConfig(name="Parcelo"), Navigation(()), metas)
    return Documentation("ed", site, Index(tmp_path / "index"), pages)


def asked(*groups: str) -> Question:
    text = "How often is the harbour code changed?"
    return Question((ConversationMessage(Speaker.USER, text),), groups=groups)


@pytest.mark.parametrize(
    ("groups", "is_found"), [((), False), (("guests",), False), (("crew",), True)]
)
def test_a_page_for_a_group(
    edition: Documentation, groups: tuple[str, ...], is_found: bool
) -> None:
    question = asked(*groups)
    found = Retrieval(edition.index, edition.site, LINKS).find(question, ())
    library = DocumentationLookup(edition, LINKS, question)
    assert [each.slug for each in found.passages if each.slug == "crew"] == ["crew"] * is_found
    assert found.covered == is_found
    assert any(each.markdown == SECRET for each in library.search("harbour code")) == is_found
    assert any("crew" in url for _, url in library.nearest("harbour code", 3)) == is_found
    if is_found:
        assert [each.markdown for each in library.page("/crew")] == [SECRET]
    else:
        with pytest.raises(NotFound):
            library.page("/crew")


@pytest.mark.parametrize(
    ("query", "is_near"),
    [("Are parcels sent by ship?", True), ("Is the ship of the line an old museum?", False)],
)
def test_pages_that_match_by_chance_are_not_nearest(
    edition: Documentation, query: str, is_near: bool
) -> None:
    library = DocumentationLookup(edition, LINKS, asked())
    assert [title for title, _ in library.nearest(query, 3)] == ["Parcels"] * is_near
