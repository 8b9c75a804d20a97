from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from docstead.base.errors import InvalidRequest, RateLimited
from docstead.base.ids import new_id
from docstead.limits import policies
from docstead.limits.rate_limits import BucketCharge, RateLimits
from docstead.storage.schema import rate_limits
from manual_clock import ManualClock
from ready_processes import ReadyProcesses

SPENDER = Path(__file__).with_name("spender.py")


@pytest.fixture
def limits(backend, clock: ManualClock) -> RateLimits:
    return RateLimits(backend.database, clock)


def _charge(bucket: str = "b", limit: int = 3, window_seconds: int = 60) -> BucketCharge:
    return BucketCharge(bucket, limit, window_seconds, policy=f"policy-{bucket}")


def _counts(backend) -> dict[str, int]:
    with backend.database.reading() as connection:
        rows = connection.execute(select(rate_limits)).mappings()
        return {row["bucket"]: row["n"] for row in rows}


def _spent(limits: RateLimits, *charges: BucketCharge) -> bool:
    try:
        limits.spend(*charges)
    except RateLimited:
        return False
    return True


def test_a_bucket_holds_exactly_its_limit(limits: RateLimits, backend) -> None:
    assert [_spent(limits, _charge()) for _ in range(6)] == [True] * 3 + [False] * 3
    assert _counts(backend) == {"b": 3}


def test_a_limit_of_one_lets_one_through(limits: RateLimits) -> None:
    assert [_spent(limits, _charge(limit=1)) for _ in range(2)] == [True, False]


def test_buckets_are_counted_apart(limits: RateLimits) -> None:
    assert all(_spent(limits, _charge("a", limit=1), _charge("b", limit=1)) for _ in range(1))
    assert _spent(limits, _charge("c", limit=1))


@pytest.mark.parametrize(("window_seconds", "late_seconds"), [(60, 1), (3_600, 60), (86_400, 600)])
@given(gaps=st.lists(st.floats(0.01, 0.4), min_size=1, max_size=40))
@settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_window_has_more_uses_than_the_limit(
    sqlite_backend, window_seconds: int, late_seconds: int, gaps: list[float]
) -> None:
    clock = ManualClock(datetime(2026, 11, 21, 12, 0, 30, tzinfo=UTC))
    limits = RateLimits(sqlite_backend.database, clock)
    charge = _charge(new_id("b"), limit=3, window_seconds=window_seconds)
    spent: list[datetime] = []
    window, late = timedelta(seconds=window_seconds), timedelta(seconds=late_seconds)
    for gap in gaps:
        clock.move_to(clock.now() + window * gap)
        now = clock.now()
        if _spent(limits, charge):
            spent.append(now)
            assert sum(moment > now - window for moment in spent) <= 3
        else:
            assert sum(moment > now - window - late for moment in spent) >= 3


@pytest.mark.parametrize(
    ("seconds", "retry_after"), [(0, 61), (0.5, 61), (1, 61), (59, 61), (59.999, 61)]
)
def test_a_refusal_says_when_to_come_back(limits, clock, seconds, retry_after: int) -> None:
    clock.move_to(clock.now() + timedelta(seconds=seconds))
    limits.spend(_charge(limit=1))
    with pytest.raises(RateLimited) as refused:
        limits.spend(_charge(limit=1))
    assert refused.value.headers == {
        "Retry-After": str(retry_after),
        "RateLimit": f'"policy-b";r=0;t={retry_after}',
        "RateLimit-Policy": '"policy-b";q=1;w=60',
    }
    clock.move_to(clock.now() + timedelta(seconds=retry_after))
    limits.spend(_charge(limit=1))


@pytest.mark.parametrize("full", ["a", "b"])
def test_a_full_bucket_leaves_the_others_uncharged(limits, backend, full: str) -> None:
    charges = [_charge(bucket, limit=1 if bucket == full else 9) for bucket in ("a", "b")]
    limits.spend(*charges)
    for _ in range(3):
        with pytest.raises(RateLimited) as refused:
            limits.spend(*charges)
        assert refused.value.policy == f"policy-{full}"
    assert _counts(backend) == {"a": 1, "b": 1}


def test_of_several_full_buckets_the_longest_is_reported(limits: RateLimits) -> None:
    charges = _charge("a", limit=1), _charge("b", limit=1, window_seconds=86_400)
    limits.spend(*charges)
    with pytest.raises(RateLimited) as refused:
        limits.spend(*charges)
    assert (refused.value.policy, refused.value.retry_after_seconds) == ("policy-b", 87_000)


def test_repeated_requests_are_one_use_even_at_the_same_moment(limits, backend) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: limits.spend(_charge(), once="job-1"), range(16)))
    limits.spend(_charge(), once="job-2")
    assert _counts(backend) == {"b": 2, "once:job-1": 1, "once:job-2": 1}


def test_a_refused_first_use_is_not_remembered(limits, backend, clock: ManualClock) -> None:
    limits.spend(_charge(limit=1))
    for _ in range(2):
        with pytest.raises(RateLimited):
            limits.spend(_charge(limit=1), once="job-1")
    assert _counts(backend) == {"b": 1}
    clock.move_to(clock.now() + timedelta(minutes=2))
    limits.spend(_charge(limit=1), once="job-1")


