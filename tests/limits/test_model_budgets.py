from __future__ import annotations

from datetime import timedelta

import pytest

from docstead.base.errors import ModelOutOfCredit, RateLimited
from docstead.limits.model_budgets import DailyUsage, ModelBudgets
from docstead.models.chat import ModelUsage
from manual_clock import ManualClock


@pytest.fixture
def budgets(backend: object, clock: ManualClock) -> ModelBudgets:
    database = backend.database  # type: ignore[attr-defined]
    return ModelBudgets(database, clock, per_day=1000, per_organization=600)


def pay(budgets: ModelBudgets, organization: str, tokens: int, purpose: str = "assistant") -> None:
    budgets.record(organization, purpose, ModelUsage(tokens - 100, 100, 7, "fast"))


def test_an_organization_that_has_spent_its_tokens_waits_for_the_next_day(
    budgets: ModelBudgets, clock: ManualClock
) -> None:
    pay(budgets, "org_a", 200)
    pay(budgets, "org_a", 299)
    budgets.admit("org_a")
    pay(budgets, "org_a", 101)
    with pytest.raises(RateLimited) as refusal:
        budgets.admit("org_a")
    assert refusal.value.retry_after_seconds == 12 * 3600
    assert refusal.value.headers["RateLimit-Policy"] == '"model-tokens";q=600;w=86400'
    budgets.admit("org_b")
    clock.move_to(clock.now() + timedelta(hours=12))
    budgets.admit("org_a")


def test_the_service_has_a_budget_of_its_own(budgets: ModelBudgets) -> None:
    pay(budgets, "org_a", 500)
    pay(budgets, "org_b", 500)
    with pytest.raises(ModelOutOfCredit) as refusal:
        budgets.admit("org_c")
    assert refusal.value.status == 503
    assert "1000 tokens" in refusal.value.detail


def test_without_budgets_everything_is_admitted_and_counted(
    backend: object, clock: ManualClock
) -> None:
    budgets = ModelBudgets(backend.database, clock)  # type: ignore[attr-defined]
    pay(budgets, "org_a", 10**10)
    budgets.admit("org_a")
    assert budgets.tokens_today("org_a") == 10**10
    assert budgets.tokens_today("org_b") == 0


def test_spending_is_listed_by_day_model_and_purpose(
    budgets: ModelBudgets, clock: ManualClock
) -> None:
    pay(budgets, "org_a", 200)
    pay(budgets, "org_a", 300)
    pay(budgets, "org_a", 150, "agent")
    clock.move_to(clock.now() + timedelta(days=1))
    pay(budgets, "org_a", 101)
    pay(budgets, "org_b", 101)
    assert budgets.spent("org_a") == (
        DailyUsage("2026-11-22", "fast", "assistant", 1, 1, 100, 7),
        DailyUsage("2026-11-21", "fast", "agent", 1, 50, 100, 7),
        DailyUsage("2026-11-21", "fast", "assistant", 2, 300, 200, 14),
    )
    assert len(budgets.spent("org_a", days=1)) == 1
    clock.move_to(clock.now() + timedelta(days=28))
    assert len(budgets.spent("org_a")) == 3
    clock.move_to(clock.now() + timedelta(days=1))
    assert len(budgets.spent("org_a")) == 1
