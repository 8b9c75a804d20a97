"""Models and budgets of deployments, as the settings say."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from docstead.accounts.tenancy import Deployment
from docstead.app.answering import AnswererChoice
from docstead.app.models import catalog_of
from docstead.assistant.answering import ModelAnswerer, QuoteAnswerer
from docstead.base.errors import InvalidRequest, ModelOutOfCredit, RateLimited
from docstead.limits.model_budgets import ModelBudgets
from docstead.models.chat import ModelUsage
from docstead.settings import ModelSettings, Settings
from manual_clock import ManualClock

LOCAL = ModelSettings(base_url="http://localhost:1/v1", model="tiny")


def deployment(domain: str = "docs") -> Deployment:
    moment = datetime(2026, 11, 21, tzinfo=UTC)
    return Deployment("dep_1", "prj_1", "org_1", domain, f"{domain}.example.com", None, moment)


def answerers(backend: Any, clock: ManualClock, **settings: Any) -> AnswererChoice:
    given = Settings(models={"local": LOCAL}, **settings)
    budgets = ModelBudgets(
        backend.database,
        clock,
        per_day=given.model_tokens_per_day or None,
        per_organization=given.model_tokens_per_organization or None,
    )
    return AnswererChoice(given, catalog_of(given), budgets, None)


def test_each_deployment_has_its_own_models(sqlite_backend: Any, clock: ManualClock) -> None:
    chosen = answerers(sqlite_backend, clock, deployment_models={"quotes": ()})
    assert isinstance(chosen.of(deployment()), ModelAnswerer)
    assert isinstance(chosen.of(deployment("quotes")), QuoteAnswerer)


@pytest.mark.parametrize(
    ("setting", "kind"),
    [("model_tokens_per_organization", RateLimited), ("model_tokens_per_day", ModelOutOfCredit)],
)
def test_a_spent_budget_is_an_error_where_the_settings_say_so(
    sqlite_backend: Any, clock: ManualClock, setting: str, kind: type[Exception]
) -> None:
    limits = {setting: 100}
    strict = answerers(sqlite_backend, clock, model_fallback="error", **limits).of(deployment())
    strict.admit()
    assert isinstance(strict, ModelAnswerer)
    strict._budget.record(ModelUsage(90, 10, model="local"))
    with pytest.raises(kind):
        strict.admit()
    lenient = answerers(sqlite_backend, clock, **limits).of(deployment())
    lenient.admit()  # it will quote


@pytest.mark.parametrize(
    "settings",
    [{"assistant_support": "nobody"}, {"deployment_support": {"docs": "javascript:x"}}],
)
def test_a_wrong_support_contact_is_reported_when_the_service_starts(
    sqlite_backend: Any, clock: ManualClock, settings: dict[str, Any]
) -> None:
    with pytest.raises(InvalidRequest, match="support"):
        answerers(sqlite_backend, clock, **settings)
