"""An idle service: memory and processor; the first and the second start.

    python bench/footprint.py [--idle-seconds 30] [--clone]

`--clone` also times `make demo` in a fresh clone of this checkout, up to its first answer.
In the same run: an empty application on the same server library.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from docstead.base.memory import family_bytes
from measure import ask, demo, free_port

ROOT = Path(__file__).parent.parent
EMPTY = "import sys, fastapi, uvicorn; uvicorn.run(fastapi.FastAPI(), port=int(sys.argv[1]))"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--idle-seconds", type=int, default=30)
    parser.add_argument("--clone", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as folder:
        data = Path(folder) / "data"
        with demo(ROOT / "docs", data) as first:
            print(f"first start, ready in   {first.ready_seconds:6.2f} s")
        with demo(ROOT / "docs", data) as second:
            print(f"second start, ready in  {second.ready_seconds:6.2f} s")
            _answer(second.facts)
            _idle("idle service", second.process.pid, options.idle_seconds)
        _empty_application(options.idle_seconds)
        if options.clone:
            _fresh_clone(Path(folder) / "clone")


def _answer(facts: dict[str, str]) -> None:
    with urllib.request.urlopen(ask(facts, "How do I export the site?")) as response:
        if b"\nd:" not in response.read():
            raise SystemExit("the service did not finish its answer")


def _idle(name: str, pid: int, seconds: int) -> None:
    time.sleep(3)
    before = _processor_seconds(pid)
    time.sleep(seconds)
    share = (_processor_seconds(pid) - before) / seconds
    print(f"{name:23} {family_bytes(pid) / 1e6:6.0f} MB {share:7.2%} of a core over {seconds} s")


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _empty_application(seconds: int) -> None:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([sys.executable, "-c", EMPTY, str(free_port())], **quiet)
    try:
        _idle("empty application", process.pid, seconds)
    finally:
        process.terminate()
        process.wait()


def _fresh_clone(clone: Path) -> None:
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    environment = os.environ | {"DOCSTEAD_PORT": str(free_port())}
    environment.pop("VIRTUAL_ENV", None)
    started = time.perf_counter()
    with (clone / "log").open("wb") as log:
        process = subprocess.Popen(
            ["make", "demo"],
            cwd=clone,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        facts = clone / ".docstead" / "demo.json"
        while not facts.exists():
            if process.poll() is not None:
                raise SystemExit((clone / "log").read_text())
            time.sleep(0.1)

    _answer(json.loads(facts.read_text()))
    print(f"make demo in a fresh clone, to the first answer {time.perf_counter() - started:.1f} s")
    os.killpg(process.pid, signal.SIGINT)
    process.wait(timeout=30)


if __name__ == "__main__":
    main()
