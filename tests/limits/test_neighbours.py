"""Isolation of one organization's usage from the counts of others."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import select

from docstead.limits.idempotency import IdempotencyKeys, IdempotentRequest
from docstead.limits.model_budgets import ModelBudgets
from docstead.limits.rate_limits import BucketCharge, RateLimits
from docstead.models.chat import ModelUsage
from docstead.storage.schema import idempotency_keys, rate_limits
from manual_clock import ManualClock
from neighbours import neighbours


def test_one_bucket_is_charged(sqlite_backend, clock: ManualClock) -> None:
    limits = RateLimits(sqlite_backend.database, clock)
    charge = BucketCharge("assistant:org_1", 10, 3600, "assistant")
    limits.spend(charge)
    with neighbours(sqlite_backend.database, [rate_limits]):
        limits.spend(charge)


def test_windows_that_are_not_over_are_kept(sqlite_backend, clock: ManualClock) -> None:
    limits = RateLimits(sqlite_backend.database, clock)
    limits.spend(BucketCharge("old", 10, 3600, "assistant"))
    clock.move_to(clock.now() + timedelta(days=1, hours=1))
    limits.spend(BucketCharge("new", 10, 3600, "assistant"))
    limits.purge()
    with sqlite_backend.database.reading() as connection:
        assert list(connection.scalars(select(rate_limits.c.bucket))) == ["new"]


def test_one_key_is_claimed(sqlite_backend, clock: ManualClock) -> None:
    keys = IdempotencyKeys(sqlite_backend.database, clock)
    assert keys.claim(IdempotentRequest("org_1", "key", "f"), "se_1") == "se_1"
    assert keys.claim(IdempotentRequest("org_1", "another", "f"), "se_2") == "se_2"
    assert keys.claim(IdempotentRequest("org_2", "key", "f"), "se_3") == "se_3"
    with neighbours(sqlite_backend.database, [idempotency_keys]):
        assert keys.claim(IdempotentRequest("org_2", "key", "f"), "se_4") == "se_3"
        assert keys.claim(IdempotentRequest("org_1", "another", "f"), "se_4") == "se_2"
        assert keys.claim(IdempotentRequest("org_1", "key", "f"), "se_4") == "se_1"


def test_one_organization_spends(sqlite_backend, clock: ManualClock) -> None:
    budgets = ModelBudgets(sqlite_backend.database, clock)
    spent = ModelUsage(50, 50, model="fast")
    budgets.record("org_1", "assistant", spent)
    with neighbours(sqlite_backend.database):
        budgets.record("org_1", "assistant", spent)
    assert budgets.tokens_today("org_1") == 200
    assert [each.calls for each in budgets.spent("org_1")] == [2]
