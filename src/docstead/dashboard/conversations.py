"""Conversation pages: list, details and deletion."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from docstead.accounts.tenancy import Deployment
from docstead.analytics.conversations import ExchangeQuery
from docstead.analytics.meaning import grouped_by_meaning
from docstead.analytics.period import Cursor
from docstead.base.errors import InvalidRequest
from docstead.base.texts import counted, shortened
from docstead.dashboard.conversation_filters import GRADES, STATES, ConversationFilters
from docstead.dashboard.forms import signed, verified
from docstead.dashboard.pages import Confirmation, PageRenderer, see
from docstead.dashboard.prose import prose
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.visits import HOME, OwnerVisit

_SHOWN = 50
_GROUPED = 500  # latest questions that are grouped
_GROUPS_SHOWN = 30
_SHOWN_CHARACTERS = 80
_ANONYMOUS = "anonymous"


class ConversationPages:
    """Pages under `/dashboard/conversations/{domain}` and `/dashboard/gaps/{domain}`."""

    def __init__(self, services: DashboardServices, pages: PageRenderer) -> None:
        self._services = services
        self._insights = services.insights
        self._pages = pages

    def list(self, visit: OwnerVisit) -> Response:
        return self._render_list(visit, visit.deployment(self._services.tenancy))

    def show(self, visit: OwnerVisit) -> Response:
        deployment = visit.deployment(self._services.tenancy)
        opened = self._insights.conversations.opened([deployment.id], visit.parameter("thread_id"))
        return self._pages.render(
            visit,
            "conversation.html",
            deployment=deployment,
            opened=opened,
            prose=prose,
            tab="conversations",
        )

    def forget(self, visit: OwnerVisit) -> Response:
        """Delete all conversations of one reader after confirmation."""
        deployment = visit.deployment(self._services.tenancy)
        fp = visit.form.text("fp")
        if not fp:
            error = InvalidRequest("enter the identifier (fp) of a reader")
            return self._render_list(visit, deployment, error)
        if not visit.form.is_confirmed:
            count = self._insights.forgetting.count(deployment.id, fp)
            if count == 0:
                error = InvalidRequest(
                    f"there are no conversations of {shortened(fp, _SHOWN_CHARACTERS)!r}; "
                    "copy the identifier from the list"
                )
                return self._render_list(visit, deployment, error)
            return self._confirm_forgetting(visit, deployment, fp, count)
        removed = self._insights.forgetting.of_reader(deployment.id, fp)
        proof = signed(str(removed), visit.secret)
        return see(f"{HOME}/conversations/{deployment.domain}?removed={proof}")

    def _confirm_forgetting(
        self, visit: OwnerVisit, deployment: Deployment, fp: str, count: int
    ) -> Response:
        anonymous = " This includes all readers whom clients do not identify." * (fp == _ANONYMOUS)
        question = Confirmation(
            f"Delete {counted(count, 'conversation')} of {shortened(fp, _SHOWN_CHARACTERS)}?",
            "Questions, answers and feedback are deleted permanently." + anonymous,
            yes="Delete permanently",
            no="Keep them",
            back=f"{HOME}/conversations/{deployment.domain}",
        )
        return self._pages.confirm(visit, question, deployment=deployment, tab="conversations")

    def gaps(self, visit: OwnerVisit) -> Response:
        deployment = visit.deployment(self._services.tenancy)
        conversations, here = self._insights.conversations, [deployment.id]
        unanswered = conversations.exchanges(here, ExchangeQuery(answered=False), limit=_GROUPED)
        asked = conversations.exchanges(here, limit=_GROUPED)
        vectors = self._insights.question_vectors
        repeated = [group for group in grouped_by_meaning(asked, vectors) if len(group) > 1]
        gaps = grouped_by_meaning(unanswered, vectors)
        return self._pages.render(
            visit,
            "gaps.html",
            deployment=deployment,
            gaps=gaps[:_GROUPS_SHOWN],
            gap_count=len(gaps),
            gaps_since=unanswered[-1].created_at if unanswered else None,
            most_asked=repeated[:_GROUPS_SHOWN],
            repeated_count=len(repeated),
            asked_since=asked[-1].created_at if asked else None,
            missed=self._insights.searches.most(here, limit=_GROUPS_SHOWN, found_nothing=True),
            newest=_GROUPED,
            tab="gaps",
        )

    def _render_list(
        self, visit: OwnerVisit, deployment: Deployment, error: InvalidRequest | None = None
    ) -> Response:
        query = visit.request.query_params
        filters, after = ConversationFilters.of(query), query.get("after")
        found = self._insights.conversations.exchanges(
            [deployment.id], filters.query(), limit=_SHOWN + 1, after=_cursor(after)
        )
        shown: dict[str, Any] = {
            "exchanges": found[:_SHOWN],
            "next": str(found[_SHOWN - 1].cursor) if len(found) > _SHOWN else "",
            "filters": filters,
            "grades": GRADES,
            "states": STATES,
            "is_first": not after,
            "days": self._insights.forgetting.days,
            "removed": _count(verified(query.get("removed", ""), visit.secret) or ""),
            "error": error and error.message,
        }
        return self._pages.render(
            visit,
            "conversations.html",
            status_code=error.status if error else 200,
            deployment=deployment,
            tab="conversations",
            **shown,
        )


def _cursor(text: str | None) -> Cursor | None:
    try:
        return Cursor.parse(text) if text else None
    except InvalidRequest as error:
        raise InvalidRequest("this page of the list no longer exists") from error


def _count(text: str) -> int | None:
    is_count = text.isascii() and text.isdigit() and len(text) < 10  # noqa: PLR2004
    return int(text) if is_count else None
