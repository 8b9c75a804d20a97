"""Anonymous page views and visitor counts.

A visitor is the IP address and user agent of a request, hashed with a salt that is generated daily
and deleted after the next day: stored data cannot be linked to a person, or between days. Views are
counted by the hour and written in batches; if the process dies, about a minute of them is lost.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, distinct, func, select
from sqlalchemy.dialects import postgresql, sqlite

from docstead.analytics.period import ReportPeriod
from docstead.analytics.readers import Reader
from docstead.base.clock import Clock
from docstead.base.errors import StoreUnavailable
from docstead.storage.database import Database
from docstead.storage.schema import deployments, page_visits, visit_salts

_MOST_WAITING = 20_000  # distinct buffered views, to bound memory
_LONGEST_PATH = 1_000
_LONGEST_PROGRAM = 500
_DIGITS = 24


class PageVisit(NamedTuple):
    """A visit of a page. `client_ip` and `program` are dropped when it is written."""

    deployment_id: str
    path: str
    reader: Reader
    client_ip: str
    program: str


@dataclass(frozen=True, slots=True)
class DayCounts:
    """Counts by people and by AI; `total` counts each visitor once."""

    human: int
    ai: int
    total: int


@dataclass(frozen=True, slots=True)
class PageCounted:
    path: str
    counted: DayCounts


class ViewRecords:
    """Records and counts views. All methods except `note` block: run them in a thread."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._insert = sqlite.insert if database.is_sqlite else postgresql.insert
        self._waiting: Counter[tuple[datetime, PageVisit]] = Counter()
        self._lock = Lock()

    def note(self, visit: PageVisit) -> None:
        """Buffer a view until `write`."""
        hour = self._clock.now().replace(minute=0, second=0, microsecond=0)
        bounded = visit._replace(
            path=visit.path[:_LONGEST_PATH], program=visit.program[:_LONGEST_PROGRAM]
        )
        with self._lock:
            if len(self._waiting) < _MOST_WAITING:
                self._waiting[hour, bounded] += 1

    def write(self) -> None:
        """Write the buffered views."""
        with self._lock:
            waiting, self._waiting = self._waiting, Counter()
        if not waiting:
            return
        try:
            self._write(waiting)
        except StoreUnavailable:
            with self._lock:
                self._waiting = waiting + self._waiting
            raise

    def _write(self, waiting: Mapping[tuple[datetime, PageVisit], int]) -> None:
        with self._database.transaction() as connection:
            salts = {
                day: self._salt(connection, day) for day in {_day(hour) for hour, _ in waiting}
            }
            rows: Counter[tuple[Any, ...]] = Counter()
            known = set(connection.execute(select(deployments.c.id)).scalars())
            for (hour, visit), views in waiting.items():
                if visit.deployment_id not in known:  # deleted since
                    continue
                visitor = _hashed(salts[_day(hour)], visit)
                rows[visit.deployment_id, hour, visit.path, visit.reader.value, visitor] += views
            # Writing rows in a fixed order prevents deadlocks between nodes.
            if rows:
                connection.execute(self._upsert(), [_row(key, rows[key]) for key in sorted(rows)])

    def views(self, deployments: Sequence[str], period: ReportPeriod) -> DayCounts:
        return self._total(deployments, period, _views())

    def visitors(self, deployments: Sequence[str], period: ReportPeriod) -> DayCounts:
        return self._total(deployments, period, _visitors())

    def most_viewed(
        self, deployments: Sequence[str], period: ReportPeriod, *, limit: int, offset: int = 0
    ) -> list[PageCounted]:
        return self._pages(deployments, period, _views(), limit, offset)

    def most_visited(
        self, deployments: Sequence[str], period: ReportPeriod, *, limit: int, offset: int = 0
    ) -> list[PageCounted]:
        return self._pages(deployments, period, _visitors(), limit, offset)

    def forget_salts(self) -> None:
        """Delete salts that are no longer needed."""
        yesterday = _day(self._clock.now() - timedelta(days=1))
        with self._database.transaction() as connection:
            connection.execute(delete(visit_salts).where(visit_salts.c.day < yesterday))

    def _total(
        self, deployments: Sequence[str], period: ReportPeriod, counts: _Counts
    ) -> DayCounts:
        self.write()
        query = select(*counts).where(*_of(deployments, period))
        with self._database.reading() as connection:
            return DayCounts(*(int(each or 0) for each in connection.execute(query).one()))

    def _pages(
        self,
        deployments: Sequence[str],
        period: ReportPeriod,
        counts: _Counts,
        limit: int,
        offset: int,
    ) -> list[PageCounted]:
        self.write()
        query = (
            select(page_visits.c.path, *counts)
            .where(*_of(deployments, period))
            .group_by(page_visits.c.path)
            .order_by(counts[-1].desc(), page_visits.c.path)
            .limit(limit)
            .offset(offset)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return [
            PageCounted(path, DayCounts(*(int(n or 0) for n in found))) for path, *found in rows
        ]

    def _salt(self, connection: Connection, day: str) -> bytes:
        """Return the day's salt, which is equal on all nodes."""
        new_salt = {"day": day, "salt": secrets.token_hex(16)}
        connection.execute(self._insert(visit_salts).values(new_salt).on_conflict_do_nothing())
        query = select(visit_salts.c.salt).where(visit_salts.c.day == day)
        return bytes.fromhex(connection.execute(query).scalar_one())

    def _upsert(self) -> Any:
        statement = self._insert(page_visits)
        return statement.on_conflict_do_update(
            index_elements=list(page_visits.primary_key),
            set_={"views": page_visits.c.views + statement.excluded.views},
        )


_Counts = tuple[ColumnElement[Any], ...]


def _views() -> _Counts:
    n = func.sum(page_visits.c.views)
    return n.filter(_by(Reader.HUMAN)), n.filter(_by(Reader.AI)), n


def _visitors() -> _Counts:
    n = func.count(distinct(page_visits.c.visitor))
    return n.filter(_by(Reader.HUMAN)), n.filter(_by(Reader.AI)), n


def _by(reader: Reader) -> ColumnElement[bool]:
    return page_visits.c.reader == reader.value


def _of(deployments: Sequence[str], period: ReportPeriod) -> list[ColumnElement[bool]]:
    return [page_visits.c.deployment_id.in_(deployments), *period.covers(page_visits.c.hour)]


def _day(moment: datetime) -> str:
    return moment.date().isoformat()


def _hashed(salt: bytes, visit: PageVisit) -> str:
    said = f"{visit.deployment_id}\0{visit.client_ip}\0{visit.program}"
    return hmac.new(salt, said.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:_DIGITS]


def _row(key: tuple[Any, ...], views: int) -> dict[str, Any]:
    names = ("deployment_id", "hour", "path", "reader", "visitor")
    return {**dict(zip(names, key, strict=True)), "views": views}
