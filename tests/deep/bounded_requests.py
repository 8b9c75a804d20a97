"""Send requests that never end, and measure when they are closed and what they hold meanwhile.

    python tests/deep/bounded_requests.py [--runs 3] [--only serve host]

Each command that serves HTTP gets, in turn:

- 300 half-open connections and 100 bodies that arrive byte by byte;
- 256 MB of headers, by one connection after the other, and by 64 at once;
- 8,000 connections with 56 KB of headers each, a little less than one connection may send.

Ends with status 1 if a connection is open for more than 15 seconds, or if the median of the growth
of anonymous memory while connections are open is above `--held`. The first run of an attack is
printed and does not count: it loads what errors need, and fills the interpreter's pools with the
objects of 400 connections, about 5 KB each, which later runs use again. The median counts because
transports of asyncio refer to themselves: their 1 KB is released by the next garbage collection,
which comes in one run or in another. The 8,000 send 430 MB and may hold 256 MB, the first time too.
"""

from __future__ import annotations

import argparse
import re
import selectors
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from served import Served, served

COMMANDS = ("serve", "host")
MIB = 1 << 20
HEADERS_BYTES = 256 * MIB
FLOODS = 64  # connections that send headers at once
MEASURED_SECONDS = 0.1
MOST_SECONDS = 15.0
PATIENCE = 120.0
HALF_OPEN = (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: b")
SLOW = b"POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\nab"
BEGUN = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
LINE = b"X-A: " + b"b" * 1_000 + b"\r\n"
SLOW_EVERY = 1.0  # seconds between bytes of a slow body


@dataclass(frozen=True)
class AttackResult:
    """Figures of one attack."""

    attack: str
    longest_seconds: float  # that a connection was open
    left_open: int
    connections: int
    sent_bytes: int
    held_bytes: int  # most memory while connections were open, compared with before
    kept_bytes: int  # after they were closed

    def __str__(self) -> str:
        return (
            f"{self.attack:22} {self.connections:5} connections, {self.sent_bytes / MIB:6.1f} MB, "
            f"closed after {self.longest_seconds:4.1f} s at most, {self.left_open} left open, "
            f"held {self.held_bytes / MIB:+5.2f} MB, kept {self.kept_bytes / MIB:+5.2f} MB"
        )

    def is_closed(self) -> bool:
        return not self.left_open and self.longest_seconds <= MOST_SECONDS


@dataclass
class Attack:
    """Connections that begin a request and go on with it until the service closes them."""

    name: str
    requests: Sequence[tuple[bytes, bytes]]  # how each connection begins, and what it repeats
    every: float = 0.0  # seconds between repetitions
    most_bytes: int = 0  # closed connections are opened again until so much was sent
    held_mb: float | None = None  # bound of this attack

    def run(self, target: Served) -> AttackResult:
        self._target, self._selector = target, selectors.DefaultSelector()
        self._opened: dict[socket.socket, float] = {}
        self._repeated: dict[socket.socket, bytes] = {}
        self._longest, self._count, self._sent = 0.0, 0, 0
        before = peak = anonymous_bytes(target)
        for number, request in enumerate(self.requests):
            self._open(request)
            if number % 100 == 0:
                self._close_ended(0)
        end, measured, fed = time.monotonic() + PATIENCE, 0.0, time.monotonic()
        while self._opened and (now := time.monotonic()) < end:
            self._close_ended(min(self.every, MEASURED_SECONDS))
            if now - fed >= self.every:
                fed = now
                self._feed()
            if now - measured > MEASURED_SECONDS:
                measured, peak = now, max(peak, anonymous_bytes(target))
        left = len(self._opened)
        for connection in self._opened:
            connection.close()
        time.sleep(1)
        kept = anonymous_bytes(target) - before
        return AttackResult(
            self.name, self._longest, left, self._count, self._sent, peak - before, kept
        )

    def _open(self, request: tuple[bytes, bytes]) -> None:
        connection = self._target.connect()
        self._opened[connection], self._repeated[connection] = time.monotonic(), request[1]
        self._selector.register(connection, selectors.EVENT_READ, request)
        self._count += 1
        self._sent += len(request[0])
        connection.sendall(request[0])
        connection.setblocking(False)

    def _feed(self) -> None:
        for connection, repeated in self._repeated.items():
            with suppress(OSError):  # its buffers are full, or it was closed
                self._sent += connection.send(repeated)

    def _close_ended(self, patience: float) -> None:
        """Close connections that the service has closed, and open others instead."""
        for key, _ in self._selector.select(patience):
            connection: socket.socket = key.fileobj
            if not _is_closed(connection):
                continue
            self._longest = max(self._longest, time.monotonic() - self._opened.pop(connection))
            del self._repeated[connection]
            self._selector.unregister(connection)
            connection.close()
            if self._sent < self.most_bytes:
                self._open(key.data)


def _is_closed(connection: socket.socket) -> bool:
    try:
        return not connection.recv(65_536)
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def anonymous_bytes(target: Served) -> int:
    status = Path(f"/proc/{target.process.pid}/status").read_text()
    found = re.search(r"^RssAnon:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def attacks() -> list[Attack]:
    half_open = [(HALF_OPEN[number % len(HALF_OPEN)], b"") for number in range(300)]
    endless = (BEGUN, LINE * 16)
    large = (BEGUN + LINE * 56, b"")
    return [
        Attack("half-open and slow", [*half_open, *[(SLOW, b"a")] * 100], every=SLOW_EVERY),
        Attack("headers, one by one", [endless], most_bytes=HEADERS_BYTES),
        Attack(f"headers, {FLOODS} at once", [endless] * FLOODS, most_bytes=HEADERS_BYTES),
        Attack("headers of 8,000", [large] * 8_000, every=SLOW_EVERY, held_mb=256),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=COMMANDS, choices=COMMANDS)
    parser.add_argument("--held", type=float, default=1.0, help="MB, at most")
    options = parser.parse_args(arguments)
    missed = 0
    for command in options.only:
        # A program of its own: pages of a forked one are shared with its parent.
        with (
            tempfile.TemporaryDirectory(prefix="bounded-") as name,
            served(command, Path(name), prefix=("env",)) as target,
        ):
            for attack in attacks():
                missed += not _is_bounded(command, attack, target, options)
    print(f"{missed} attacks missed a bound")
    return int(missed > 0)


def _is_bounded(command: str, attack: Attack, target: Served, options: argparse.Namespace) -> bool:
    results = []
    for run in range(options.runs + 1):
        results.append(attack.run(target))
        print(f"{command} {run}: {results[-1]}", flush=True)
    is_large = attack.held_mb is not None
    counted = results if is_large else results[1:]
    measure = max if is_large else statistics.median
    held = measure([each.held_bytes for each in counted]) / MIB
    most = attack.held_mb or options.held
    is_bounded = held <= most and all(each.is_closed() for each in counted)
    verdict = "met" if is_bounded else "MISSED"
    print(f"{command} {attack.name}: {held:+.2f} of {most} MB held: {verdict}", flush=True)
    return is_bounded


if __name__ == "__main__":
    sys.exit(main())
