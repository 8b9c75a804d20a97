"""What readers look at, and what they think of it."""

from __future__ import annotations

from datetime import timedelta

from starlette.responses import Response

from docstead.assistant.insights.opinions import Status, Wanted
from docstead.assistant.insights.period import Cursor, Period
from docstead.base.errors import InvalidRequest
from docstead.dashboard.pages import Pages, see
from docstead.dashboard.services import Services
from docstead.dashboard.visits import HOME, OwnerVisit

_SPANS = (7, 30, 90)
_USUAL_SPAN = "30"
_PAGES_SHOWN = 100
_SHOWN = 50
_KINDS = {
    "": tuple(Status),
    "open": (Status.PENDING, Status.IN_PROGRESS),
    "closed": (Status.RESOLVED, Status.DISMISSED),
}


class ReaderPages:
    """`/dashboard/readers/{domain}` and `/dashboard/feedback/{domain}`."""

    def __init__(self, services: Services, pages: Pages) -> None:
        self._services = services
        self._insights = services.insights
        self._pages = pages

    def views(self, visit: OwnerVisit) -> Response:
        deployment = visit.deployment(self._services.tenancy)
        asked = visit.request.query_params.get("days", _USUAL_SPAN)
        days = int(asked if asked in map(str, _SPANS) else _USUAL_SPAN)
        period = Period(self._services.clock.now() - timedelta(days=days))
        here, visits = [deployment.id], self._insights.visits
        thumbs = self._insights.opinions.by_page(here, Wanted(period), limit=_PAGES_SHOWN)
        return self._pages.draw(
            visit,
            "readers.html",
            deployment=deployment,
            days=days,
            spans=_SPANS,
            views=visits.views(here, period),
            visitors=visits.visitors(here, period),
            read=visits.most_viewed(here, period, limit=_PAGES_SHOWN),
            thumbs={each.path: each for each in thumbs},
            tab="readers",
        )

    def feedback(self, visit: OwnerVisit) -> Response:
        deployment = visit.deployment(self._services.tenancy)
        query = visit.request.query_params
        kind = query.get("show", "") if query.get("show", "") in _KINDS else ""
        after = query.get("after")
        found = self._insights.opinions.newest(
            [deployment.id],
            Wanted(statuses=_KINDS[kind]),
            limit=_SHOWN + 1,
            after=Cursor.parse(after) if after else None,
        )
        return self._pages.draw(
            visit,
            "feedback.html",
            deployment=deployment,
            opinions=found[:_SHOWN],
            next=str(found[_SHOWN - 1].cursor) if len(found) > _SHOWN else "",
            is_first=not after,
            kind=kind,
            statuses=tuple(Status),
            tab="feedback",
        )

    def mark(self, visit: OwnerVisit) -> Response:
        """Say what became of an opinion."""
        deployment = visit.deployment(self._services.tenancy)
        wanted = visit.form.text("status")
        if wanted not in list(Status):
            raise InvalidRequest(f"status: choose one of {', '.join(Status)}")
        opinion_id = visit.parameter("opinion_id")
        self._insights.opinions.mark(deployment.id, opinion_id, Status(wanted))
        kind = visit.form.text("show")
        shown = f"?show={kind}" if kind in _KINDS and kind else ""
        return see(f"{HOME}/feedback/{deployment.domain}{shown}")
