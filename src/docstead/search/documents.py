"""What goes into the index, and what comes out of a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docstead.content.pages import PageMeta, Section


@dataclass(frozen=True, slots=True)
class Document:
    """One page as the index sees it."""

    slug: str
    title: str
    sections: tuple[Section, ...]
    description: str | None = None
    keywords: tuple[str, ...] = ()
    language: str | None = None  # None counts for every language
    version: str | None = None  # None counts for every version
    tag: str | None = None
    boost: float = 1.0  # multiplies the scores of the page's passages


@dataclass(frozen=True, slots=True)
class Passage:
    """A section, or a part of a long one, that answers a query.

    `score` is the share, 0 to 1, of what a text full of the query's words could reach.
    """

    slug: str
    title: str
    heading_path: tuple[str, ...]
    anchor: str
    markdown: str
    score: float
    language: str | None = None
    version: str | None = None


def document_of(meta: PageMeta, sections: Sequence[Section]) -> Document:
    """The document of a rendered page."""
    return Document(
        slug=meta.slug,
        title=meta.title,
        sections=tuple(sections),
        description=meta.description,
        keywords=meta.keywords,
        language=meta.language,
        version=meta.version,
        tag=meta.tag,
        boost=meta.boost,
    )
