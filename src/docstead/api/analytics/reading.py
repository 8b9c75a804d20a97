"""What a request for analytics asks for: whose, from when to when, and which page of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Query

from docstead.accounts.key_records import Caller
from docstead.accounts.tenancy import Tenancy
from docstead.assistant.insights.period import Period
from docstead.base.errors import InvalidRequest, NotFound
from docstead.limits import policies
from docstead.limits.rate_limits import RateLimits

_STATUSES = ("pending", "in_progress", "resolved", "dismissed")
_FROM = "ISO 8601 moment, or a day as `2026-11-21`; without a zone it is UTC."

DateFrom = Annotated[str | None, Query(alias="dateFrom", description=_FROM)]
DateTo = Annotated[str | None, Query(alias="dateTo", description=f"{_FROM} Exclusive.")]
Status = Annotated[
    str | None, Query(description=f"Comma-separated: {', '.join(_STATUSES)}. Default: all.")
]


@dataclass(frozen=True, slots=True)
class Admitted:
    """The deployments that a caller reads about."""

    deployments: tuple[str, ...]


class Admissions:
    """Lets requests in. Blocking: run it in a thread."""

    def __init__(self, tenancy: Tenancy, limits: RateLimits) -> None:
        self._tenancy = tenancy
        self._limits = limits

    def admit(self, caller: Caller, project_id: str) -> Admitted:
        """The deployments of this project; another organization's does not exist.

        Raises:
            NotFound: there is no such project. RateLimited: too many requests.
        """
        self._limits.spend(policies.analytics(caller.organization_id))
        owned = self._tenancy.projects(caller.organization_id)
        if all(project.id != project_id for project in owned):
            raise NotFound("there is no such project")
        found = self._tenancy.deployments_of_project(project_id)
        return Admitted(tuple(each.id for each in found))


def period_of(date_from: str | None, date_to: str | None) -> Period:
    """The time between two parameters.

    Raises:
        InvalidRequest: one of them is no moment, or they are in the wrong order.
    """
    since, until = _moment("dateFrom", date_from), _moment("dateTo", date_to)
    if since is not None and until is not None and until < since:
        raise InvalidRequest("dateTo: it is before dateFrom")
    return Period(since, until)


def statuses_of(text: str | None) -> frozenset[str]:
    """The statuses in a comma-separated list; all of them where there is none.

    Raises:
        InvalidRequest: one of them is unknown.
    """
    named = [each.strip() for each in (text or ",".join(_STATUSES)).split(",")]
    unknown = next((each for each in named if each not in _STATUSES), None)
    if unknown is not None:
        raise InvalidRequest(f"status: {unknown!r} is none of {', '.join(_STATUSES)}")
    return frozenset(named)


def _moment(name: str, text: str | None) -> datetime | None:
    if text is None:
        return None
    # A plus sign that was not encoded arrives as a space.
    spelled = re.sub(r"(?<=[\d.]) (?=\d\d:?\d\d$)", "+", text.strip())
    try:
        parsed = datetime.fromisoformat(spelled)
        aware = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
        return aware.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidRequest(f"{name}: use ISO 8601, such as 2026-11-21") from error
