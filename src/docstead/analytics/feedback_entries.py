"""Combined feedback on answers and pages. Blocking: run it in a thread."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    ColumnElement,
    RowMapping,
    Select,
    Subquery,
    Text,
    cast,
    func,
    literal,
    null,
    select,
    union_all,
    update,
)

from docstead.analytics.period import Cursor, ReportPeriod
from docstead.base.errors import NotFound
from docstead.storage.database import Database
from docstead.storage.schema import answer_feedback, answers, page_feedback, threads, turns


class FeedbackStatus(StrEnum):
    """Processing status of feedback."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    RESOLVED = "resolved"
    DISMISSED = "dismissed"


class FeedbackOrigin(StrEnum):
    """Origin of feedback."""

    CONTEXTUAL = "contextual"  #: Thumbs with a comment.
    THUMBS_ONLY = "thumbs_only"
    AGENT = "agent"  #: From another assistant.


@dataclass(frozen=True, slots=True)
class FeedbackQuery:
    """Filter of feedback; None means no condition."""

    period: ReportPeriod = field(default_factory=ReportPeriod)
    origin: FeedbackOrigin | None = None
    statuses: Collection[FeedbackStatus] = tuple(FeedbackStatus)
    helpful: bool | None = None
    path: str | None = None


EVERY = FeedbackQuery()


@dataclass(frozen=True, slots=True)
class FeedbackEntry:
    """A feedback entry. `thread_id` is set for feedback on an answer."""

    id: str
    path: str | None  # None if an answer was requested without a page
    helpful: bool
    comment: str | None
    contact: str | None
    status: FeedbackStatus
    given_at: datetime
    thread_id: str | None
    by_agent: bool = False

    @property
    def origin(self) -> FeedbackOrigin:
        if self.by_agent:
            return FeedbackOrigin.AGENT
        return FeedbackOrigin.CONTEXTUAL if self.comment else FeedbackOrigin.THUMBS_ONLY

    @property
    def cursor(self) -> Cursor:
        return Cursor(self.given_at, self.id)


@dataclass(frozen=True, slots=True)
class PageFeedbackCounts:
    """Thumbs up and down of one page."""

    path: str
    up: int
    down: int


class FeedbackRecords:
    """Feedback on some deployments, and its status."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def newest(
        self,
        deployments: Sequence[str],
        requested: FeedbackQuery = EVERY,
        *,
        limit: int,
        after: Cursor | None = None,
    ) -> list[FeedbackEntry]:
        """Return feedback, newest first, beginning after the cursor `after`."""
        given, conditions = _given(deployments, requested)
        if after is not None:
            conditions.append(after.precedes(given.c.given_at, given.c.id))
        query = select(given).where(*conditions)
        query = query.order_by(given.c.given_at.desc(), given.c.id.desc()).limit(limit)
        with self._database.reading() as connection:
            return [_entry(row) for row in connection.execute(query).mappings()]

    def by_page(
        self, deployments: Sequence[str], requested: FeedbackQuery, *, limit: int
    ) -> list[PageFeedbackCounts]:
        """Return pages with most feedback first; answers without a page are not counted."""
        given, conditions = _given(deployments, requested)
        up = func.count().filter(given.c.helpful.is_(True))
        query = (
            select(given.c.path, up.label("up"), func.count().label("n"))
            .where(*conditions, given.c.path.is_not(None))
            .group_by(given.c.path)
            .order_by(func.count().desc(), given.c.path)
            .limit(limit)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return [PageFeedbackCounts(row.path, row.up, row.n - row.up) for row in rows]

    def mark(self, deployment_id: str, entry_id: str, status: FeedbackStatus) -> None:
        """Set the status of feedback.

        Raises:
            NotFound: the deployment has no such feedback.
        """
        of_answer = (
            select(turns.c.answer_id)
            .join(answers, answers.c.id == turns.c.answer_id)
            .where(turns.c.id == entry_id, answers.c.deployment_id == deployment_id)
        )
        of_page = (
            page_feedback.c.id == entry_id,
            page_feedback.c.deployment_id == deployment_id,
        )
        changes = (
            update(page_feedback).where(*of_page),
            update(answer_feedback).where(answer_feedback.c.answer_id.in_(of_answer)),
        )
        with self._database.transaction() as connection:
            changed = [connection.execute(each.values(status=status.value)) for each in changes]
        if not any(each.rowcount for each in changed):
            raise NotFound("there is no such feedback")


def _given(
    deployments: Sequence[str], query: FeedbackQuery
) -> tuple[Subquery, list[ColumnElement[bool]]]:
    """Return a query of all feedback on these deployments, and the filter's conditions."""
    given = union_all(_of_pages(deployments), _of_answers(deployments)).subquery()
    conditions = query.period.covers(given.c.given_at)
    conditions.append(given.c.status.in_([each.value for each in query.statuses]))
    if query.helpful is not None:
        conditions.append(given.c.helpful.is_(query.helpful))
    if query.path is not None:
        conditions.append(given.c.path == query.path)
    if query.origin is not None:
        conditions.append(given.c.by_agent.is_(query.origin is FeedbackOrigin.AGENT))
    if query.origin in (FeedbackOrigin.CONTEXTUAL, FeedbackOrigin.THUMBS_ONLY):
        has_comment = func.coalesce(given.c.comment, "") != ""
        conditions.append(
            has_comment if query.origin is FeedbackOrigin.CONTEXTUAL else ~has_comment
        )
    return given, conditions


def _of_pages(deployments: Sequence[str]) -> Select[Any]:
    columns = page_feedback.c
    return select(
        columns.id,
        columns.path,
        columns.helpful,
        columns.comment,
        columns.contact,
        columns.status,
        columns.updated_at.label("given_at"),
        cast(null(), Text).label("thread_id"),
        columns.by_agent,
    ).where(columns.deployment_id.in_(deployments))


def _of_answers(deployments: Sequence[str]) -> Select[Any]:
    rated_answers = turns.join(threads, turns.c.thread_id == threads.c.id).join(
        answer_feedback, answer_feedback.c.answer_id == turns.c.answer_id
    )
    return (
        select(
            turns.c.id,
            func.nullif(turns.c.current_path, "").label("path"),
            answer_feedback.c.helpful,
            answer_feedback.c.comment,
            cast(null(), Text).label("contact"),
            answer_feedback.c.status,
            answer_feedback.c.updated_at.label("given_at"),
            turns.c.thread_id,
            literal(False).label("by_agent"),
        )
        .select_from(rated_answers)
        .where(threads.c.deployment_id.in_(deployments))
    )


def _entry(row: RowMapping) -> FeedbackEntry:
    return FeedbackEntry(
        id=row["id"],
        path=row["path"],
        helpful=row["helpful"],
        comment=row["comment"] or None,
        contact=row["contact"] or None,
        status=FeedbackStatus(row["status"]),
        given_at=row["given_at"],
        thread_id=row["thread_id"],
        by_agent=row["by_agent"],
    )
