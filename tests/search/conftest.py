"""A small documentation to search in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docstead.content.pages import Section
from docstead.search.documents import SearchDocument
from docstead.search.index import Index
from docstead.search.index_writer import build


@pytest.fixture
def index_of(tmp_path: Path) -> Callable[..., Index]:
    def make(*documents: SearchDocument) -> Index:
        build(documents, tmp_path / "index")
        return Index(tmp_path / "index")

    return make


@pytest.fixture
def page() -> Callable[..., SearchDocument]:
    """A page of one section for each text, under headings named by their keys."""

    def make(
        slug: str, title: str, /, sections: dict[str, str], **others: object
    ) -> SearchDocument:
        made = tuple(
            Section(heading.lower().replace(" ", "-"), (heading,) if heading else (), text)
            for heading, text in sections.items()
        )
        return SearchDocument(slug, title, made, **others)

    return make
