"""Compare answers and search with another tree: the service's own part of the time, in turns.

    python bench/overhead.py SOURCE --base FOLDER [--requests 200]

FOLDER is a work tree of Docstead with its own `.venv` (`make setup`). Both sides publish SOURCE,
wait until their vectors are ready, and get the same questions in turns. First without a model,
then with a scripted one that answers at once in ten sentences. Ends with status 1 where a bar is
missed.
"""

from __future__ import annotations

import argparse
import http.client
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from against import queries
from measure import (
    DOCSTEAD,
    DemoService,
    MeasuredProgram,
    ask,
    demo,
    family_processor_seconds,
    percentile,
    program_of,
)

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from chat_server import ChatServer, chat_server

# : Maximum ratio to the other side's time, by measurement.
BARS = {"first byte": 1.5, "quotes": 2.0, "search": 1.25, "with a model": 2.0}
WARM_UP = 10
READY_SECONDS, IDLE_SHARE = 5.0, 0.05  # a service this idle has finished its vectors
BEGUN_SECONDS = 75.0  # 7e77c87 begins them a minute after its start
SENTENCES = "The documentation describes how it is done in general terms. "


@dataclass(frozen=True)
class ComparedService:
    """A running service, and the connection to it."""

    name: str
    running: DemoService
    connection: http.client.HTTPConnection

    def search(self, query: str) -> float:
        path = f"/discovery/v1/search/{self.running.facts['domain']}"
        return self._request(path, {"query": query})[1]

    def answer(self, question: str) -> tuple[float, float]:
        """Ask a question; return the seconds to the first and the last byte."""
        request = ask(self.running.facts, question)
        assert isinstance(request.data, bytes)
        return self._request(request.selector, json.loads(request.data))

    def _request(self, path: str, body: object) -> tuple[float, float]:
        headers = {
            "Authorization": f"Bearer {self.running.facts['assistantKey']}",
            "Content-Type": "application/json",
        }
        self.connection.close()  # a service closes connections that the other side kept waiting
        self.connection.connect()
        begun = time.perf_counter()
        self.connection.request("POST", path, json.dumps(body), headers)
        response = self.connection.getresponse()
        response.read(1)
        first = time.perf_counter() - begun
        response.read()
        if response.status != http.HTTPStatus.OK:
            raise SystemExit(f"{self.name}: {path} answered {response.status}")
        return first, time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--base", type=Path, required=True, help="work tree to compare with")
    parser.add_argument("--requests", type=int, default=200)
    options = parser.parse_args()
    asked = queries(options.source)
    missed = False
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as folder, chat_server() as model:
        model.pieces = [SENTENCES] * 10
        for has_model in (False, True):
            with ExitStack() as stack:
                services = [
                    stack.enter_context(each)
                    for each in _services(options, Path(folder) / str(has_model), model, has_model)
                ]
                missed |= _compare(services, asked, options.requests, has_model)
    sys.exit(missed)


def _services(
    options: argparse.Namespace, folder: Path, model: ChatServer, has_model: bool
) -> Iterator[ServiceContext]:
    environment = {"DOCSTEAD_MODEL_BASE_URL": model.url, "DOCSTEAD_MODEL_NAME": "tiny"}
    chosen = environment if has_model else {}
    for program in (program_of(options.base, chosen), MeasuredProgram("this", DOCSTEAD, chosen)):
        yield ServiceContext(program, options.source, folder / program.name)


class ServiceContext(ExitStack):
    """Context manager of a service that is ready for questions."""

    def __init__(self, program: MeasuredProgram, source: Path, data: Path) -> None:
        super().__init__()
        self._program, self._source, self._data = program, source, data

    def __enter__(self) -> ComparedService:  # type: ignore[override]
        super().__enter__()
        running = self.enter_context(demo(self._source, self._data, program=self._program))
        _wait_until_idle(running)
        url = urlsplit(running.facts["baseUrl"])
        connection = http.client.HTTPConnection(url.hostname or "", url.port)
        self.callback(connection.close)
        return ComparedService(self._program.name, running, connection)


def _wait_until_idle(running: DemoService) -> None:
    time.sleep(BEGUN_SECONDS)
    while True:
        before = family_processor_seconds(running.process.pid)
        time.sleep(READY_SECONDS)
        if family_processor_seconds(running.process.pid) - before < IDLE_SHARE * READY_SECONDS:
            return


def _compare(
    services: Sequence[ComparedService], asked: Iterator[str], requests: int, has_model: bool
) -> bool:
    """Measure each kind in turns and print its row; report whether a bar was missed."""
    answers = "with a model" if has_model else "quotes"
    asks: dict[str, Callable[[ComparedService, str], Sequence[float]]] = {
        answers: lambda service, query: service.answer(f"How do I {query}?")
    }
    if not has_model:
        asks["search"] = lambda service, query: (service.search(query),)
    missed = False
    for kind, measure in asks.items():
        before = [0.0, 0.0]
        found: list[list[Sequence[float]]] = [[], []]
        for number in range(requests + WARM_UP):
            if number == WARM_UP:
                before = [family_processor_seconds(each.running.process.pid) for each in services]
            query = next(asked)
            order = list(enumerate(services))
            for position, service in order if number % 2 else reversed(order):
                seconds = measure(service, query)
                if number >= WARM_UP:
                    found[position].append(seconds)
        used = [
            (family_processor_seconds(each.running.process.pid) - start) / requests * 1e3
            for each, start in zip(services, before, strict=True)
        ]
        wholes = [[each[-1] for each in own] for own in found]
        missed |= _row(kind, wholes, 0.95)
        if kind == answers:
            label = "first byte, with a model" if has_model else "first byte"
            missed |= _row(label, [[each[0] for each in own] for own in found], 0.95)
        print(
            f"{'':28}processor time each: base {used[0]:.1f} ms  this {used[1]:.1f} ms", flush=True
        )
    return missed


def _row(kind: str, samples: Sequence[Sequence[float]], share: float) -> bool:
    other, own = (percentile(each, share) * 1e3 for each in samples)
    middle = " and ".join(f"{percentile(each, 0.5) * 1e3:.1f}" for each in samples)
    bar = BARS[kind.partition(",")[0]]
    missed = own > bar * other
    print(
        f"{kind:28}p{share * 100:.0f}  base {other:8.1f} ms  this {own:8.1f} ms  "
        f"{own / other:5.2f} times, bar {bar}{'  MISSED' if missed else ''}"
        f"   p50 {middle}   n={len(samples[0])}",
        flush=True,
    )
    return missed


if __name__ == "__main__":
    main()
