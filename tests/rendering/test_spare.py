"""A worker that waits for the next edit."""

from __future__ import annotations

import os
import signal
import time

import pytest

from docstead.publishing.builders.workers import Lender
from docstead.rendering import EngineLimits, SpareWorker


@pytest.fixture
def spare():
    made = SpareWorker()
    yield made
    made.close()


def test_a_builder_gets_the_one_that_is_ready(spare):
    spare.prepare()
    spare.prepare()
    lender = Lender(EngineLimits(), most=2, waiting=spare)
    os.close(lender.lend(rehearses=False)[1])
    (lent,) = lender.lent
    assert (lent.is_alive, spare.take()) == (True, None)
    lender.close(kindly=False)
    assert not lent.is_alive


def test_one_that_died_is_not_handed_out(spare):
    spare.prepare()
    worker = spare.take()
    assert worker is not None
    spare._worker = worker
    os.kill(worker.pid, signal.SIGKILL)
    deadline = time.monotonic() + 120
    while worker.is_alive and time.monotonic() < deadline:
        time.sleep(0.01)
    assert spare.take() is None


def test_it_does_not_wait_for_ever():
    spare = SpareWorker(kept_seconds=0.1)
    spare.prepare()
    deadline = time.monotonic() + 120
    while spare._worker is not None and time.monotonic() < deadline:
        time.sleep(0.02)
    assert spare.take() is None
