"""Compare this tree with another one: processor time and waiting time, run by run in turns.

    python bench/against.py SOURCE --base FOLDER [--runs 10] [--only edit,publish]
    python bench/against.py SOURCE --without-sandbox --only export

FOLDER is a work tree of Docstead with its own `.venv` (`make setup`). With `--without-sandbox`
the other side is this tree with the setting `sandbox` off. Both sides work on copies of SOURCE,
get the same edits and questions, and are measured one after the other in each run. Processor
time is that of all processes together. Ends with status 1 where a median is above the bar: 3 %,
and for waiting times an additional 1 ms.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from editing import request_update, text_of
from measure import (
    DOCSTEAD,
    DemoService,
    MeasuredProgram,
    ask,
    demo,
    family_processor_seconds,
    median,
    program_of,
)

DOMAIN = "docs"
JOBS_SECONDS = 3.0  # until the jobs after an update have ended
SEARCHES, QUESTIONS = 40, 5  # in one run
BAR, BAR_SECONDS = 1.03, 0.001
_WORD = re.compile(r"\b[a-z]{4,12}\b")

Sample = Mapping[str, float]  # results of earlier measurements, by name
Measure = Callable[[], Sample]


@dataclass(frozen=True)
class ComparedVersion:
    """A program and its copies of the source."""

    program: MeasuredProgram
    source: Path
    folder: Path


def main() -> None:
    options = _options()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # otherwise compilation would be measured
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as name:
        versions = [_version(each, options.source, Path(name)) for each in _programs(options)]
        missed = False
        for case in options.only.split(","):
            missed |= _compare(case, versions, options.runs)
    sys.exit(missed)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    other = parser.add_mutually_exclusive_group(required=True)
    other.add_argument("--base", type=Path, help="work tree to compare with")
    other.add_argument("--without-sandbox", action="store_true")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--only", default=",".join(CASES), help="by commas")
    return parser.parse_args()


def _programs(options: argparse.Namespace) -> tuple[MeasuredProgram, MeasuredProgram]:
    quiet = {"DOCSTEAD_SEARCH_BY_MEANING": "false", "DOCSTEAD_RENDER_WORKERS": "2"}
    this = MeasuredProgram("this", DOCSTEAD, quiet)
    if options.without_sandbox:
        return MeasuredProgram("no sandbox", DOCSTEAD, {**quiet, "DOCSTEAD_SANDBOX": "off"}), this
    return program_of(options.base, quiet), this


def _version(program: MeasuredProgram, source: Path, folder: Path) -> ComparedVersion:
    own = folder / program.name.replace(" ", "-")
    ignored = shutil.ignore_patterns(".git", "node_modules")
    shutil.copytree(source, own / "source", ignore=ignored)
    return ComparedVersion(program, own / "source", own)


def _compare(case: str, versions: Sequence[ComparedVersion], runs: int) -> bool:
    """Measure a case in turns and print it; report whether it exceeds the bar."""
    found: list[list[Sample]] = [[] for _ in versions]
    with ExitStack() as stack:
        measures = [stack.enter_context(CASES[case](version)) for version in versions]
        for number in range(runs + 1):
            order = list(enumerate(measures))
            for index, measure in order if number % 2 else reversed(order):
                sample = measure()
                if number:  # the first is a warm-up
                    found[index].append(sample)
    rows = [_row(case, name, versions, found) for name in found[0][0]]
    return any(rows)


def _row(
    case: str, name: str, versions: Sequence[ComparedVersion], found: Sequence[Sequence[Sample]]
) -> bool:
    other, this = (median([sample[name] for sample in samples]) for samples in found)
    missed = this > other * BAR and not (name == "first byte" and this - other < BAR_SECONDS)
    label = f"{case}, {name}"
    shown = "  ".join(
        f"{version.program.name} {value * 1e3:9.1f} ms"
        for version, value in zip(versions, (other, this), strict=True)
    )
    spread = " ".join(
        f"{min(each[name] for each in samples) * 1e3:.1f}-"
        f"{max(each[name] for each in samples) * 1e3:.1f}"
        for samples in found
    )
    print(
        f"{label:28}{shown}  {this / other - 1:+7.1%}{'  MISSED' if missed else ''}"
        f"   n={len(found[0])}, from-to {spread}",
        flush=True,
    )
    return missed


# --- commands ----------------------------------------------------------------


def _command(version: ComparedVersion, *arguments: str) -> Sample:
    """Return time and processor time of a command and all its processes."""
    environment = {**os.environ, **version.program.environment}
    environment |= {"DOCSTEAD_DATA": str(version.folder / "data"), "DOCSTEAD_LOG_LEVEL": "error"}
    begun, before = time.perf_counter(), os.times()
    ended = subprocess.run(
        [*version.program.command, *arguments], env=environment, capture_output=True, check=False
    )
    seconds, after = time.perf_counter() - begun, os.times()
    if ended.returncode not in (0, 1):
        raise SystemExit(ended.stderr.decode())
    used = after.children_user + after.children_system
    return {
        "processor": used - before.children_user - before.children_system,
        "time": seconds,
    }


@contextmanager
def _export(version: ComparedVersion) -> Iterator[Measure]:
    target = version.folder / "site"

    def once() -> Sample:
        shutil.rmtree(target, ignore_errors=True)
        return _command(version, "export", str(version.source), "-o", str(target))

    yield once


@contextmanager
def _publish(version: ComparedVersion) -> Iterator[Measure]:
    """Yield measurements of one edited page, published by a command."""
    edits = _PageEdits(version.source)
    command = ("publish", str(version.source), "--domain", DOMAIN)
    _command(version, *command)

    def once() -> Sample:
        edits.edit()
        return _command(version, *command)

    yield once


# --- a running service -------------------------------------------------------


@contextmanager
def _service(version: ComparedVersion) -> Iterator[DemoService]:
    with demo(version.source, version.folder / "service", program=version.program) as running:
        yield running


@contextmanager
def _edit(version: ComparedVersion) -> Iterator[Measure]:
    """Yield the time until an edited page is served, and its cost."""
    edits = _PageEdits(version.source)
    with _service(version) as running:

        def once() -> Sample:
            seconds = _served(running, edits, poll_seconds=0.01)
            time.sleep(JOBS_SECONDS)
            before = family_processor_seconds(running.process.pid)
            begun = time.monotonic()
            _served(running, edits, poll_seconds=0.25)  # requests cost time, too
            time.sleep(max(0.0, 2 * JOBS_SECONDS - (time.monotonic() - begun)))
            return {
                "processor": family_processor_seconds(running.process.pid) - before,
                "served after": seconds,
            }

        yield once


def _served(running: DemoService, edits: _PageEdits, *, poll_seconds: float) -> float:
    """Return the seconds from an edit until readers get it."""
    begun = time.perf_counter()
    mark = edits.edit()
    request_update(running.facts)
    while mark not in text_of(f"{running.facts['baseUrl']}/{edits.slug}"):
        time.sleep(poll_seconds)
    return time.perf_counter() - begun


@contextmanager
def _search(version: ComparedVersion) -> Iterator[Measure]:
    asked = queries(version.source)
    with _service(version) as running:
        url = urlsplit(running.facts["baseUrl"])
        connection = http.client.HTTPConnection(url.hostname or "", url.port)
        headers = {
            "Authorization": f"Bearer {running.facts['assistantKey']}",
            "Content-Type": "application/json",
        }

        def search() -> float:
            begun = time.perf_counter()
            body = json.dumps({"query": next(asked)})
            path = f"/discovery/v1/search/{running.facts['domain']}"
            connection.request("POST", path, body, headers)
            response = connection.getresponse()
            response.read()
            if response.status != 200:
                raise SystemExit(f"search answered {response.status}")
            return time.perf_counter() - begun

        yield lambda: _each(running, search, SEARCHES, "time")


@contextmanager
def _answer(version: ComparedVersion) -> Iterator[Measure]:
    asked = queries(version.source)
    with _service(version) as running:

        def first_byte() -> float:
            request = ask(running.facts, f"How do I {next(asked)}?")
            begun = time.perf_counter()
            with urllib.request.urlopen(request) as response:
                response.read(1)
                seconds = time.perf_counter() - begun
                response.read()
            return seconds

        yield lambda: _each(running, first_byte, QUESTIONS, "first byte")


def _each(running: DemoService, action: Callable[[], float], count: int, name: str) -> Sample:
    """Return processor time per action, and the median of its results."""
    before = family_processor_seconds(running.process.pid)
    seconds = [action() for _ in range(count)]
    used = family_processor_seconds(running.process.pid) - before
    return {"processor": used / count, name: median(seconds)}


# --- the same edits and questions for both -----------------------------------


class _PageEdits:
    """Successive edits of the first page of a repository."""

    def __init__(self, source: Path) -> None:
        config = json.loads((source / "docs.json").read_text())
        self.slug = next(each for each in _slugs(config["navigation"]) if _file(source, each))
        self._path = _file(source, self.slug) or source
        self._number = 0

    def edit(self) -> str:
        """Write a new sentence, and return it."""
        self._number += 1
        mark = f"This is edit {self._number}."
        self._path.write_text(f"{self._path.read_text()}\n\n{mark}\n")
        return mark


def _file(source: Path, slug: str) -> Path | None:
    return next((p for end in (".mdx", ".md") if (p := source / f"{slug}{end}").is_file()), None)


def _slugs(node: object) -> Iterator[str]:
    """Yield every page in a navigation, in order."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for key in ("tabs", "anchors", "versions", "languages", "dropdowns", "groups", "pages"):
            yield from _slugs(node.get(key, []))
    elif isinstance(node, list):
        for each in node:
            yield from _slugs(each)


def queries(source: Path) -> Iterator[str]:
    """Yield queries with words of the pages, the same for both sides."""
    chance = random.Random(11)
    texts = [path.read_text(errors="replace") for path in sorted(source.rglob("*.mdx"))]
    words = sorted({word for text in texts for word in _WORD.findall(text)})
    while True:
        yield " ".join(chance.sample(words, 4))


CASES = {
    "edit": _edit,
    "publish": _publish,
    "export": _export,
    "search": _search,
    "answer": _answer,
}


if __name__ == "__main__":
    main()
