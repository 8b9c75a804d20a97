"""Filters of the conversation list, as URL parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time, timedelta
from urllib.parse import urlencode

from docstead.analytics.conversations import AnswerState, ExchangeQuery
from docstead.analytics.period import ReportPeriod
from docstead.base.errors import InvalidRequest
from docstead.base.texts import clean

GRADES = {"": "Any", "up": "Helpful", "down": "Not helpful", "none": "None"}
STATES = {
    "": "Any",
    AnswerState.ANSWERED: "Answered",
    AnswerState.CLOSEST: "Closest sections",
    AnswerState.NOTHING: "Nothing found",
    AnswerState.UNANSWERED: "Unanswered",
}
_MOST_CHARACTERS = 200
_HELPFUL = {"up": True, "down": False}
# Parameters with a name that differs from the field's.
_NAMES = {"since": "from", "until": "to", "state": "show"}


@dataclass(frozen=True, slots=True)
class ConversationFilters:
    """Filter values as entered; "" means no filter."""

    q: str = ""
    since: str = ""
    until: str = ""
    reader: str = ""
    grade: str = ""
    state: str = ""

    @classmethod
    def of(cls, parameters: Mapping[str, str]) -> ConversationFilters:
        """Parse filters from URL parameters, dropping values that the form does not offer."""

        def given(name: str) -> str:
            return clean(parameters.get(name, ""))[:_MOST_CHARACTERS].strip()

        return cls(
            given("q"),
            given("from"),
            given("to"),
            given("reader"),
            given("grade") if given("grade") in GRADES else "",
            given("show") if given("show") in STATES else "",
        )

    @property
    def are_set(self) -> bool:
        return self != ConversationFilters()

    def query(self) -> ExchangeQuery:
        """Return the filters as a database query.

        Raises:
            InvalidRequest: a date is malformed.
        """
        return ExchangeQuery(
            period=ReportPeriod(_start("from", self.since), _start("to", self.until, days=1)),
            words=self.q,
            fp=self.reader,
            helpful=_HELPFUL.get(self.grade),
            has_feedback=False if self.grade == "none" else None,
            state=AnswerState(self.state) if self.state else None,
        )

    def parameters(self, after: str = "") -> str:
        """Return a query string that starts with "?", or "" without filters."""
        values = {_NAMES.get(name, name): value for name, value in asdict(self).items() if value}
        values = {"after": after, **values} if after else values
        return f"?{urlencode(values)}" if values else ""


def _start(name: str, text: str, *, days: int = 0) -> datetime | None:
    """Return the start of a day in UTC, `days` later, or None for ""."""
    if not text:
        return None
    try:
        return datetime.combine(date.fromisoformat(text) + timedelta(days), time(), UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidRequest(f"{name}: must be a date such as 2026-01-31") from error
