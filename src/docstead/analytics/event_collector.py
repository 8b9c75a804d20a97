"""Collector of reader events of hosted sites, bundles and other websites. Blocking."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from docstead.analytics.page_feedback import PageFeedbackStore, ReaderFeedback
from docstead.analytics.readers import Reader, reader_in_browser
from docstead.analytics.searches import SearchRecords
from docstead.analytics.visits import PageVisit, ViewRecords
from docstead.assistant.conversation import AnswerDeployment, SearchableEdition
from docstead.assistant.reader_location import page_around, page_at
from docstead.base.errors import NotFound
from docstead.base.texts import clean
from docstead.content.slugs import find_page, path_of
from docstead.limits import policies
from docstead.limits.rate_limits import RateLimits

D_contra = TypeVar("D_contra", bound=AnswerDeployment, contravariant=True)
D = TypeVar("D", bound=AnswerDeployment)


class EditionLookup(Protocol[D_contra]):
    """Provides the current editions of deployments."""

    def current(self, deployment: D_contra) -> SearchableEdition | None: ...


@dataclass(frozen=True, slots=True)
class ReaderSearch:
    """A search of a reader. `clicked` is the path of the opened result."""

    query: str
    results: int
    clicked: str | None = None


class EventCollector(Generic[D]):
    """Records events about existing pages."""

    def __init__(
        self,
        visits: ViewRecords,
        feedback: PageFeedbackStore,
        searches: SearchRecords,
        editions: EditionLookup[D],
        limits: RateLimits,
    ) -> None:
        self._visits = visits
        self._feedback = feedback
        self._searches = searches
        self._editions = editions
        self._limits = limits

    def record_view(self, deployment: D, path: str, *, client_ip: str, program: str) -> None:
        """Record a page view in a browser. `program` is its User-Agent.

        Raises:
            NotFound: the page does not exist. RateLimited: the IP address sent too many views.
        """
        page, reader = self._page(deployment, path), reader_in_browser(program)
        if reader is None:
            return
        self._limits.spend(policies.page_view(client_ip))
        self.record_visit(deployment.id, page, reader, client_ip, program)

    def record_search(
        self, deployment: D, search: ReaderSearch, *, client_ip: str, program: str
    ) -> None:
        """Record a search in a browser, with the opened result, if any.

        Raises:
            RateLimited: the IP address sent too many searches.
        """
        if reader_in_browser(program) is not Reader.HUMAN or not search.query.strip():
            return
        self._limits.spend(policies.page_view(client_ip))
        clicked = self._clicked_page(deployment, search.clicked) if search.clicked else None
        self._searches.note(deployment.id, search.query, search.results, clicked)

    def record_visit(
        self, deployment_id: str, path: str, reader: Reader, client_ip: str, program: str
    ) -> None:
        """Record a page sent to a program. Does not block."""
        self._visits.note(PageVisit(deployment_id, path, reader, client_ip, program))

    def record_feedback(self, deployment: D, feedback: ReaderFeedback, *, client_ip: str) -> None:
        """Record feedback on a page.

        Raises:
            NotFound: the page does not exist. RateLimited: the IP address sent too much feedback.
        """
        self._limits.spend(policies.page_feedback(client_ip))
        cleaned = replace(
            feedback,
            path=self._page(deployment, feedback.path),
            comment=_cleaned(feedback.comment),
            contact=_cleaned(feedback.contact),
        )
        self._feedback.give(deployment.id, cleaned)

    def _clicked_page(self, deployment: D, path: str) -> str | None:
        """Return the page at a path, ignoring leading folders that are not part of the site."""
        edition = self._editions.current(deployment)
        if edition is None:
            return None
        slug = page_at(edition.site, path) or page_around(edition.site, path)
        return None if slug is None else path_of(slug)

    def _page(self, deployment: D, path: str) -> str:
        edition = self._editions.current(deployment)
        slug = find_page(edition.site, path) if edition else None
        if slug is None:
            raise NotFound("path: there is no such page")
        return path_of(slug)


def _cleaned(text: str | None) -> str | None:
    return clean(text).strip() or None if text else None
