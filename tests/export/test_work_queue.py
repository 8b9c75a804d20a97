"""Numbers that several processes take."""

from __future__ import annotations

from contextlib import closing

import pytest

from docstead.export.work_queue import WorkQueue, taken


@pytest.mark.parametrize("count", [0, 1, 16, 17, 300, 40_000])
def test_every_number_is_taken_once_in_order(count: int) -> None:
    with closing(WorkQueue()) as work_queue:
        work_queue.fill(count)
        assert list(taken(work_queue.queue, count)) == list(range(count))
        assert list(taken(work_queue.queue, count)) == []


def test_two_share_all_of_them() -> None:
    with closing(WorkQueue()) as work_queue:
        work_queue.fill(1000)
        first, second = taken(work_queue.queue, 1000), taken(work_queue.queue, 1000)
        found = [next(first), next(second), *first, *second]
    assert found[:2] == [0, 16]
    assert sorted(found) == list(range(1000))
