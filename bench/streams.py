"""Many answers at once in one process: what is lost, how late words come, what each one costs.

    python bench/streams.py [--streams 1000] [--words 40] [--pause 0.5]

The words are those of a model that says the time, one word every `--pause` seconds; all else
is the service as it is: keys, limits, threads, recording and the second protocol. A word's
delay is the time from the model to the client, both on this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from pathlib import Path

from docstead.app.service import create_service
from docstead.app.services import AppServices, open_services
from docstead.assistant.answer_task import AnswerTask, Said
from docstead.assistant.engine import Assistant
from docstead.assistant.events import TextDelta, TokenUsage
from docstead.base.api_keys import KeyKind
from docstead.base.memory import family_bytes
from docstead.cli.server import run_server
from docstead.settings import Settings
from measure import free_port, percentile, processor_seconds

RAMP_SECONDS = 10.0
READY_SECONDS = 60
DELAY_SECONDS, STREAM_BYTES = 0.050, 1_000_000  # the limits


class SaysTheTime:
    """An answerer whose words are the times when it sent them."""

    def __init__(self, words: int, pause_seconds: float) -> None:
        self._words = words
        self._pause_seconds = pause_seconds

    def admit(self) -> None: ...

    async def answer(self, _: AnswerTask) -> AsyncGenerator[Said, None]:
        await asyncio.sleep(random.uniform(0, self._pause_seconds))
        for _word in range(self._words):
            yield TextDelta(f"{time.monotonic_ns()} ")
            await asyncio.sleep(self._pause_seconds)
        yield TokenUsage(0, 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--words", type=int, default=40)
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between two words")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--large", type=Path, help=argparse.SUPPRESS)  # another project's source
    options = parser.parse_args()
    raise_open_files()
    if options.serve:
        _serve(options)
        return
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as folder:
        sys.exit(_measure(options, Path(folder)))


def raise_open_files() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


# --- the service -------------------------------------------------------------


def _serve(options: argparse.Namespace) -> None:
    folder: Path = options.serve
    source = folder / "docs"
    source.mkdir()
    (source / "index.mdx").write_text("---\ntitle: Start\n---\n\nRead on.\n")
    config = {"name": "Bench", "theme": "mint", "navigation": {"pages": ["index"]}}
    (source / "docs.json").write_text(json.dumps({**config, "colors": {"primary": "#0F766E"}}))
    port = free_port()
    settings = Settings(data=folder / "data", port=port)
    with open_services(settings) as services:
        organization = services.tenancy.create_organization("Bench")
        project = services.tenancy.create_project(organization.id, "Docs", str(source))
        deployment = services.tenancy.create_deployment(project.id, "bench", "bench.localhost")
        services.updates.run(services.updates.create(project.id, "internal").id)
        key = services.api_keys.create(
            organization.id, KeyKind.ASSISTANT, "Bench", deployment_id=deployment.id
        ).key
        answerer = SaysTheTime(options.words, options.pause)
        assistant = Assistant(
            services.database,
            services.editions,
            lambda _: answerer,
            services.clock,
            services.site_url,
        )
        app = create_service(dataclasses.replace(services, assistant=assistant))
        large = _large_project(services, organization.id, options.large) if options.large else {}
        facts = json.dumps({"port": port, "key": key, **large})

        def ready() -> None:
            (folder / "facts.partial").write_text(facts)
            (folder / "facts.partial").replace(folder / "facts.json")

        run_server(app, settings, ready)


def _large_project(services: AppServices, organization_id: str, source: Path) -> dict[str, str]:
    """Return an unpublished project, and a key that may publish it."""
    project = services.tenancy.create_project(organization_id, "Large", str(source))
    services.tenancy.create_deployment(project.id, "large", "large.localhost")
    key = services.api_keys.create(organization_id, KeyKind.ADMIN, "Bench").key
    return {"large": project.id, "adminKey": key}


# --- its readers -------------------------------------------------------------


def _measure(options: argparse.Namespace, folder: Path) -> int:
    passed = [f"--words={options.words}", f"--pause={options.pause}", f"--serve={folder}"]
    process = subprocess.Popen([sys.executable, __file__, *passed])
    try:
        facts = facts_of(folder, process)
        asyncio.run(together(facts, 20, options.words))  # caches are warm, threads have started
        before, worked = family_bytes(process.pid), processor_seconds(process.pid)
        began = time.monotonic()
        seconds = options.words * options.pause
        idle = subprocess.Popen([sys.executable, "-c", IDLE, str(seconds)], stdout=subprocess.PIPE)
        delays, lost, peak = asyncio.run(
            _watched(facts, options.streams, options.words, process.pid)
        )
        worked, took = processor_seconds(process.pid) - worked, time.monotonic() - began
    finally:
        process.terminate()
        process.wait()
    each = (peak - before) / options.streams
    p50, p99 = percentile(delays, 0.5), percentile(delays, 0.99)
    print(f"{options.streams} streams at once, {len(delays)} words: {lost} lost")
    print(f"delay of a word: p50 {p50 * 1e3:.1f} ms, p99 {p99 * 1e3:.1f} ms")
    machine = float(idle.communicate()[0])
    print(f"delay of an idle process on this machine, meanwhile: p99 {machine * 1e3:.1f} ms")
    print(f"processor: {worked:.1f} s of {took:.1f} s")
    print(f"memory: {before / 1e6:.0f} MB before, {peak / 1e6:.0f} MB at most")
    print(f"memory of a stream: {each / 1e3:.0f} kB")
    return int(lost > 0 or p99 > DELAY_SECONDS or each > STREAM_BYTES)


def facts_of(folder: Path, process: subprocess.Popen[bytes]) -> dict[str, str]:
    deadline = time.monotonic() + READY_SECONDS
    while not (folder / "facts.json").exists():
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit("the service did not start")
        time.sleep(0.05)
    facts: dict[str, str] = json.loads((folder / "facts.json").read_text())
    return facts


# Wake-up delay of an idle process: the share of the machine itself.
IDLE = """
import sys, time
late = []
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    due = time.monotonic() + 0.02
    time.sleep(0.02)
    late.append(time.monotonic() - due)
