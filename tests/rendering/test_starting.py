"""Workers that cannot start, that died while they waited, or that wait for a processor."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import IO

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
REPORTED_WARM_UP = """
import sys
from docstead.rendering import worker
worker.warm_up = lambda _: print("warms up", flush=True)
worker.main(int(sys.argv[1]), worker.SandboxMode.OFF, warms_up=True)
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
def reporting() -> Iterator[tuple[Worker, IO[bytes]]]:
    """A worker, and its output, to which it prints a line when it warms up."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-c", REPORTED_WARM_UP, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdout=subprocess.PIPE,
        )
    assert process.stdout is not None
    worker = Worker.connected(EngineLimits(), ours, process)
    yield worker, process.stdout
    worker.kill()
    process.stdout.close()


@pytest.fixture
def site(make_repository):
    repository = make_repository({"page": "Text."})
    return site_source(repository, PageLanguages(repository.site), EngineLimits())


@pytest.mark.parametrize("engine", [OLD_ENGINE, OTHER_ENGINE])
def test_an_engine_of_another_version_says_how_to_build_it(engine, site):
    with pytest.raises(EngineFailed, match=r"does not fit .* build it with `make engine`"):
        started(engine, warms_up=True).begin(site)


def test_a_worker_that_waits_warms_up(reporting, site):
    worker, output = reporting
    assert output.readline() == b"warms up\n"
    worker.begin(site)
    assert not worker.render([PAGE])[0].failed


def test_a_worker_with_a_site_renders_its_pages_at_once(reporting, site):
    worker, output = reporting
    worker.begin(site)
    assert not worker.render([PAGE])[0].failed
    worker.kill()
    assert output.read() == b""


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
    limits = EngineLimits()
    pause = limits.page_seconds + 0.5
    noticed = f"(now = Date.now()) - last < {pause * 500}"  # it was stopped for half of it
    wait = f"let now, last = Date.now(); while ({noticed}) last = now; return 'went on'"
    page = f"export const X = () => {{ {wait} }}\n\n<X />"
    with RenderingEngine(1, limits) as engine:
        engine.prepare()
        (worker,) = engine._standby
        begin = worker.begin

        def begun(site):
            begin(site)
            pausing.start()

        worker.begin = begun  # type: ignore[method-assign]
        ended = threading.Event()
        pausing = threading.Thread(target=_pause, args=(worker.pid, pause, ended))
        try:
            (rendered,) = engine.render(make_repository({"page": page}), ["page"])
        finally:
            ended.set()
            pausing.join()
    assert rendered.diagnostics == ()
    assert "went on" in rendered.html


def _pause(pid: int, seconds: float, ended: threading.Event) -> None:
    """Stop a process each time it has worked, since the first may come before its page."""
    before = _processor_ticks(pid)
    while not ended.wait(0.01):
        if _processor_ticks(pid) >= before + 20:
            os.kill(pid, signal.SIGSTOP)
            time.sleep(seconds)
            os.kill(pid, signal.SIGCONT)
            before = _processor_ticks(pid)


def _processor_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def test_library_has_the_version_whose_private_api_is_used() -> None:
    """Before raising the version, look where `MiniRacer` keeps its context and its event loop."""
    assert version("mini-racer") == TESTED_VERSION
