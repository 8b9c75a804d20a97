"""A worker that waits for the next edit."""

from __future__ import annotations

import os
import signal
import time

import pytest

from docstead.publishing.builders.workers import Lender
from docstead.rendering import EngineLimits, StandbyWorker


@pytest.fixture
def standby():
    made = StandbyWorker()
    yield made
    made.close()


def test_a_builder_gets_the_one_that_is_ready(standby):
    standby.prepare()
    standby.prepare()
    lender = Lender(EngineLimits(), most=2, waiting=standby)
    os.close(lender.lend(warms_up=False)[1])
    (lent,) = lender.lent
    assert (lent.is_alive, standby.take()) == (True, None)
    lender.close(kindly=False)
    assert not lent.is_alive


def test_one_that_died_is_not_returned(standby):
    standby.prepare()
    worker = standby.take()
    assert worker is not None
    standby._worker = worker
    os.kill(worker.pid, signal.SIGKILL)
    deadline = time.monotonic() + 120
    while worker.is_alive and time.monotonic() < deadline:
        time.sleep(0.01)
    assert standby.take() is None


def test_it_does_not_wait_indefinitely():
    standby = StandbyWorker(kept_seconds=0.1)
    standby.prepare()
    deadline = time.monotonic() + 120
    while standby._worker is not None and time.monotonic() < deadline:
        time.sleep(0.02)
    assert standby.take() is None
