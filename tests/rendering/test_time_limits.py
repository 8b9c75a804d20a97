"""Both time limits of page code: processor time, and time by the clock on a busy machine."""

from __future__ import annotations

import asyncio
import re
import time
from itertools import count

import pytest

from docstead.rendering import isolate

SECONDS = 0.05


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (SECONDS, "it took more than 0.05 seconds of processor time"),
        (0.0, "it did not end within 0.3 seconds, in which it got 0.0 seconds of processor time"),
    ],
)
def test_the_limit_that_ended_a_page_is_named(
    monkeypatch: pytest.MonkeyPatch, step: float, reason: str
) -> None:
    used = count(step=step)
    monkeypatch.setattr(time, "process_time", lambda: next(used))
    with pytest.raises(TimeoutError, match=re.escape(reason)):
        asyncio.run(isolate._within(SECONDS, asyncio.Event().wait, ()))
