"""Response bodies of analytics endpoints."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from docstead.analytics.conversations import ConversationDetail, ConversationExchange
from docstead.analytics.feedback_entries import FeedbackEntry, FeedbackOrigin, PageFeedbackCounts
from docstead.analytics.searches import SearchTermCount
from docstead.analytics.visits import DayCounts, PageCounted
from docstead.base.clock import rfc3339

#: Thumbs with a comment are contextual; feedback from other assistants arrives through MCP.
FeedbackSource = Literal["code_snippet", "contextual", "agent", "thumbs_only"]
_NEXT = "Cursor of the next page; null on the last page."


def _moment(description: str | None = None) -> Any:
    return Field(description=description, json_schema_extra={"format": "date-time"})


class FeedbackItem(BaseModel):
    """Feedback of a reader on a page or an answer."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)

    id: str
    path: str | None = Field(
        description="Path of the page. For an answer, `currentPath` of the request, or null."
    )
    comment: str | None
    createdAt: str | None = _moment()  # noqa: N815 - the wire's name
    source: FeedbackSource
    status: Literal["pending", "in_progress", "resolved", "dismissed"]
    helpful: bool | None = Field(None, description="Only with source `contextual`.")
    contact: str | None = Field(None, description="Only with source `contextual`.")


class FeedbackList(BaseModel):
    feedback: list[FeedbackItem]
    nextCursor: str | None = Field(description=_NEXT)  # noqa: N815
    hasMore: bool  # noqa: N815


class PageFeedback(BaseModel):
    """Thumbs up and down of one page."""

    path: str
    thumbsUp: int  # noqa: N815
    thumbsDown: int  # noqa: N815
    code: int = Field(description="Feedback on code blocks.")
    total: int


class FeedbackByPage(BaseModel):
    feedback: list[PageFeedback]
    hasMore: bool  # noqa: N815


class CitedSource(BaseModel):
    title: str
    url: str


class Conversation(BaseModel):
    """A question and its answer; exchanges of a conversation share `conversationId`."""

    id: str
    conversationId: str = Field(description="The thread.")  # noqa: N815
    timestamp: str = _moment()
    query: str
    response: str
    responseType: Literal["answer", "clarifying_question"]  # noqa: N815
    sources: list[CitedSource]
    resolutionStatus: Literal["answered", "unanswered"]  # noqa: N815
    queryCategory: str | None  # noqa: N815
    pageUrl: str | None  # noqa: N815


class ConversationList(BaseModel):
    conversations: list[Conversation]
    nextCursor: str | None = Field(description=_NEXT)  # noqa: N815
    hasMore: bool  # noqa: N815


class ThreadMessage(BaseModel):
    id: str
    role: Literal["user", "assistant"]
    content: str
    createdAt: str = _moment()  # noqa: N815


class ThreadMessages(BaseModel):
    """A conversation, oldest message first."""

    threadId: str  # noqa: N815
    createdAt: str = _moment()  # noqa: N815
    messages: list[ThreadMessage]


class CallerStats(BaseModel):
    """Number of questions by caller."""

    web: int = Field(description="Web pages.")
    api: int = Field(description="Programs.")
    other: int = Field(description="Other assistants, through MCP.")
    total: int


class SearchTerm(BaseModel):
    """A search term, case-insensitive."""

    searchQuery: str  # noqa: N815
    hits: int
    ctr: float = Field(description="Fraction of searches that led to a page, 0 to 1.")
    topClickedPage: str | None = Field(description="The page that was opened most often.")  # noqa: N815
    lastSearchedAt: str = _moment()  # noqa: N815


class SearchList(BaseModel):
    searches: list[SearchTerm]
    totalSearches: int = Field(description="Number of searches, not of terms.")  # noqa: N815
    nextCursor: str | None = Field(description=_NEXT)  # noqa: N815


class ReaderCounts(BaseModel):
    """Counts of people and of AI programs. Search engine crawlers are not counted."""

    human: int
    ai: int
    total: int


class PageCounts(ReaderCounts):
    path: str


class PageViews(BaseModel):
    """Pages by views, most viewed first. Views are counted by the hour, UTC."""

    totals: ReaderCounts
    views: list[PageCounts]
    hasMore: bool  # noqa: N815


class PageVisitors(BaseModel):
    """Pages by visitors, most visited first. Visitors count once per day, UTC."""

    totals: ReaderCounts
    visitors: list[PageCounts]
    hasMore: bool  # noqa: N815


def reader_counts(counted: DayCounts) -> ReaderCounts:
    return ReaderCounts(human=counted.human, ai=counted.ai, total=counted.total)


def page_counts(page: PageCounted) -> PageCounts:
    counted = page.counted
    return PageCounts(path=page.path, human=counted.human, ai=counted.ai, total=counted.total)


def feedback_item(entry: FeedbackEntry) -> FeedbackItem:
    item = FeedbackItem(
        id=entry.id,
        path=entry.path,
        comment=entry.comment,
        createdAt=rfc3339(entry.given_at),
        source=entry.origin.value,
        status=entry.status.value,
    )
    if entry.origin is not FeedbackOrigin.CONTEXTUAL:
        return item
    return item.model_copy(update={"helpful": entry.helpful, "contact": entry.contact})


def page_feedback(counts: PageFeedbackCounts) -> PageFeedback:
    return PageFeedback(
        path=counts.path,
        thumbsUp=counts.up,
        thumbsDown=counts.down,
        code=0,
        total=counts.up + counts.down,
    )


def conversation(exchange: ConversationExchange) -> Conversation:
    return Conversation(
        id=exchange.id,
        conversationId=exchange.thread_id,
        timestamp=rfc3339(exchange.created_at),
        query=exchange.question,
        response=exchange.answer,
        responseType="answer",
        sources=[CitedSource(title=each.title, url=each.url) for each in exchange.sources],
        resolutionStatus="answered" if exchange.answered else "unanswered",
        queryCategory=None,
        pageUrl=exchange.path,
    )


def thread_messages(opened: ConversationDetail) -> ThreadMessages:
    messages = [
        ThreadMessage(
            id=f"{each.id}-{role}",
            role=role,
            content=content,
            createdAt=rfc3339(each.created_at),
        )
        for each in opened.exchanges
        for role, content in _said(each)
    ]
    return ThreadMessages(
        threadId=opened.id, createdAt=rfc3339(opened.created_at), messages=messages
    )


def _said(exchange: ConversationExchange) -> tuple[tuple[Literal["user", "assistant"], str], ...]:
    return ("user", exchange.question), ("assistant", exchange.answer)


def search_term(searched: SearchTermCount) -> SearchTerm:
    return SearchTerm(
        searchQuery=searched.term,
        hits=searched.hits,
        ctr=round(searched.clicks / searched.hits, 4),
        topClickedPage=searched.top_page,
        lastSearchedAt=rfc3339(searched.last_at),
    )
