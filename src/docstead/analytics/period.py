"""Report periods, and cursors of lists in reverse chronological order."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, or_

from docstead.base.errors import InvalidRequest

_FORM = "cursor: must be the nextCursor of the previous page"


@dataclass(frozen=True, slots=True)
class ReportPeriod:
    """From `since`, inclusive, to `until`, exclusive; None is unbounded."""

    since: datetime | None = None
    until: datetime | None = None

    def covers(self, moment: ColumnElement[Any]) -> list[ColumnElement[bool]]:
        """Return the conditions for a time column."""
        from_on = [] if self.since is None else [moment >= self.since]
        before = [] if self.until is None else [moment < self.until]
        return from_on + before


@dataclass(frozen=True, slots=True)
class Cursor:
    """Time and id of the last row of a page."""

    moment: datetime
    id: str

    def __str__(self) -> str:
        microseconds = (self.moment - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1)
        return f"{microseconds:x}-{self.id}"

    @classmethod
    def parse(cls, text: str) -> Cursor:
        """Parse a cursor.

        Raises:
            InvalidRequest: it is invalid.
        """
        moment, dash, row_id = text.partition("-")
        try:
            since_epoch = timedelta(microseconds=int(moment, 16))
            parsed = datetime.fromtimestamp(0, UTC) + since_epoch
        except (ValueError, OverflowError) as error:
            raise InvalidRequest(_FORM) from error
        if not dash or not row_id.isprintable():
            raise InvalidRequest(_FORM)
        return cls(parsed, row_id)

    def precedes(
        self, moment: ColumnElement[Any], row_id: ColumnElement[Any]
    ) -> ColumnElement[bool]:
        """Return the condition for the following rows."""
        return or_(moment < self.moment, and_(moment == self.moment, row_id < self.id))
