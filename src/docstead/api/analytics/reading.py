"""Parameters of analytics requests: project, period and feedback filter."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Query

from docstead.accounts.key_records import Caller
from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.analytics.feedback_entries import FeedbackOrigin, FeedbackQuery, FeedbackStatus
from docstead.analytics.period import ReportPeriod
from docstead.api.analytics.shapes import FeedbackSource
from docstead.api.authentication import Authentication
from docstead.base.errors import InvalidRequest, NotFound
from docstead.base.features import Features
from docstead.limits import policies
from docstead.limits.rate_limits import RateLimits

_FROM = "ISO 8601 date and time, or a date such as `2026-11-21`. UTC unless a time zone is given."
_ALL = ", ".join(FeedbackStatus)

_DATE_TIME = {"format": "date-time"}

DateFrom = Annotated[
    str | None, Query(alias="dateFrom", description=_FROM, json_schema_extra=_DATE_TIME)
]
DateTo = Annotated[
    str | None,
    Query(alias="dateTo", description=f"{_FROM} Exclusive.", json_schema_extra=_DATE_TIME),
]
_MOST_SKIPPED = 1_000_000_000  # also used by cursors of search reports
Offset = Annotated[int, Query(ge=0, le=_MOST_SKIPPED)]
Statuses = Annotated[str | None, Query(description=f"Comma-separated: {_ALL}. Default: all.")]


@dataclass(frozen=True, slots=True)
class AskedPeriod:
    """Deployments and period of a report."""

    deployments: tuple[str, ...]
    period: ReportPeriod


class ReportDependencies:
    """Factory of the routes' dependencies. Blocking."""

    def __init__(
        self,
        tenancy: Tenancy,
        limits: RateLimits,
        authentication: Authentication,
        features: Callable[[Deployment], Features],
    ) -> None:
        self._tenancy = tenancy
        self._limits = limits
        self._authentication = authentication
        self._features = features
        self.project = self._project(authentication)

    def reading(self, feature: str) -> Callable[..., AskedPeriod]:
        """Return a dependency for a feature's lists: project and period."""

        def reading(
            projectId: str,  # noqa: N803 - the wire's name
            caller: Annotated[Caller, Depends(self._authentication.admin)],
            date_from: DateFrom = None,
            date_to: DateTo = None,
        ) -> AskedPeriod:
            period = _period(date_from, date_to)
            return AskedPeriod(self._admit(caller, projectId, feature), period)

        return reading

    def _project(self, authentication: Authentication) -> Callable[..., AskedPeriod]:
        """Return a dependency for the project only."""

        def project(
            projectId: str,  # noqa: N803
            caller: Annotated[Caller, Depends(authentication.admin)],
        ) -> AskedPeriod:
            return AskedPeriod(self._admit(caller, projectId, "assistant"), ReportPeriod())

        return project

    def _admit(self, caller: Caller, project_id: str, feature: str) -> tuple[str, ...]:
        """Return the ids of the project's deployments that have the feature.

        Raises:
            NotFound: the project does not exist in the caller's organization.
            RateLimited: there were too many requests.
            Unavailable: the feature is disabled at each of its deployments.
        """
        owned = self._tenancy.projects(caller.organization_id)
        if all(project.id != project_id for project in owned):
            raise NotFound("there is no such project")
        found = self._tenancy.deployments_of_project(project_id)
        features = [self._features(each) for each in found]
        if features and not any(getattr(each, feature) for each in features):
            features[0].require(feature)
        self._limits.spend(policies.analytics(caller.organization_id))
        return tuple(each.id for each in found)


@dataclass(frozen=True, slots=True)
class FeedbackChoice:
    """Filter of feedback by source and status."""

    source: FeedbackSource | None
    statuses: frozenset[FeedbackStatus]

    def within(self, period: ReportPeriod) -> FeedbackQuery:
        """Return the query for this filter. There is no feedback on code blocks."""
        if self.source == "code_snippet":
            return FeedbackQuery(period, statuses=())
        origin = None if self.source is None else FeedbackOrigin(self.source)
        return FeedbackQuery(period, origin, self.statuses)


def chosen(source: FeedbackSource | None = None, status: Statuses = None) -> FeedbackChoice:
    """Parse the feedback filter of a request.

    Raises:
        InvalidRequest: a status is unknown.
    """
    named = [each.strip() for each in (status or ",".join(FeedbackStatus)).split(",")]
    unknown = next((each for each in named if each not in list(FeedbackStatus)), None)
    if unknown is not None:
        raise InvalidRequest(f"status: {unknown!r} is not one of {_ALL}")
    return FeedbackChoice(source, frozenset(map(FeedbackStatus, named)))


def _period(date_from: str | None, date_to: str | None) -> ReportPeriod:
    since, until = _moment("dateFrom", date_from), _moment("dateTo", date_to)
    if since is not None and until is not None and until < since:
        raise InvalidRequest("dateTo: must not be before dateFrom")
    return ReportPeriod(since, until)


def _moment(name: str, text: str | None) -> datetime | None:
    if text is None:
        return None
    # An unencoded plus sign arrives as a space.
    spelled = re.sub(r"(?<=[\d.]) (?=\d\d:?\d\d$)", "+", text.strip())
    try:
        parsed = datetime.fromisoformat(spelled)
        aware = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
        return aware.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidRequest(f"{name}: use ISO 8601, such as 2026-11-21") from error
