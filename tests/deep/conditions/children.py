"""Runs tests in forked children of a process that has collected them already."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from _pytest import main

from conditions import recording, runtime

_POLLED_EVERY = 0.05


@dataclass(frozen=True)
class PytestRun:
    """Tests to run, with the condition to drop, if any."""

    name: str
    tests: Sequence[str]
    dropped: str = ""
    seconds: float = 120.0
    at_import: bool = False  # the condition is read when its module is imported
    first_failure: bool = True


@dataclass(frozen=True)
class RunOutcome:
    """`exit_code` is pytest's; None where the run was killed at its time limit."""

    run: PytestRun
    exit_code: int | None
    seconds: float
    tests: dict[str, dict[str, Any]]
    output: str


@dataclass
class _Child:
    run: PytestRun
    pid: int
    folder: Path
    began: float = field(default_factory=time.monotonic)


def run_all(
    session: pytest.Session, runs: Iterable[PytestRun], processes: int
) -> Iterator[RunOutcome]:
    """Yield the outcomes as the runs end; so many run at once."""
    waiting = iter(runs)
    running: list[_Child] = []
    try:
        while True:
            while len(running) < processes and (run := next(waiting, None)) is not None:
                running.append(_start(session, run))
            if not running:
                return
            for child in list(running):
                if (outcome := _ended(child)) is not None:
                    running.remove(child)
                    yield outcome
            time.sleep(_POLLED_EVERY)
    finally:
        for child in running:
            _kill(child)


def _start(session: pytest.Session, run: PytestRun) -> _Child:
    folder = Path(tempfile.mkdtemp(prefix="dropped-"))
    pid = os.fork()
    if pid == 0:
        _work(session, run, folder)
    return _Child(run, pid, folder)


def _work(session: pytest.Session, run: PytestRun, folder: Path) -> None:
    code = 70
    try:
        os.setsid()
        output = os.open(folder / "output", os.O_WRONLY | os.O_CREAT)
        for descriptor in (1, 2):
            os.dup2(output, descriptor)
        os.environ["PYTHONPATH"] = str(Path(__file__).parent / "site")
        os.environ["TMPDIR"] = os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
        os.environ["DOCSTEAD_TEST_RUN"] = f"{os.getpid()}-{folder.name}"  # servers end with it
        tempfile.tempdir = None
        runtime.drop(run.dropped)
        code = _tested_again(run) if run.at_import else _tested(session, run, folder)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _tested(session: pytest.Session, run: PytestRun, folder: Path) -> int:
    """Run the collected tests, here."""
    items = {item.nodeid: item for item in session.items}
    session.items = [items[name] for name in run.tests if name in items]
    recorder = recording.Recorder()
    session.config.pluginmanager.register(recorder)
    session.config.option.maxfail = 1 if run.first_failure else 0
    with suppress(session.Failed):
        main.pytest_runtestloop(session)
    (folder / "tests.json").write_text(json.dumps(recorder.tests))
    return 1 if session.testsfailed else 0


def _tested_again(run: PytestRun) -> int:
    """Run the tests in a process that imports everything again."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--tb=line"]
    return os.execv(sys.executable, [*command, *run.tests])


def _ended(child: _Child) -> RunOutcome | None:
    seconds = time.monotonic() - child.began
    pid, status = os.waitpid(child.pid, os.WNOHANG)
    if pid == 0 and seconds < child.run.seconds:
        return None
    code = os.waitstatus_to_exitcode(status) if pid else None
    _kill(child)
    report = child.folder / "tests.json"
    tests = json.loads(report.read_text()) if report.exists() else {}
    output = (child.folder / "output").read_text(errors="replace")
    shutil.rmtree(child.folder, ignore_errors=True)
    return RunOutcome(child.run, code, seconds, tests, output)


def _kill(child: _Child) -> None:
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(child.pid, 0)
