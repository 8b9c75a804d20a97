"""Search results and page contents in the API's format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from pydantic import BaseModel, Field

from docstead.accounts.tenancy import Deployment
from docstead.analytics.searches import SearchRecords
from docstead.api.assistant.shapes import SearchFilter, SearchRequest
from docstead.assistant.conversation import ReadableEdition
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.reader_location import page_at, preference
from docstead.assistant.suggestions import starters
from docstead.base.errors import NotFound
from docstead.content.slugs import path_of
from docstead.search.documents import Passage
from docstead.search.fusion import is_match
from docstead.search.snippets import Snippet, snippet


class FoundPassage(BaseModel):
    """A section that matches a query."""

    content: str = Field(description="The section as Markdown.")
    path: str = Field(
        description="Path of the page. Pass it to the page endpoint for the whole page."
    )
    metadata: dict[str, Any] = Field(
        description="`title`, `headings`, `url` and `score`; `snippet`, plain text around the "
        "match, and `highlights`, the matched words as pairs of start and end offsets; "
        "`query`, the corrected query, if words were misspelled; "
        "`version` and `language` if set."
    )


class FoundPage(BaseModel):
    """A page."""

    path: str
    content: str = Field(description="The whole page as Markdown.")


class Starters(BaseModel):
    """Questions to start a conversation with."""

    questions: list[str] = Field(description="At most three.")


class ReadableEditions(Protocol):
    def current(self, deployment: Deployment) -> ReadableEdition | None: ...


class ContentSearch:
    """Searches the current editions. Blocking: run it in a thread."""

    def __init__(
        self,
        editions: ReadableEditions,
        site_url: Callable[[Deployment], str],
        searches: SearchRecords | None = None,
    ) -> None:
        self._editions = editions
        self._site_url = site_url
        self._searches = searches

    def search(
        self, deployment: Deployment, request: SearchRequest, groups: Sequence[str] = ()
    ) -> list[dict[str, Any]]:
        """Return the best sections that these reader groups may see, and record searches for words.

        A search counts as having no results if the best sections are only close in meaning.
        """
        edition = self._editions.current(deployment)
        passages = [] if edition is None else self._passages(edition, request, groups)
        if self._searches is not None and request.query.strip():
            results = len(passages) if is_match(passages) else 0
            self._searches.note(deployment.id, request.query, results)
        if edition is None:
            return []
        analyser, terms = edition.index.analyser, edition.index.terms(request.query)
        links = AbsoluteLinks(self._site_url(deployment))
        repaired = edition.index.repaired(request.query)
        query = None if repaired == request.query else repaired
        return [
            _result(each, snippet(each.markdown, terms, analyser), links, query)
            for each in passages
        ]

    def _passages(
        self, edition: ReadableEdition, request: SearchRequest, groups: Sequence[str]
    ) -> list[Passage]:
        chosen = request.filter or SearchFilter()
        found = edition.index.search(
            request.query,
            limit=request.limit,
            language=chosen.language,
            version=chosen.version,
            tag=chosen.tag,
            groups=groups,
            prefer=preference(edition.site, None),
        )
        least = request.score_threshold or 0.0
        return [each for each in found if _shown_score(each) >= least]

    def starters(self, deployment: Deployment, path: str | None) -> dict[str, list[str]]:
        """Return suggested questions for a path; none before the first publish."""
        edition = self._editions.current(deployment)
        return {"questions": list(starters(edition, path)) if edition else []}

    def page(self, deployment: Deployment, path: str, groups: Sequence[str] = ()) -> dict[str, str]:
        """Return the contents of a page that these reader groups may see.

        Raises:
            NotFound: there is no page at this path, or it is excluded from search and answers.
        """
        edition = self._editions.current(deployment)
        if edition is None:
            raise NotFound("this deployment has not been published yet")
        slug = page_at(edition.site, path)
        page = edition.page(slug) if slug and edition.index.knows(slug, groups) else None
        if page is None:
            raise NotFound("there is no such page")
        title = edition.site.pages[page.slug].title
        links = AbsoluteLinks(self._site_url(deployment))
        content = links.absolute(f"# {title}\n\n{page.markdown}", page.slug)
        return {"path": path_of(page.slug), "content": content}


def _shown_score(passage: Passage) -> float:
    """Return the score of a result, which thresholds compare too."""
    return round(passage.score, 4)


def _result(
    passage: Passage, found: Snippet, links: AbsoluteLinks, query: str | None
) -> dict[str, Any]:
    metadata = {
        "title": passage.title,
        "headings": list(passage.heading_path),
        "url": links.to(passage.slug, passage.anchor),
        "score": _shown_score(passage),
        "snippet": found.text,
        "highlights": [list(position) for position in found.highlights],
        "query": query,
        "version": passage.version,
        "language": passage.language,
    }
    anchor = f"#{passage.anchor}" if passage.anchor else ""
    return {
        "content": links.absolute(passage.markdown, passage.slug),
        "path": path_of(passage.slug) + anchor,
        "metadata": {key: value for key, value in metadata.items() if value is not None},
    }
