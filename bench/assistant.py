"""The assistant's own cost at 10,000 sections: first byte, whole answers, 200 streams at once.

    python bench/assistant.py [--requests 300]

No model is asked: answers are quotes, or refusals. Half of the questions are what sections are
called, the other half chance words; all are new, over one kept connection. Next to it, in the
same run: the first byte of an empty streaming application on the same server library.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import random
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from measure import DemoService, ask, demo, free_port, percentile, processor_seconds
from sections import publish, question, repository

PAGES, SECTIONS = 1_000, 10
STREAMS = 200
WARM_UP = 20
FLOOR = """
import sys, uvicorn
async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"f:{}\\n", "more_body": True})
    await send({"type": "http.response.body", "body": b"d:{}\\n"})
uvicorn.run(app, port=int(sys.argv[1]), log_level="error")
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=300)
    requests = parser.parse_args().requests
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as folder:
        source, data = Path(folder) / "source", Path(folder) / "data"
        headings = repository(source, PAGES, SECTIONS)
        named = random.Random(5).sample(headings, requests)
        publish(source, data, named)
        with demo(source, data) as service, _floor() as floor:
            ours = [_first_byte(ask(service.facts, question())) for _ in range(requests)]
            theirs = [_first_byte(urllib.request.Request(floor)) for _ in range(requests)]
            _row("first byte, assistant", ours)
            _row("first byte, empty application", theirs)
            gap = percentile(ours, 0.95) - percentile(theirs, 0.95)
            print(f"{'overhead, p95 - p95':34}{gap * 1e3:9.2f} ms")
            asked = [f"How do I {each}?" for each in named]
            _answers(service, [*asked, *(question() for _ in range(requests))])
            asyncio.run(_streams(service.facts))


def _row(name: str, seconds: list[float]) -> None:
    p50, p95 = percentile(seconds, 0.5) * 1e3, percentile(seconds, 0.95) * 1e3
    print(f"{name:34}{p50:9.2f} ms p50{p95:9.2f} ms p95   n={len(seconds)}")


# --- answers -----------------------------------------------------------------


def _answers(service: DemoService, questions: Sequence[str]) -> None:
    url = urlsplit(service.facts["baseUrl"])
    connection = http.client.HTTPConnection(url.hostname or "", url.port)
    for each in questions[:: len(questions) // WARM_UP]:
        _answer(connection, service.facts, f"{each} Please.")
    began = processor_seconds(service.process.pid)
    found = [_answer(connection, service.facts, each) for each in questions]
    taken = processor_seconds(service.process.pid) - began
    _row("answers that quote, whole", [seconds for seconds, quotes in found if quotes])
    _row("refusals, whole", [seconds for seconds, quotes in found if not quotes])
    print(f"{'processor time of the service':34}{taken / len(found) * 1e3:9.2f} ms each")


def _answer(
    connection: http.client.HTTPConnection, facts: dict[str, str], text: str
) -> tuple[float, bool]:
    """Return the time to the last byte, and whether the answer has a source."""
    request = ask(facts, text)
    started = time.perf_counter()
    connection.request("POST", request.selector, request.data, dict(request.header_items()))
    said = connection.getresponse().read()
    return time.perf_counter() - started, b"\nh:" in said


# --- streams -----------------------------------------------------------------


def _first_byte(request: urllib.request.Request) -> float:
    started = time.perf_counter()
    with urllib.request.urlopen(request) as response:
        response.read(1)
        elapsed = time.perf_counter() - started
        response.read()
    return elapsed


@contextmanager
def _floor() -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", FLOOR, str(port)])
    try:
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.wait()


async def _streams(facts: dict[str, str]) -> None:
    limits = httpx.Limits(max_connections=STREAMS)
    async with httpx.AsyncClient(limits=limits, timeout=60) as client:
        started = time.perf_counter()
        ended = await asyncio.gather(*(_stream(client, facts) for _ in range(STREAMS)))
    seconds = time.perf_counter() - started
    print(
        f"{STREAMS} streams at once: {sum(ended)} complete, "
        f"{STREAMS - sum(ended)} lost, {seconds:.2f} s"
    )


async def _stream(client: httpx.AsyncClient, facts: dict[str, str]) -> bool:
    request = ask(facts, question())
    response = await client.post(
        request.full_url, content=request.data, headers=dict(request.header_items())
    )
    return response.status_code == 200 and response.text.splitlines()[-1].startswith("d:")


if __name__ == "__main__":
    main()
