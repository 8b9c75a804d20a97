"""What is searched for. Searches are written together, now and then: none waits for it.

A process that dies loses what was not written yet, about a minute at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any

from sqlalchemy import func, insert, select

from docstead.assistant.insights.period import Period
from docstead.base.clock import Clock
from docstead.base.ids import new_id
from docstead.storage.database import Database
from docstead.storage.schema import searches

_TOGETHER = 100
_LONGEST = 500  # characters of a query that are kept
_UNKEPT = dict.fromkeys([0, *range(0xD800, 0xE000)])  # no text column takes these


@dataclass(frozen=True, slots=True)
class Searched:
    """A term, whatever its case, and how often it was searched for."""

    term: str
    hits: int
    last_at: datetime


class Searches:
    """Keeps searches, and counts them. Blocking: run it in a thread."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._waiting: list[dict[str, Any]] = []
        self._lock = Lock()

    def note(self, deployment_id: str, query: str, results: int) -> None:
        """Remember a search; `write` keeps it."""
        row = {
            "id": new_id("search"),
            "deployment_id": deployment_id,
            "query": query.translate(_UNKEPT).strip()[:_LONGEST],
            "results": results,
            "created_at": self._clock.now(),
        }
        with self._lock:
            self._waiting.append(row)
            is_due = len(self._waiting) >= _TOGETHER
        if is_due:
            self.write()

    def write(self) -> None:
        """Keep what was noted since the last time."""
        with self._lock:
            rows, self._waiting = self._waiting, []
        if rows:
            with self._database.transaction() as connection:
                connection.execute(insert(searches), rows)

    def most(
        self,
        deployments: Sequence[str],
        period: Period = Period(),  # noqa: B008 - a frozen value
        *,
        limit: int,
        offset: int = 0,
        found_nothing: bool = False,
    ) -> list[Searched]:
        """The terms searched for most often; with `found_nothing` those without a result."""
        self.write()
        term = func.lower(searches.c.query)
        hits, last = func.count(), func.max(searches.c.created_at, type_=searches.c.created_at.type)
        query = (
            select(term.label("term"), hits.label("hits"), last.label("last"))
            .where(searches.c.deployment_id.in_(deployments), *period.covers(searches.c.created_at))
            .group_by(term)
            .order_by(hits.desc(), term)
            .limit(limit)
            .offset(offset)
        )
        if found_nothing:
            query = query.where(searches.c.results == 0)
        with self._database.reading() as connection:
            return [Searched(row.term, row.hits, row.last) for row in connection.execute(query)]

    def total(self, deployments: Sequence[str], period: Period) -> int:
        """How many searches there were."""
        query = select(func.count()).where(
            searches.c.deployment_id.in_(deployments), *period.covers(searches.c.created_at)
        )
        with self._database.reading() as connection:
            return int(connection.execute(query).scalar_one())
