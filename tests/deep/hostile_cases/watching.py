"""Observers of a service under attack: the answers it gives, and the memory it takes."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx

_EVERY_SECONDS = 0.1
_MB = 1024


@dataclass(frozen=True)
class SiteResponse:
    at: float  # time.monotonic() at the request
    seconds: float
    status: int  # 0: no answer in time


class Prober:
    """A process of its own that asks for URLs in turn, every 100 ms."""

    def __init__(self, urls: list[str], timeout: float, folder: Path) -> None:
        self._file = folder / "answers"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "hostile_cases.watching", str(timeout), str(self._file), *urls],
            cwd=Path(__file__).parents[1],
        )

    def stop(self) -> list[SiteResponse]:
        self._process.terminate()
        self._process.wait()
        return self.answers()

    def answers(self) -> list[SiteResponse]:
        rows = (line.split() for line in self._file.read_text().splitlines()[:-1])
        return [
            SiteResponse(float(at), float(seconds), int(status)) for at, seconds, status in rows
        ]


def _probe(timeout: float, file: Path, urls: list[str]) -> None:
    with file.open("w", buffering=1) as out, httpx.Client(timeout=timeout, verify=False) as client:
        number = 0
        while True:
            began = time.monotonic()
            try:
                status = client.get(urls[number % len(urls)]).status_code
            except httpx.HTTPError:
                status = 0
            took = time.monotonic() - began
            out.write(f"{began} {took} {status}\n")
            number += 1
            time.sleep(max(0.0, _EVERY_SECONDS - took))


def processes_below(root: int) -> set[int]:
    """Process ids of every descendant of `root`."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append(int(path.name))
    found, waiting = set[int](), [root]
    while waiting:
        children = parents.get(waiting.pop(), [])
        waiting += children
        found.update(children)
    return found


def memory(process: int, key: str = "VmRSS") -> int:
    """MB by a line of /proc/PID/status; 0 for a process that has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    found = next((line.split()[1] for line in lines if line.startswith(key + ":")), "0")
    return int(found) // _MB


@dataclass
class MemoryWatch:
    """Peak memory of the processes below a service, sampled by a thread."""

    root: int
    peak: int = 0  # MB of the largest process since `restart`
    seen: set[int] = field(default_factory=set)
    _ended: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        threading.Thread(target=self._run, daemon=True).start()

    def restart(self) -> None:
        self.peak = 0

    def stop(self) -> None:
        self._ended.set()

    def _run(self) -> None:
        while not self._ended.wait(_EVERY_SECONDS):
            below = processes_below(self.root)
            self.seen |= below
            self.peak = max([self.peak, *(memory(each) for each in below)])


if __name__ == "__main__":
    _probe(float(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
