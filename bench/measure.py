"""Commands and services, timed from outside."""

from __future__ import annotations

import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from docstead.base.memory import family_bytes

DOCSTEAD = [sys.executable, "-m", "docstead.cli"]


@dataclass(frozen=True)
class MeasuredProgram:
    """A version of Docstead, by the command that starts it, with its settings."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)


THIS = MeasuredProgram("this", DOCSTEAD)


def program_of(tree: Path, environment: Mapping[str, str] | None = None) -> MeasuredProgram:
    """Return the version in another work tree, which has its own environment."""
    tree = tree.resolve()
    command = (str(tree / ".venv" / "bin" / "python"), "-m", "docstead.cli")
    return MeasuredProgram("base", command, {**(environment or {}), "PYTHONPATH": f"{tree}/src"})


@dataclass(frozen=True)
class MeasuredRun:
    seconds: float
    peak_bytes: int
    status: int
    processor_seconds: float


def run(command: Sequence[str], *, cwd: Path | None = None, log: Path | None = None) -> MeasuredRun:
    """Run a command; return its time, and the peak memory of its processes together."""
    with (log or Path(os.devnull)).open("ab") as output:
        before = os.times()
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=cwd, stdout=output, stderr=output)
        peak = 0
        while process.poll() is None:
            peak = max(peak, family_bytes(process.pid))
            time.sleep(0.05)
        seconds = time.perf_counter() - started
        after = os.times()
        processors = sum(after[2:4]) - sum(before[2:4])
        return MeasuredRun(seconds, peak, process.returncode, processors)


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process so far, of all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def family_processor_seconds(pid: int) -> float:
    """Return the processor time of a process and its descendants, including ended ones."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = [
            int(child)
            for thread in Path(f"/proc/{pid}/task").iterdir()
            for child in (thread / "children").read_text().split()
        ]
    except OSError:
        return 0.0
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(family_processor_seconds, children))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class DemoService:
    process: subprocess.Popen[bytes]
    facts: dict[str, str]
    ready_seconds: float


@contextmanager
def demo(
    source: Path, data: Path, *, port: int | None = None, program: MeasuredProgram = THIS
) -> Iterator[DemoService]:
    """Yield a running `docstead demo`; its facts are those of `demo.json`."""
    environment = {
        **os.environ,
        **program.environment,
        "DOCSTEAD_DATA": str(data),
        "DOCSTEAD_PORT": str(port or free_port()),
        "DOCSTEAD_LOG_LEVEL": "warning",
    }
    facts = data / "demo.json"
    began = time.time()
    started = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [*program.command, "demo", str(source)], env=environment, stdout=output, stderr=output
        )
        try:
            while not (facts.exists() and facts.stat().st_mtime >= began):
                if process.poll() is not None:
                    output.seek(0)
                    raise SystemExit(output.read().decode())
                time.sleep(0.02)
            yield DemoService(process, json.loads(facts.read_text()), time.perf_counter() - started)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=30)


def ask(facts: dict[str, str], question: str) -> urllib.request.Request:
    """Return an assistant request."""
    message = {"id": "1", "role": "user", "content": question, "parts": []}
    return urllib.request.Request(
        f"{facts['baseUrl']}/discovery/v1/assistant/{facts['domain']}/message",
        data=json.dumps({"fp": "anonymous", "messages": [message]}).encode(),
        headers={
            "Authorization": f"Bearer {facts['assistantKey']}",
            "Content-Type": "application/json",
        },
    )
