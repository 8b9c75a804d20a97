"""Daily token budgets of chat models, for the service and per organization.

Days are in UTC. Usage is counted after each call, as reported or estimated, so a call that
starts within the budget may exceed it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any, Protocol

from sqlalchemy import func, select
from sqlalchemy.dialects import postgresql, sqlite

from docstead.base.clock import Clock
from docstead.base.errors import ModelOutOfCredit, RateLimited
from docstead.base.units import DAY_SECONDS
from docstead.storage.database import Database
from docstead.storage.schema import model_usage

_COUNTS = ("calls", "input_tokens", "output_tokens", "cached_tokens")


class PaidUsage(Protocol):
    """Tokens of a call, and the configured name of the model."""

    @property
    def input_tokens(self) -> int: ...
    @property
    def output_tokens(self) -> int: ...
    @property
    def cached_tokens(self) -> int: ...
    @property
    def model(self) -> str: ...


@dataclass(frozen=True, slots=True)
class DailyUsage:
    """Usage of one model on one day for one purpose. Input includes cached tokens."""

    day: str  # 2026-11-21
    model: str
    purpose: str  # assistant or agent
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int


class ModelBudgets:
    """Counts tokens against budgets; None means no limit."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        per_day: int | None = None,
        per_organization: int | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._per_day = per_day
        self._per_organization = per_organization
        self._insert: Callable[..., Any] = (
            sqlite.insert if database.is_sqlite else postgresql.insert
        )

    def admit(self, organization_id: str) -> None:
        """Check the budgets before a call.

        Raises:
            RateLimited: the organization has used its tokens of today.
            ModelOutOfCredit: the service has used its tokens of today.
        """
        own, total = self._per_organization, self._per_day
        if own is not None and self.tokens_today(organization_id) >= own:
            raise self._refusal(own)
        if total is not None and self.tokens_today() >= total:
            raise ModelOutOfCredit(
                "The assistant's budget of today is used up.",
                detail=f"{total} tokens per day are spent; the next day begins in "
                f"{self._left_seconds()} seconds",
            )

    def record(self, organization_id: str, purpose: str, usage: PaidUsage) -> None:
        """Record the usage of a call."""
        tokens = (usage.input_tokens, usage.output_tokens, usage.cached_tokens)
        counts = dict(zip(_COUNTS, (1, *tokens), strict=True))
        key = {
            "day": self._today(),
            "organization_id": organization_id,
            "model": usage.model,
            "purpose": purpose,
        }
        statement = self._insert(model_usage).values(**key, **counts)
        statement = statement.on_conflict_do_update(
            index_elements=list(key),
            set_={name: model_usage.c[name] + value for name, value in counts.items()},
        )
        with self._database.transaction() as connection:
            connection.execute(statement)

    def tokens_today(self, organization_id: str | None = None) -> int:
        """Return today's input and output tokens of one organization, or of all."""
        columns = model_usage.c
        total = func.coalesce(func.sum(columns.input_tokens + columns.output_tokens), 0)
        query = select(total).where(columns.day == self._today())
        if organization_id is not None:
            query = query.where(columns.organization_id == organization_id)
        with self._database.reading() as connection:
            return int(connection.execute(query).scalar_one())

    def spent(self, organization_id: str, days: int = 30) -> tuple[DailyUsage, ...]:
        """Return the usage of an organization in recent days, newest first."""
        columns = model_usage.c
        since = (self._clock.now().astimezone(UTC) - timedelta(days=days - 1)).date().isoformat()
        query = (
            select(columns.day, columns.model, columns.purpose, *(columns[n] for n in _COUNTS))
            .where(columns.organization_id == organization_id, columns.day >= since)
            .order_by(columns.day.desc(), columns.model, columns.purpose)
        )
        with self._database.reading() as connection:
            return tuple(DailyUsage(*row) for row in connection.execute(query))

    def _refusal(self, limit: int) -> RateLimited:
        return RateLimited(
            f"this organization has used its {limit} tokens of today",
            retry_after_seconds=self._left_seconds(),
            limit=limit,
            window_seconds=DAY_SECONDS,
            policy="model-tokens",
        )

    def _today(self) -> str:
        return self._clock.now().astimezone(UTC).date().isoformat()

    def _left_seconds(self) -> int:
        now = self._clock.now().astimezone(UTC)
        tomorrow = datetime.combine(now.date() + timedelta(days=1), datetime.min.time(), UTC)
        return max(1, ceil((tomorrow - now).total_seconds()))
