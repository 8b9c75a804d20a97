"""Documents of the index, and search results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docstead.content.pages import PageMeta, Section

_ENDPOINT = re.compile(r"([A-Z]+) ?`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class SearchDocument:
    """A page as indexed."""

    slug: str
    title: str
    sections: tuple[Section, ...]
    description: str | None = None
    keywords: tuple[str, ...] = ()
    topic: str = ""  # group of a page whose title says nothing without it
    language: str | None = None  # None matches every language
    version: str | None = None  # None matches every version
    tag: str | None = None
    groups: tuple[str, ...] = ()  # reader groups that may find it; empty for everyone
    operation: str | None = None  # "GET /users/{id}" on the page of an OpenAPI operation
    boost: float = 1.0  # factor of its passages' scores


@dataclass(frozen=True, slots=True)
class Passage:
    """A section, or a part of a long one, that matches a query.

    `score`, 0 to 1, defines the order. `share` is the fraction of the maximum score for the query's
    words, `cosine` the semantic similarity, if vectors are available.
    """

    slug: str
    title: str
    heading_path: tuple[str, ...]
    anchor: str
    markdown: str
    score: float
    language: str | None = None
    version: str | None = None
    digest: int = 0  # digest of name and text, which identifies its vector
    share: float = 0.0
    cosine: float | None = None

    @property
    def name(self) -> str:
        return " › ".join((self.title, *self.heading_path))


def document_of(meta: PageMeta, sections: Sequence[Section], group: str = "") -> SearchDocument:
    """Return the document of a rendered page, with its group if its title is generic."""
    return SearchDocument(
        slug=meta.slug,
        title=meta.title,
        sections=tuple(sections),
        description=meta.description,
        keywords=meta.keywords,
        topic=group,
        language=meta.language,
        version=meta.version,
        tag=meta.tag,
        groups=meta.groups,
        operation=_operation(meta, sections),
        boost=meta.boost,
    )


def _operation(meta: PageMeta, sections: Sequence[Section]) -> str | None:
    """Return method and path at the start of an operation's page, or None."""
    begin = _ENDPOINT.match(sections[0].markdown) if meta.method and sections else None
    return f"{begin[1]} {begin[2]}" if begin and begin[1] == meta.method else None
