"""Growth of processor time with the size of what a repository brings.

    python tests/deep/doubling.py [NAME...] [--seconds 3] [--results FILE]

Each input is doubled until one run takes long enough to be measured, then once more; the
exponent is the logarithm of the ratio to base 2: 1 is linear, 2 quadratic. Inputs below
"read" and "text" are timed in this process, those below "export" as a whole command with its
workers, less the time of a site of one page. Ends with status 1 where an exponent is above 1.3.

Inputs that are in the file of results are left out; the summary is about all of them.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from doubling_cases.components import COMPONENTS
from doubling_cases.exported import BASE, EXPORTED
from doubling_cases.reading import READ, Files
from doubling_cases.references import REFERENCES
from doubling_cases.texts import TEXTS

from docstead.base.errors import SourceUnreadable
from docstead.loading.loader import load_repository

_MEASURABLE_SECONDS = 0.3
_ALLOWED_EXPONENT = 1.3
_MOST_DOUBLINGS = 14
_MOST_SECONDS = 30.0  # of one run
Run = Callable[[int], float]  # processor seconds of an input of a size


def _read(make: Callable[[int], Files], size: int) -> float:
    with tempfile.TemporaryDirectory() as name:
        _write(make(size), Path(name))
        return _timed(partial(load_repository, Path(name)))


def _exported(make: Callable[[int], Files], size: int) -> float:
    return _command(make(size)) - _least()


@cache
def _least() -> float:
    return min(_command(BASE), _command(BASE))


def _command(files: Files) -> float:
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "source"
        source.mkdir()
        _write(files, source)
        before = _children_seconds()
        subprocess.run(
            [sys.executable, "-m", "docstead.cli", "export", source, "-o", Path(name) / "site"],
            cwd=name,
            env=os.environ | {"DOCSTEAD_BUILD_SECONDS": "60"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,  # a refusal takes time, too
        )
        return _children_seconds() - before


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _called(function: Callable[[int], object], size: int) -> float:
    return _timed(partial(function, size))


def _timed(call: Callable[[], object]) -> float:
    """Processor seconds of a call, which is stopped after many."""
    before = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, _MOST_SECONDS)
    try:
        call()
    except (SourceUnreadable, TimeoutError):
        pass  # refused, or stopped; that too takes time
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - before


def _write(files: Files, root: Path) -> None:
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())


def _inputs() -> dict[str, tuple[int, Run, float]]:
    """First size, run, and the seconds from which a run is measured, by name."""
    sources = {**READ, **REFERENCES}
    read = {f"read {k}": (size, partial(_read, make), 1.0) for k, (size, make) in sources.items()}
    text = {f"text {k}": (size, partial(_called, run), 1.0) for k, (size, run) in TEXTS.items()}
    sites = {**EXPORTED, **COMPONENTS}
    exported = {
        f"export {k}": (size, partial(_exported, make), 3.0) for k, (size, make) in sites.items()
    }
    return read | text | exported


def exponent(size: int, run: Run, measurable: float, most_seconds: float) -> tuple[float, float]:
    """The exponent and the processor seconds of the largest run.

    One that is too large is measured once more: other processes make caches cold.
    """
    seconds = run(size)
    for _ in range(_MOST_DOUBLINGS):
        size *= 2
        before, seconds = seconds, run(size)
        if seconds > most_seconds or (before > measurable and seconds > before):
            if _exponent(before, seconds) > _ALLOWED_EXPONENT and seconds < _MOST_SECONDS:
                before, seconds = min(before, run(size // 2)), min(seconds, run(size))
            return _exponent(before, seconds), seconds
    return 0.0, seconds


def _exponent(before: float, seconds: float) -> float:
    return math.log2(seconds / max(before, 1e-3))


def _stop(*_: object) -> None:
    raise TimeoutError


def main() -> int:
    options = _options()
    signal.signal(signal.SIGVTALRM, _stop)
    found: dict[str, tuple[float, float]] = {}
    if options.results and options.results.exists():
        found = json.loads(options.results.read_text())
    chosen = {k: v for k, v in _inputs().items() if _is_chosen(k, options.names)}
    ends = time.monotonic() + options.most_seconds
    for name, (size, run, scale) in chosen.items():
        if name in found and not options.again:
            continue
        if time.monotonic() > ends:
            break
        most = options.seconds * scale
        found[name] = exponent(size, run, _MEASURABLE_SECONDS * scale, most)
        _print(name, *found[name])
        if options.results:
            options.results.write_text(json.dumps(found, indent=1))
    known = {name: found[name] for name in chosen if name in found}
    above = {name: values for name, values in known.items() if values[0] > _ALLOWED_EXPONENT}
    print(f"{len(known)} of {len(chosen)} inputs, {len(above)} above {_ALLOWED_EXPONENT}")
    for name, (growth, seconds) in above.items():
        _print(name, growth, seconds)
    return int(bool(above))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="parts of names")
    parser.add_argument("--seconds", type=float, default=3.0, help="longest run of an input")
    parser.add_argument("--most-seconds", type=float, default=7_200, help="begin no input later")
    parser.add_argument("--results", type=Path, help="file that collects the results of runs")
    parser.add_argument("--again", action="store_true", help="also what is in the results")
    return parser.parse_args()


def _is_chosen(name: str, names: list[str]) -> bool:
    return not names or any(part in name for part in names)


def _print(name: str, found: float, seconds: float) -> None:
    mark = "  <-- above" if found > _ALLOWED_EXPONENT else ""
    print(f"{name:44} {found:6.2f} {seconds:8.2f} s{mark}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
