import re
from datetime import UTC, datetime, timedelta, timezone

from docstead.base.clock import SystemClock, rfc3339
from docstead.base.ids import new_id, new_ulid
from manual_clock import ManualClock


def test_an_id_has_its_prefix_and_sixteen_hexadecimal_characters() -> None:
    assert re.fullmatch(r"se_[0-9a-f]{16}", new_id("se"))
    assert new_id("se") != new_id("se")


def test_a_ulid_sorts_by_time_and_does_not_repeat() -> None:
    ulids = [new_ulid() for _ in range(50)]
    assert len(set(ulids)) == 50
    assert all(re.fullmatch(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", ulid) for ulid in ulids)
    assert [ulid[:10] for ulid in ulids] == sorted(ulid[:10] for ulid in ulids)


def test_timestamps_are_utc_with_a_z() -> None:
    moment = datetime(2026, 11, 21, 12, 0, tzinfo=timezone(timedelta(hours=2)))
    assert rfc3339(moment) == "2026-11-21T10:00:00.000Z"


def test_clocks() -> None:
    assert SystemClock().now().tzinfo is UTC
    clock = ManualClock(datetime(2026, 1, 1, tzinfo=UTC))
    clock.move_to(datetime(2026, 1, 2, tzinfo=UTC))
    assert clock.now().day == 2