late.sort()
print(late[int(0.99 * len(late))])
"""


async def _watched(
    facts: dict[str, str], streams: int, words: int, pid: int
) -> tuple[list[float], int, int]:
    peaks = [0]

    async def watch() -> None:
        while True:
            peaks.append(family_bytes(pid))
            await asyncio.sleep(1)

    watching = asyncio.create_task(watch())
    delays, lost = await together(facts, streams, words)
    watching.cancel()
    return delays, lost, max(peaks)


async def together(facts: dict[str, str], streams: int, words: int) -> tuple[list[float], int]:
    found: list[float] = []
    ended = await asyncio.gather(
        *(
            _stream(facts, number * RAMP_SECONDS / streams, words, found)
            for number in range(streams)
        ),
        return_exceptions=True,
    )
    return found, sum(each is not True for each in ended)


async def _stream(
    facts: dict[str, str], begin_seconds: float, words: int, delays: list[float]
) -> bool:
    """Report whether all of the answer arrived."""
    await asyncio.sleep(begin_seconds)
    reader, writer = await asyncio.open_connection("127.0.0.1", int(facts["port"]))
    writer.write(_request(facts))
    said, done = 0, False
    while line := await reader.readline():
        if line.startswith(b'data: {"type":"text-delta"'):
            now = time.monotonic_ns()
            stamps = json.loads(line[6:])["delta"].split()
            delays.extend((now - int(stamp)) / 1e9 for stamp in stamps)
            said += len(stamps)
        done = done or line.startswith(b"data: [DONE]")
        if done:
            break
    writer.close()
    return done and said == words


def _request(facts: dict[str, str]) -> bytes:
    message = {"id": "1", "role": "user", "parts": [{"type": "text", "text": "What time is it?"}]}
    body = json.dumps({"fp": "anonymous", "messages": [message]}).encode()
    head = (
        "POST /discovery/v2/assistant/bench/message HTTP/1.1\r\n"
        f"host: 127.0.0.1:{facts['port']}\r\n"
        f"authorization: Bearer {facts['key']}\r\n"
        "content-type: application/json\r\nconnection: close\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


if __name__ == "__main__":
    main()