def test_the_count_is_exact_among_threads(limits: RateLimits, backend) -> None:
    charges = _charge("z", limit=100), _charge("a", limit=1_000)

    def spend(number: int) -> bool:
        return _spent(limits, *(charges if number % 2 else charges[::-1]))

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(spend, range(400))) == 100
    assert _counts(backend) == {"z": 100, "a": 100}


def test_the_count_is_exact_among_processes(backend, ready: ReadyProcesses) -> None:
    processes = [ready.start([SPENDER, backend.database_url, "60"]) for _ in range(4)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    assert sum(int(process.communicate(timeout=120)[0]) for process in processes) == 100
    assert _counts(backend) == {"organization": 100, "address": 100}


def test_counts_outlive_the_process(backend, clock: ManualClock) -> None:
    RateLimits(backend.database, clock).spend(_charge(limit=1))
    assert not _spent(RateLimits(backend.database, clock), _charge(limit=1))


def test_old_windows_are_forgotten(limits: RateLimits, backend, clock: ManualClock) -> None:
    limits.spend(_charge("old"))
    clock.move_to(clock.now() + timedelta(hours=23))
    limits.spend(_charge("recent"))
    assert set(_counts(backend)) == {"old", "recent"}
    clock.move_to(clock.now() + timedelta(hours=2))
    limits.spend(_charge("new"))
    assert set(_counts(backend)) == {"recent", "new"}


def test_old_windows_are_looked_for_once_an_hour(limits, clock, monkeypatch) -> None:
    purges: list[object] = []
    monkeypatch.setattr(limits, "purge", lambda: purges.append(clock.now()))
    begin = clock.now()
    for minutes in (0, 1, 59, 61, 62):
        clock.move_to(begin + timedelta(minutes=minutes))
        limits.spend(_charge())
    assert len(purges) == 2


def test_a_day_long_window_is_not_forgotten_within_the_day(limits, backend, clock) -> None:
    midnight = clock.now().replace(hour=0)
    clock.move_to(midnight)
    limits.spend(_charge(limit=1, window_seconds=86_400))
    clock.move_to(midnight + timedelta(hours=23, minutes=59, seconds=59))
    limits.purge()
    assert not _spent(limits, _charge(limit=1, window_seconds=86_400))
    clock.move_to(midnight + timedelta(days=1, minutes=10))
    limits.purge()
    assert _counts(backend) == {}
    assert _spent(limits, _charge(limit=1, window_seconds=86_400))


def test_the_shortest_wait_is_a_second(limits: RateLimits, clock: ManualClock) -> None:
    limits.spend(_charge(limit=1, window_seconds=1))
    clock.move_to(clock.now() + timedelta(seconds=1.5))
    with pytest.raises(RateLimited) as refused:
        limits.spend(_charge(limit=1, window_seconds=1))
    assert refused.value.retry_after_seconds == 1


def test_all_uses_above_a_lowered_limit_must_have_expired(backend, clock: ManualClock) -> None:
    limits = RateLimits(backend.database, clock)
    for _ in range(3):
        limits.spend(_charge())
        clock.move_to(clock.now() + timedelta(seconds=10))
    lowered = RateLimits(backend.database, clock, {"policy-b": 1})
    with pytest.raises(RateLimited) as refused:
        lowered.spend(_charge())
    assert refused.value.retry_after_seconds == 51


@pytest.mark.parametrize(
    ("window_seconds", "part_seconds"), [(1, 1), (60, 1), (3_600, 60), (86_400, 600)]
)
def test_parts_of_windows(window_seconds: int, part_seconds: int) -> None:
    assert _charge(window_seconds=window_seconds).part_seconds == part_seconds


def test_a_setting_replaces_a_limit(backend, clock: ManualClock) -> None:
    limits = RateLimits(backend.database, clock, policies.checked({"search": 1}))
    assert [_spent(limits, policies.search("o")) for _ in range(2)] == [True, False]
    with pytest.raises(RateLimited, match="At most 1 request in "):
        limits.spend(policies.search("o"))
    assert _spent(limits, policies.page_content("o"))


def test_a_setting_names_limits_that_there_are() -> None:
    with pytest.raises(InvalidRequest, match=r"no limit 'serach', only: .*search"):
        policies.checked({"serach": 1})


@pytest.mark.parametrize(("limit", "window_seconds"), [(0, 60), (1, 0), (1, 86_401)])
def test_limits_make_sense(limit: int, window_seconds: int) -> None:
    with pytest.raises(ValueError, match="not a rate limit"):
        _charge(limit=limit, window_seconds=window_seconds)


@pytest.mark.parametrize(
    ("charge", "limit", "window_seconds"),
    [
        (policies.assistant_message("o", "192.0.2.1", "v1")[0], 10_000, 3_600),
        (policies.assistant_message("o", "192.0.2.1", "v1")[1], 10_000, 86_400),
        (policies.search("o"), 10_000, 3_600),
        (policies.page_content("o"), 10_000, 3_600),
        (policies.agent_job("p"), 100, 3_600),
        (policies.agent_message("p"), 100, 3_600),
        (policies.export_start("o"), 10, 3_600),
        (policies.export_status("o"), 120, 60),
        (policies.export_bundle("o"), 30, 3_600),
        (policies.project_update("o"), 10, 10),
    ],
)
def test_the_limits_are_those_of_the_interface(charge, limit: int, window_seconds: int) -> None:
    assert (charge.limit, charge.window_seconds) == (limit, window_seconds)
    assert charge.bucket.endswith((":o", ":p", ":192.0.2.1"))
