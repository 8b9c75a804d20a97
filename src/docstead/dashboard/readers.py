"""Pages on page views and feedback."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlencode

from starlette.responses import Response

from docstead.analytics.feedback_entries import FeedbackQuery, FeedbackStatus
from docstead.analytics.period import Cursor, ReportPeriod
from docstead.base.errors import InvalidRequest
from docstead.base.texts import clean
from docstead.dashboard.pages import PageRenderer, see
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.visits import HOME, OwnerVisit

_SPANS = (7, 30, 90)
_USUAL_SPAN = "30"
_PAGES_SHOWN = 100
_SHOWN = 50
_PATH_CHARACTERS = 2_000
_KINDS = {
    "": FeedbackQuery(),
    "open": FeedbackQuery(statuses=(FeedbackStatus.PENDING, FeedbackStatus.IN_PROGRESS)),
    "unhelpful": FeedbackQuery(helpful=False),
    "closed": FeedbackQuery(statuses=(FeedbackStatus.RESOLVED, FeedbackStatus.DISMISSED)),
}


class ReaderPages:
    """Pages under `/dashboard/readers/{domain}` and `/dashboard/feedback/{domain}`."""

    def __init__(self, services: DashboardServices, pages: PageRenderer) -> None:
        self._services = services
        self._insights = services.insights
        self._pages = pages

    def views(self, visit: OwnerVisit) -> Response:
        deployment = visit.deployment(self._services.tenancy)
        asked = visit.request.query_params.get("days", _USUAL_SPAN)
        days = int(asked if asked in map(str, _SPANS) else _USUAL_SPAN)
        period = ReportPeriod(self._services.clock.now() - timedelta(days=days))
        here, visits = [deployment.id], self._insights.visits
        thumbs = self._insights.feedback.by_page(here, FeedbackQuery(period), limit=_PAGES_SHOWN)
        return self._pages.render(
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
        path, after = clean(query.get("page", ""))[:_PATH_CHARACTERS], query.get("after")
        found = self._insights.feedback.newest(
            [deployment.id],
            replace(_KINDS[kind], path=path or None),
            limit=_SHOWN + 1,
            after=Cursor.parse(after) if after else None,
        )
        return self._pages.render(
            visit,
            "feedback.html",
            deployment=deployment,
            feedback=found[:_SHOWN],
            next=str(found[_SHOWN - 1].cursor) if len(found) > _SHOWN else "",
            is_first=not after,
            kind=kind,
            page=path,
            site=self._services.site_link(deployment, visit.host).url,
            statuses=tuple(FeedbackStatus),
            tab="feedback",
        )

    def mark(self, visit: OwnerVisit) -> Response:
        """Set the status of the selected feedback."""
        deployment = visit.deployment(self._services.tenancy)
        requested, chosen = visit.form.text("status"), visit.form.all("id")
        if requested not in list(FeedbackStatus):
            raise InvalidRequest(f"status: choose one of {', '.join(FeedbackStatus)}")
        if not chosen:
            raise InvalidRequest("select the feedback to change first")
        for entry_id in chosen[:_SHOWN]:
            self._insights.feedback.mark(deployment.id, entry_id, FeedbackStatus(requested))
        kind, path = visit.form.text("show"), visit.form.text("page")
        shown = {"show": kind if kind in _KINDS else "", "page": path}
        query = urlencode({name: value for name, value in shown.items() if value})
        return see(f"{HOME}/feedback/{deployment.domain}{'?' if query else ''}{query}")
