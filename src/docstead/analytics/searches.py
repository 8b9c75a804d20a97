"""Searches of readers, written in batches so that no request waits.

If the process dies, up to a minute of them is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any

from sqlalchemy import Connection, func, insert, select

from docstead.analytics.period import ReportPeriod
from docstead.base.clock import Clock
from docstead.base.errors import StoreUnavailable
from docstead.base.ids import new_id
from docstead.storage.database import Database
from docstead.storage.schema import searches

_TOGETHER = 100
_MOST_WAITING = 5_000  # buffered during database outages
_LONGEST = 500  # stored characters of a query
_UNKEPT = dict.fromkeys([0, *range(0xD800, 0xE000)])  # characters that databases reject


@dataclass(frozen=True, slots=True)
class SearchTermCount:
    """A case-insensitive term with its number of searches.

    `clicks` are searches that led to a page, `top_page` is the page opened most often.
    """

    term: str
    hits: int
    last_at: datetime
    clicks: int = 0
    top_page: str | None = None


class SearchRecords:
    """Records and counts searches. Blocking: run it in a thread."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._waiting: list[dict[str, Any]] = []
        self._lock = Lock()

    def note(
        self, deployment_id: str, query: str, results: int, clicked: str | None = None
    ) -> None:
        """Buffer a search until `write`."""
        row = {
            "id": new_id("search"),
            "deployment_id": deployment_id,
            "query": query.translate(_UNKEPT).strip()[:_LONGEST],
            "results": results,
            "clicked": clicked,
            "created_at": self._clock.now(),
        }
        with self._lock:
            self._waiting.append(row)
            is_due = len(self._waiting) >= _TOGETHER
        if is_due:
            with suppress(StoreUnavailable):
                self.write()

    def write(self) -> None:
        """Write the buffered searches."""
        with self._lock:
            rows, self._waiting = self._waiting, []
        if not rows:
            return
        try:
            with self._database.transaction() as connection:
                connection.execute(insert(searches), rows)
        except StoreUnavailable:
            with self._lock:
                self._waiting = [*rows, *self._waiting][:_MOST_WAITING]
            raise

    def most(
        self,
        deployments: Sequence[str],
        period: ReportPeriod = ReportPeriod(),  # noqa: B008 - a frozen value
        *,
        limit: int,
        offset: int = 0,
        found_nothing: bool = False,
    ) -> list[SearchTermCount]:
        """Return the most frequent terms; with `found_nothing` those without results."""
        self.write()
        term = func.lower(searches.c.query)
        hits, last = func.count(), func.max(searches.c.created_at, type_=searches.c.created_at.type)
        clicks = func.count(searches.c.clicked)
        query = (
            select(
                term.label("term"), hits.label("hits"), last.label("last"), clicks.label("clicks")
            )
            .where(searches.c.deployment_id.in_(deployments), *period.covers(searches.c.created_at))
            .group_by(term)
            .order_by(hits.desc(), term)
            .limit(limit)
            .offset(offset)
        )
        if found_nothing:
            query = query.where(searches.c.results == 0)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
            tops = _top_pages(connection, deployments, period, [row.term for row in rows])
        return [
            SearchTermCount(row.term, row.hits, row.last, row.clicks, tops.get(row.term))
            for row in rows
        ]

    def total(self, deployments: Sequence[str], period: ReportPeriod) -> int:
        """Return the number of searches."""
        query = select(func.count()).where(
            searches.c.deployment_id.in_(deployments), *period.covers(searches.c.created_at)
        )
        with self._database.reading() as connection:
            return int(connection.execute(query).scalar_one())


def _top_pages(
    connection: Connection, deployments: Sequence[str], period: ReportPeriod, terms: Sequence[str]
) -> dict[str, str]:
    """Return the page opened most often for each term."""
    term, n = func.lower(searches.c.query), func.count()
    query = (
        select(term.label("term"), searches.c.clicked)
        .where(searches.c.deployment_id.in_(deployments), *period.covers(searches.c.created_at))
        .where(searches.c.clicked.is_not(None), term.in_(terms))
        .group_by(term, searches.c.clicked)
        .order_by(n, searches.c.clicked.desc())
    )
    return {row.term: row.clicked for row in connection.execute(query)}  # the last one wins
