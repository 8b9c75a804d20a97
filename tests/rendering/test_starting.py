"""Workers that cannot start, that died while they waited, or that wait for a processor."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from importlib.metadata import version

import pytest

from docstead.rendering import EngineFailed, EngineLimits, RenderingEngine
from docstead.rendering.host import site_source
from docstead.rendering.isolate import TESTED_VERSION
from docstead.rendering.languages import PageLanguages
from docstead.rendering.process import Worker, WorkerLost
from docstead.rendering.protocol import PageSource

PAGE = PageSource("page", "page.mdx", "Text.", 1, None)
OLD_ENGINE = """
globalThis.docstead = {
  describe() {}, render() { return true }, harden() {},
  results() { return '[{"html": "", "problems": []}]' },
}
"""
OTHER_ENGINE = "globalThis.somethingElse = {}"
WORKER = """
import sys
from docstead.rendering import isolate, worker
isolate.built_asset = {"satteri.wasm": b"", "engine.js": sys.argv[1].encode()}.__getitem__
worker.main(int(sys.argv[2]), worker.SandboxMode.OFF, warms_up=bool(sys.argv[3]))
"""


def started(engine: str, *, warms_up: bool) -> Worker:
    """A worker with another engine than the one that is built."""
    limits = EngineLimits()
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-c", WORKER, engine, str(theirs.fileno()), "1" if warms_up else ""],
            pass_fds=[theirs.fileno()],
            stderr=subprocess.DEVNULL,
        )
    return Worker.connected(limits, ours, process)


@pytest.fixture
def site(make_repository):
    repository = make_repository({"page": "Text."})
    return site_source(repository, PageLanguages(repository.site), EngineLimits())


@pytest.mark.parametrize("engine", [OLD_ENGINE, OTHER_ENGINE])
def test_an_engine_of_another_version_says_how_to_build_it(engine, site):
    with pytest.raises(EngineFailed, match=r"does not fit .* build it with `make engine`"):
        started(engine, warms_up=True).begin(site)


def test_pages_of_an_old_engine_are_not_said_to_take_too_much_memory(site):
    worker = started(OLD_ENGINE, warms_up=False)
    try:
        worker.begin(site)
        with pytest.raises(WorkerLost, match="build it with `make engine`"):
            worker.render([PAGE])
    finally:
        worker.kill()


def test_workers_that_died_while_they_waited_are_replaced(make_repository):
    with RenderingEngine(1) as engine:
        engine.prepare()
        (waiting,) = engine._standby
        os.kill(waiting.pid, signal.SIGKILL)
        (page,) = engine.render(make_repository({"page": "Text."}), ["page"])
    assert not page.failed


def test_waiting_for_a_processor_does_not_count(make_repository):
    """Stop the worker for longer than its page may take, as on a busy machine."""
    numbers = "Array.from({ length: 800_000 }, (_, n) => String((n * 7919) % 799_999))"
    work = f"export const X = () => {numbers}.sort().length\n\n<X />"  # about half a second
    with RenderingEngine(1, EngineLimits(page_seconds=2.0)) as engine:
        engine.prepare()
        (worker,) = engine._standby
        stopping = threading.Timer(0.2, _pause, (worker.pid, 2.5))
        begin = worker.begin

        def begun(site):
            begin(site)
            stopping.start()

        worker.begin = begun  # type: ignore[method-assign]
        (page,) = engine.render(make_repository({"page": work}), ["page"])
    stopping.join()
    assert page.diagnostics == ()
    assert "800000" in page.html


def _pause(pid: int, seconds: float) -> None:
    os.kill(pid, signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(pid, signal.SIGCONT)


def test_library_has_the_version_whose_private_api_is_used() -> None:
    """Before raising the version, look where `MiniRacer` keeps its context and its event loop."""
    assert version("mini-racer") == TESTED_VERSION
