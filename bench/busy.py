"""Streams and health checks while a large site is published for the first time.

    python bench/busy.py [--streams 500] [--pages 5000] [--source FOLDER]
    python bench/busy.py --streams 0 --pages 25000

Streams are those of `streams.py`, so many at a time, again and again until the site is published.
`/livez` is asked every 50 ms by a process of its own. Pages are generated, unless FOLDER has
them. Ends with status 1 where a stream was lost, or `/livez` took more than 1 s for one request
of a hundred.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from docstead.base.memory import family_bytes
from measure import percentile
from sections import repository
from streams import facts_of, raise_open_files, together

LIVE_SECONDS = 1.0  # the limits
WORDS, PAUSE_SECONDS = 40, 0.5
SECTIONS = 3
_MOST_SECONDS = 3600

# Prints how long each request took, until its input ends.
PROBE = """
import http.client, json, select, sys, time
found, late = [], 0
while not select.select([sys.stdin], [], [], 0.05)[0]:
    begun = time.perf_counter()
    try:
        connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=30)
        connection.request("GET", "/livez")
        if connection.getresponse().status != 200: late += 1
    except OSError:
        late += 1
    found.append(time.perf_counter() - begun)
    connection.close()
print(json.dumps([found, late]))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--streams", type=int, default=500)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--source", type=Path, help="repository to publish in place of pages")
    options = parser.parse_args()
    raise_open_files()
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as folder:
        sys.exit(_measure(options, Path(folder)))


def _measure(options: argparse.Namespace, folder: Path) -> int:
    source = options.source or folder / "large"
    if options.source is None:
        repository(source, options.pages, SECTIONS)
    command = [
        sys.executable, str(Path(__file__).with_name("streams.py")), f"--words={WORDS}",
        f"--pause={PAUSE_SECONDS}", f"--serve={folder}", f"--large={source.resolve()}",
    ]  # fmt: skip
    process = subprocess.Popen(command)
    try:
        facts = facts_of(folder, process)
        asyncio.run(together(facts, 20, WORDS))  # caches are warm, threads have started
        return _report(options, facts, process.pid)
    finally:
        process.terminate()
        process.wait()


def _report(options: argparse.Namespace, facts: dict[str, str], pid: int) -> int:
    before, begun = family_bytes(pid), time.monotonic()
    probe = subprocess.Popen(
        [sys.executable, "-c", PROBE, str(facts["port"])],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    update = _called(facts, "POST", f"/v1/project/update/{facts['large']}")["statusId"]
    status = [""]

    def is_over() -> bool:
        status[0] = str(_called(facts, "GET", f"/v1/project/update-status/{update}")["status"])
        return status[0] in ("success", "failure")

    streams, words, lost, peak = asyncio.run(_until(is_over, facts, options.streams, pid))
    seconds = time.monotonic() - begun
    live, failed = json.loads(probe.communicate(b"end")[0])
    p50, p99 = percentile(live, 0.5), percentile(live, 0.99)
    print(f"published: {status[0]}, {seconds:.0f} s")
    print(f"{streams} streams, {options.streams} at a time, {words} words: {lost} lost")
    print(f"/livez: p50 {p50 * 1e3:.1f} ms, p99 {p99 * 1e3:.1f} ms, at most {max(live):.2f} s, "
          f"{failed} of {len(live)} failed")  # fmt: skip
    print(f"memory of all processes: {before / 1e6:.0f} MB before, {peak / 1e6:.0f} MB at most")
    return int(status[0] != "success" or lost > 0 or failed > 0 or p99 > LIVE_SECONDS)


def _called(facts: dict[str, str], method: str, path: str) -> dict[str, str]:
    request = urllib.request.Request(
        f"http://127.0.0.1:{facts['port']}{path}",
        method=method,
        headers={"Authorization": f"Bearer {facts['adminKey']}"},
    )
    with urllib.request.urlopen(request) as answer:
        found: dict[str, str] = json.loads(answer.read())
    return found


async def _until(
    is_over: Callable[[], bool], facts: dict[str, str], at_once: int, pid: int
) -> tuple[int, int, int, int]:
    """Return streams, their words, lost ones, and peak memory in bytes, until it is over."""
    over, peaks = asyncio.Event(), [0]

    async def watch() -> None:
        deadline = time.monotonic() + _MOST_SECONDS
        while not await asyncio.to_thread(is_over):
            peaks.append(await asyncio.to_thread(family_bytes, pid))
            if time.monotonic() > deadline:
                raise SystemExit("the site was not published within an hour")
            await asyncio.sleep(1)
        over.set()

    watching = asyncio.create_task(watch())
    streams = words = lost = 0
    while at_once and not over.is_set():
        delays, gone = await together(facts, at_once, WORDS)
        streams, words, lost = streams + at_once, words + len(delays), lost + gone
    await watching
    return streams, words, lost, max(peaks)


if __name__ == "__main__":
    main()
