"""The routes below `/v1/analytics/{projectId}`."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query

from docstead.accounts.key_records import Caller
from docstead.accounts.tenancy import Tenancy
from docstead.api.analytics.reading import (
    Admissions,
    DateFrom,
    DateTo,
    Status,
    period_of,
    statuses_of,
)
from docstead.api.analytics.shapes import (
    CallerStats,
    ConversationList,
    FeedbackByPage,
    FeedbackList,
    FeedbackSource,
    SearchList,
    ThreadMessages,
    conversation,
    feedback_item,
    page_feedback,
    search_term,
    thread_messages,
)
from docstead.api.authentication import Authentication
from docstead.api.errors import responses
from docstead.assistant.insights.conversations import Conversations, Exchange
from docstead.assistant.insights.period import Cursor, Period
from docstead.assistant.insights.searches import Searches
from docstead.base.errors import InvalidRequest
from docstead.limits.rate_limits import RateLimits

_STATUSES = responses(400, 401, 403, 404, 429)
#: Whether feedback of a source has a comment; None where we have no such feedback.
_COMMENTED = {"contextual": True, "thumbs_only": False}


def analytics_routes(
    *,
    conversations: Conversations,
    searches: Searches,
    tenancy: Tenancy,
    rate_limits: RateLimits,
    authentication: Authentication,
) -> APIRouter:
    """The routes. All need an admin key, and share one limit."""
    routes = _Routes(conversations, searches, Admissions(tenancy, rate_limits))
    router = APIRouter(prefix="/v1/analytics/{projectId}", tags=["analytics"])
    caller_of_key = Depends(authentication.admin)
    _add_feedback(router, routes, caller_of_key)
    _add_feedback_by_page(router, routes, caller_of_key)
    _add_conversations(router, routes, caller_of_key)
    _add_thread(router, routes, caller_of_key)
    _add_callers(router, routes, caller_of_key)
    _add_searches(router, routes, caller_of_key)
    return router


def _add_feedback(router: APIRouter, routes: _Routes, caller_of_key: Any) -> None:
    @router.get(
        "/feedback",
        name="getFeedback",
        summary="Get feedback",
        response_model=FeedbackList,
        response_model_exclude_unset=True,
        responses=_STATUSES,
    )
    def feedback(
        projectId: str,  # noqa: N803 - the wire's names
        *,
        dateFrom: DateFrom = None,  # noqa: N803
        dateTo: DateTo = None,  # noqa: N803
        source: FeedbackSource | None = None,
        status: Status = None,
        limit: Annotated[int, Query(ge=1, le=100)] = 50,
        cursor: str | None = None,
        caller: Caller = caller_of_key,
    ) -> FeedbackList:
        period = period_of(dateFrom, dateTo)
        return routes.feedback(
            caller,
            projectId,
            period,
            source=source,
            status=status,
            limit=limit,
            cursor=cursor,
        )


def _add_feedback_by_page(router: APIRouter, routes: _Routes, caller_of_key: Any) -> None:
    @router.get(
        "/feedback/by-page",
        name="getFeedbackByPage",
        summary="Get feedback by page",
        response_model=FeedbackByPage,
        responses=_STATUSES,
    )
    def by_page(
        projectId: str,  # noqa: N803
        *,
        dateFrom: DateFrom = None,  # noqa: N803
        dateTo: DateTo = None,  # noqa: N803
        source: FeedbackSource | None = None,
        status: Status = None,
        limit: Annotated[int, Query(ge=1, le=100)] = 10,
        caller: Caller = caller_of_key,
    ) -> FeedbackByPage:
        period = period_of(dateFrom, dateTo)
        return routes.feedback_by_page(
            caller, projectId, period, source=source, status=status, limit=limit
        )


def _add_conversations(router: APIRouter, routes: _Routes, caller_of_key: Any) -> None:
    @router.get(
        "/assistant",
        name="getAssistantConversations",
        summary="Get questions and answers",
        response_model=ConversationList,
        responses=_STATUSES,
    )
    def conversations(
        projectId: str,  # noqa: N803
        *,
        dateFrom: DateFrom = None,  # noqa: N803
        dateTo: DateTo = None,  # noqa: N803
        limit: Annotated[int, Query(ge=1, le=1000)] = 100,
        cursor: str | None = None,
        caller: Caller = caller_of_key,
    ) -> ConversationList:
        period = period_of(dateFrom, dateTo)
        return routes.conversations(caller, projectId, period, limit, cursor)


def _add_thread(router: APIRouter, routes: _Routes, caller_of_key: Any) -> None:
    @router.get(
        "/assistant/threads/{threadId}",
        name="getAssistantThread",
        summary="Get a conversation",
        response_model=ThreadMessages,
        responses=responses(401, 403, 404, 429),
    )
    def thread(
        projectId: str,  # noqa: N803
        threadId: str,  # noqa: N803
        caller: Caller = caller_of_key,
    ) -> ThreadMessages:
        return routes.thread(caller, projectId, threadId)


def _add_callers(router: APIRouter, routes: _Routes, caller_of_key: Any) -> None:
    @router.get(
        "/assistant/caller-stats",
        name="getAssistantCallerStats",
        summary="Get what asks the assistant",
        response_model=CallerStats,
        responses=_STATUSES,
    )
    def callers(
        projectId: str,  # noqa: N803
        *,
        dateFrom: DateFrom = None,  # noqa: N803
        dateTo: DateTo = None,  # noqa: N803
        caller: Caller = caller_of_key,
    ) -> CallerStats:
        return routes.callers(caller, projectId, period_of(dateFrom, dateTo))


def _add_searches(router: APIRouter, routes: _Routes, caller_of_key: Any) -> None:
    @router.get(
        "/searches",
        name="getSearches",
        summary="Get search terms",
        response_model=SearchList,
        responses=_STATUSES,
    )
    def searches(
        projectId: str,  # noqa: N803
        *,
        dateFrom: DateFrom = None,  # noqa: N803
        dateTo: DateTo = None,  # noqa: N803
        limit: Annotated[int, Query(ge=1, le=100)] = 50,
        cursor: str | None = None,
        caller: Caller = caller_of_key,
    ) -> SearchList:
        return routes.searches(caller, projectId, period_of(dateFrom, dateTo), limit, cursor)


class _Routes:
    def __init__(
        self, conversations: Conversations, searches: Searches, admissions: Admissions
    ) -> None:
        self._conversations = conversations
        self._searches = searches
        self._admissions = admissions

    def feedback(
        self,
        caller: Caller,
        project_id: str,
        period: Period,
        *,
        source: str | None,
        status: str | None,
        limit: int,
        cursor: str | None,
    ) -> FeedbackList:
        after = None if cursor is None else Cursor.parse(cursor)
        is_none = _none_of(source, status)
        admitted = self._admissions.admit(caller, project_id)
        found = self._conversations.opinions(
            () if is_none else admitted.deployments,
            period,
            limit=limit + 1,
            after=after,
            commented=_COMMENTED.get(source or ""),
        )
        page, has_more = found[:limit], len(found) > limit
        return FeedbackList(
            feedback=[feedback_item(each) for each in page],
            nextCursor=str(_judged(page[-1])) if has_more else None,
            hasMore=has_more,
        )

    def feedback_by_page(
        self,
        caller: Caller,
        project_id: str,
        period: Period,
        *,
        source: str | None,
        status: str | None,
        limit: int,
    ) -> FeedbackByPage:
        is_none = _none_of(source, status)
        admitted = self._admissions.admit(caller, project_id)
        found = self._conversations.opinions_by_page(
            () if is_none else admitted.deployments,
            period,
            limit=limit + 1,
            commented=_COMMENTED.get(source or ""),
        )
        pages = [page_feedback(each) for each in found[:limit]]
        return FeedbackByPage(feedback=pages, hasMore=len(found) > limit)

    def conversations(
        self, caller: Caller, project_id: str, period: Period, limit: int, cursor: str | None
    ) -> ConversationList:
        after = None if cursor is None else Cursor.parse(cursor)
        admitted = self._admissions.admit(caller, project_id)
        found = self._conversations.exchanges(
            admitted.deployments, period, limit=limit + 1, after=after
        )
        page, has_more = found[:limit], len(found) > limit
        return ConversationList(
            conversations=[conversation(each) for each in page],
            nextCursor=str(page[-1].cursor) if has_more else None,
            hasMore=has_more,
        )

    def thread(self, caller: Caller, project_id: str, thread_id: str) -> ThreadMessages:
        admitted = self._admissions.admit(caller, project_id)
        return thread_messages(self._conversations.opened(admitted.deployments, thread_id))

    def callers(self, caller: Caller, project_id: str, period: Period) -> CallerStats:
        admitted = self._admissions.admit(caller, project_id)
        counted = self._conversations.by_channel(admitted.deployments, period)
        return CallerStats(
            web=counted["web"],
            api=counted["api"],
            other=counted["mcp"],
            total=sum(counted.values()),
        )

    def searches(
        self, caller: Caller, project_id: str, period: Period, limit: int, cursor: str | None
    ) -> SearchList:
        offset = 0 if cursor is None else _offset(cursor)
        deployments = self._admissions.admit(caller, project_id).deployments
        found = self._searches.most(deployments, period, limit=limit + 1, offset=offset)
        return SearchList(
            searches=[search_term(each) for each in found[:limit]],
            totalSearches=self._searches.total(deployments, period),
            nextCursor=str(offset + limit) if len(found) > limit else None,
        )


def _none_of(source: str | None, status: str | None) -> bool:
    """Whether none of our feedback is asked for: nobody has worked on any of it."""
    has_source = source is None or source in _COMMENTED
    return not has_source or "pending" not in statuses_of(status)


def _judged(exchange: Exchange) -> Cursor:
    return Cursor(exchange.judged_at or exchange.created_at, exchange.id)


def _offset(cursor: str) -> int:
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):  # noqa: PLR2004
        raise InvalidRequest("cursor: send the nextCursor of the page before")
    return int(cursor)
