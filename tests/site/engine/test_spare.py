"""A worker that waits for the next edit."""

from __future__ import annotations

import os
import signal
import time

import pytest

from docstead.site.engine import Engine, SpareWorker


@pytest.fixture
def spare():
    made = SpareWorker()
    yield made
    made.close()


def test_an_engine_takes_the_one_that_is_ready(spare, make_repository):
    spare.prepare()
    spare.prepare()
    with Engine(2, waiting=spare) as engine:
        engine.prepare(1)
        assert spare.take() is None
        (page,) = engine.render(make_repository({"p": "Hello."}), ["p"])
        assert "Hello." in page.html


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
