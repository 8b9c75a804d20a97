"""Documents of the index, and results of a search."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docstead.content.pages import PageMeta, Section

_ADDRESS = re.compile(r"([A-Z]+) ?`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class SearchDocument:
    """One page as the index sees it."""

    slug: str
    title: str
    sections: tuple[Section, ...]
    description: str | None = None
    keywords: tuple[str, ...] = ()
    language: str | None = None  # None counts for every language
    version: str | None = None  # None counts for every version
    tag: str | None = None
    groups: tuple[str, ...] = ()  # of readers who may find it; everybody where there is none
    operation: str | None = None  # "GET /users/{id}" on the page of an OpenAPI operation
    boost: float = 1.0  # multiplies the scores of the page's passages


@dataclass(frozen=True, slots=True)
class Passage:
    """A section, or a part of a long one, that answers a query.

    `score`, 0 to 1, gives the order. `share` is the share of what a text full of the query's
    words could reach, `cosine` how near its meaning is, where vectors are ready.
    """

    slug: str
    title: str
    heading_path: tuple[str, ...]
    anchor: str
    markdown: str
    score: float
    language: str | None = None
    version: str | None = None
    digest: int = 0  # of its name and text: what its vector goes by
    share: float = 0.0
    cosine: float | None = None

    @property
    def name(self) -> str:
        return " › ".join((self.title, *self.heading_path))


def document_of(meta: PageMeta, sections: Sequence[Section]) -> SearchDocument:
    """The document of a rendered page."""
    return SearchDocument(
        slug=meta.slug,
        title=meta.title,
        sections=tuple(sections),
        description=meta.description,
        keywords=meta.keywords,
        language=meta.language,
        version=meta.version,
        tag=meta.tag,
        groups=meta.groups,
        operation=_operation(meta, sections),
        boost=meta.boost,
    )


def _operation(meta: PageMeta, sections: Sequence[Section]) -> str | None:
    """Method and path, with which the page of an operation begins."""
    begin = _ADDRESS.match(sections[0].markdown) if meta.method and sections else None
    return f"{begin[1]} {begin[2]}" if begin and begin[1] == meta.method else None
