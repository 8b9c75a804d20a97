"""The routes below `/v1/analytics/{projectId}`."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query

from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.analytics.conversations import ExchangeQuery
from docstead.analytics.insights import ReaderInsights
from docstead.analytics.period import Cursor
from docstead.api.analytics.reading import (
    AskedPeriod,
    FeedbackChoice,
    Offset,
    ReportDependencies,
    chosen,
)
from docstead.api.analytics.shapes import (
    CallerStats,
    ConversationList,
    FeedbackByPage,
    FeedbackList,
    PageViews,
    PageVisitors,
    SearchList,
    ThreadMessages,
    conversation,
    feedback_item,
    page_counts,
    page_feedback,
    reader_counts,
    search_term,
    thread_messages,
)
from docstead.api.authentication import Authentication
from docstead.api.errors import responses
from docstead.api.routers import new_router
from docstead.base.errors import InvalidRequest
from docstead.base.features import Features
from docstead.limits.rate_limits import RateLimits

_STATUSES = responses(400, 401, 403, 404, 429, 503)


def analytics_routes(
    *,
    insights: ReaderInsights,
    tenancy: Tenancy,
    rate_limits: RateLimits,
    authentication: Authentication,
    features: Callable[[Deployment], Features],
) -> APIRouter:
    """Return the analytics routes. All require an admin key and share one rate limit.

    Routes about conversations require the assistant at one of the project's deployments, others
    analytics.
    """
    admissions = ReportDependencies(tenancy, rate_limits, authentication, features)
    reading = Depends(admissions.reading("analytics"))
    asked, project = Depends(admissions.reading("assistant")), Depends(admissions.project)
    router = new_router(prefix="/v1/analytics/{projectId}", tags=["analytics"])
    _add_feedback(router, insights, reading)
    _add_feedback_by_page(router, insights, reading)
    _add_conversations(router, insights, asked)
    _add_thread(router, insights, project)
    _add_callers(router, insights, asked)
    _add_searches(router, insights, reading)
    _add_views(router, insights, reading)
    _add_visitors(router, insights, reading)
    return router


def _add_feedback(router: APIRouter, insights: ReaderInsights, reading: Any) -> None:
    @router.get(
        "/feedback",
        name="getFeedback",
        summary="Get feedback",
        response_model=FeedbackList,
        response_model_exclude_unset=True,
        responses=_STATUSES,
    )
    def feedback(
        *,
        asked: Annotated[AskedPeriod, reading],
        choice: Annotated[FeedbackChoice, Depends(chosen)],
        limit: Annotated[int, Query(ge=1, le=100)] = 50,
        cursor: str | None = None,
    ) -> FeedbackList:
        requested, after = choice.within(asked.period), _parsed(cursor)
        found = insights.feedback.newest(asked.deployments, requested, limit=limit + 1, after=after)
        page, has_more = found[:limit], len(found) > limit
        return FeedbackList(
            feedback=[feedback_item(each) for each in page],
            nextCursor=str(page[-1].cursor) if has_more else None,
            hasMore=has_more,
        )


def _add_feedback_by_page(router: APIRouter, insights: ReaderInsights, reading: Any) -> None:
    @router.get(
        "/feedback/by-page",
        name="getFeedbackByPage",
        summary="Get feedback by page",
        response_model=FeedbackByPage,
        responses=_STATUSES,
    )
    def by_page(
        asked: Annotated[AskedPeriod, reading],
        choice: Annotated[FeedbackChoice, Depends(chosen)],
        limit: Annotated[int, Query(ge=1, le=100)] = 10,
    ) -> FeedbackByPage:
        requested = choice.within(asked.period)
        found = insights.feedback.by_page(asked.deployments, requested, limit=limit + 1)
        pages = [page_feedback(each) for each in found[:limit]]
        return FeedbackByPage(feedback=pages, hasMore=len(found) > limit)


def _add_conversations(router: APIRouter, insights: ReaderInsights, reading: Any) -> None:
    @router.get(
        "/assistant",
        name="getAssistantConversations",
        summary="Get questions and answers",
        response_model=ConversationList,
        responses=_STATUSES,
    )
    def conversations(
        asked: Annotated[AskedPeriod, reading],
        limit: Annotated[int, Query(ge=1, le=1000)] = 100,
        cursor: str | None = None,
    ) -> ConversationList:
        found = insights.conversations.exchanges(
            asked.deployments, ExchangeQuery(asked.period), limit=limit + 1, after=_parsed(cursor)
        )
        page, has_more = found[:limit], len(found) > limit
        return ConversationList(
            conversations=[conversation(each) for each in page],
            nextCursor=str(page[-1].cursor) if has_more else None,
            hasMore=has_more,
        )


def _add_thread(router: APIRouter, insights: ReaderInsights, project: Any) -> None:
    @router.get(
        "/assistant/threads/{threadId}",
        name="getAssistantThread",
        summary="Get a conversation",
        response_model=ThreadMessages,
        responses=responses(401, 403, 404, 429, 503),
    )
    def thread(threadId: str, asked: Annotated[AskedPeriod, project]) -> ThreadMessages:  # noqa: N803
        return thread_messages(insights.conversations.opened(asked.deployments, threadId))


def _add_callers(router: APIRouter, insights: ReaderInsights, reading: Any) -> None:
    @router.get(
        "/assistant/caller-stats",
        name="getAssistantCallerStats",
        summary="Get questions by caller",
        response_model=CallerStats,
        responses=_STATUSES,
    )
    def callers(asked: Annotated[AskedPeriod, reading]) -> CallerStats:
        counted = insights.conversations.by_channel(asked.deployments, asked.period)
        return CallerStats(
            web=counted["web"],
            api=counted["api"],
            other=counted["mcp"],
            total=sum(counted.values()),
        )


def _add_searches(router: APIRouter, insights: ReaderInsights, reading: Any) -> None:
    @router.get(
        "/searches",
        name="getSearches",
        summary="Get search terms",
        response_model=SearchList,
        responses=_STATUSES,
    )
    def searches(
        asked: Annotated[AskedPeriod, reading],
        limit: Annotated[int, Query(ge=1, le=100)] = 50,
        cursor: str | None = None,
    ) -> SearchList:
        offset = 0 if cursor is None else _offset(cursor)
        about = (asked.deployments, asked.period)
        found = insights.searches.most(*about, limit=limit + 1, offset=offset)
        return SearchList(
            searches=[search_term(each) for each in found[:limit]],
            totalSearches=insights.searches.total(*about),
            nextCursor=str(offset + limit) if len(found) > limit else None,
        )


def _add_views(router: APIRouter, insights: ReaderInsights, reading: Any) -> None:
    @router.get(
        "/views",
        name="getViews",
        summary="Get page views",
        response_model=PageViews,
        responses=_STATUSES,
    )
    def views(
        asked: Annotated[AskedPeriod, reading],
        limit: Annotated[int, Query(ge=1, le=250)] = 50,
        offset: Offset = 0,
    ) -> PageViews:
        visits, about = insights.visits, (asked.deployments, asked.period)
        found = visits.most_viewed(*about, limit=limit + 1, offset=offset)
        return PageViews(
            totals=reader_counts(visits.views(*about)),
            views=[page_counts(each) for each in found[:limit]],
            hasMore=len(found) > limit,
        )


def _add_visitors(router: APIRouter, insights: ReaderInsights, reading: Any) -> None:
    @router.get(
        "/visitors",
        name="getVisitors",
        summary="Get page visitors",
        response_model=PageVisitors,
        responses=_STATUSES,
    )
    def visitors(
        asked: Annotated[AskedPeriod, reading],
        limit: Annotated[int, Query(ge=1, le=250)] = 50,
        offset: Offset = 0,
    ) -> PageVisitors:
        visits, about = insights.visits, (asked.deployments, asked.period)
        found = visits.most_visited(*about, limit=limit + 1, offset=offset)
        return PageVisitors(
            totals=reader_counts(visits.visitors(*about)),
            visitors=[page_counts(each) for each in found[:limit]],
            hasMore=len(found) > limit,
        )


def _parsed(cursor: str | None) -> Cursor | None:
    return None if cursor is None else Cursor.parse(cursor)


def _offset(cursor: str) -> int:
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):  # noqa: PLR2004
        raise InvalidRequest("cursor: must be the nextCursor of the previous page")
    return int(cursor)
