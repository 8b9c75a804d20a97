"""Puts small defects into modules, one at a time, and reports which ones no test notices.

A defect swaps a comparison, drops a `not`, changes a constant, inverts a condition, returns
early or drops an element. It is in the memory of the process that runs the tests; no file
changes. `defects.toml` names the modules with their tests, and the defects that change nothing
that anybody could observe, with the reason. The command fails if less than nine tenths of the
other defects of a module are noticed.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.util
import json
import os
import signal
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

import pytest
from defects.mutations import Defect, defects_of

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
TABLE = Path(__file__).parent / "defects" / "defects.toml"
_LEAST = 0.9  # of the defects of a module
_LIBRARIES = ("alembic", "dbos", "fastapi", "httpx", "hypothesis", "msgspec", "psycopg", "pydantic",
              "sqlalchemy", "obstore", "xdist", "selenium")  # fmt: skip


@dataclass(frozen=True)
class DefectModule:
    """A module below `src`, the tests that keep its promises, and defects without effect."""

    path: str
    tests: tuple[str, ...]
    harmless: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.path.removesuffix(".py").replace("/", ".")


class _DefectLoader(importlib.machinery.SourceFileLoader):
    """Loads the tree of a defect in place of the file."""

    def __init__(self, name: str, path: str, defect: Defect) -> None:
        super().__init__(name, path)
        self._defect = defect

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._defect.tree, self.path, "exec", dont_inherit=True)


@dataclass(frozen=True)
class _DefectFinder(importlib.abc.MetaPathFinder):
    module: DefectModule
    defect: Defect

    def find_spec(self, fullname: str, path: object, target: object = None) -> object:
        if fullname != self.module.name:
            return None
        file = str(SOURCE / self.module.path)
        return importlib.util.spec_from_loader(fullname, _DefectLoader(fullname, file, self.defect))


def main() -> int:
    options = _options()
    for library in _LIBRARIES:
        importlib.import_module(library)
    known = json.loads(options.results.read_text()) if options.results.exists() else {}
    modules = [each for each in _modules() if options.only in each.path]
    codes = [_report(module, _outcomes(module, known, options)) for module in modules]
    return max(codes, default=0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="only modules whose path contains this text")
    parser.add_argument("--seconds", type=int, default=300, help="time limit per defect")
    parser.add_argument(
        "--results",
        type=Path,
        default=ROOT / ".deep" / "small_defects.json",
        help="file in which the results of several runs add up",
    )
    return parser.parse_args()


def _modules() -> list[DefectModule]:
    table = tomllib.loads(TABLE.read_text())["module"]
    return [
        DefectModule(each["path"], tuple(each["tests"]), tuple(each.get("harmless", {})))
        for each in table
    ]


def _outcomes(
    module: DefectModule, known: dict[str, bool], options: argparse.Namespace
) -> Iterator[tuple[Defect, bool]]:
    """Yield each defect with whether the tests notice it; results of the same source are kept."""
    source = (SOURCE / module.path).read_text()
    if _noticed(module, None, options.seconds):
        raise SystemExit(f"{module.path}: its tests fail without a defect")
    for defect in defects_of(source):
        key = f"{module.path} {hash_of(source)} {defect.name}"
        if not known.get(key):
            known[key] = _noticed(module, defect, options.seconds)
            options.results.parent.mkdir(parents=True, exist_ok=True)
            options.results.write_text(json.dumps(known, indent=1))
        yield defect, known[key]


def hash_of(source: str) -> str:
    return importlib.util.source_hash(source.encode()).hex()


def _noticed(module: DefectModule, defect: Defect | None, seconds: int) -> bool:
    """Run the module's tests in a child; a child that takes too long has noticed the defect."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        return _fails(module, defect, seconds, folder)


def _fails(module: DefectModule, defect: Defect | None, seconds: int, folder: str) -> bool:
    pid = os.fork()
    if pid == 0:
        _run_tests(module, defect, folder)
    deadline = time.monotonic() + seconds
    while (ended := os.waitpid(pid, os.WNOHANG))[0] == 0:
        if time.monotonic() > deadline:
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return True
        time.sleep(0.05)
    return ended[1] != 0


def _run_tests(module: DefectModule, defect: Defect | None, folder: str) -> None:
    code: int = 70
    try:
        os.setsid()
        silence = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(silence, descriptor)
        os.environ["TMPDIR"] = os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
        tempfile.tempdir = None
        if defect is not None:
            sys.meta_path.insert(0, _DefectFinder(module, defect))
        code = int(pytest.main([*_arguments(module.tests)]))
    finally:
        os._exit(code)


def _arguments(tests: Sequence[str]) -> list[str]:
    chosen = [str(ROOT / "tests" / each) for each in tests]
    loaded = "ignore::pytest.PytestAssertRewriteWarning"  # plugins that were imported above
    options = ["-x", "-q", "--no-header", "-p", "no:cacheprovider", "-W", loaded]
    return [*options, "-k", "not postgres", *chosen]


def _report(module: DefectModule, outcomes: Iterator[tuple[Defect, bool]]) -> int:
    found = [(defect, seen) for defect, seen in outcomes]
    unseen = [defect for defect, seen in found if not seen]
    open_ones = [defect for defect in unseen if defect.name not in module.harmless]
    counted = len(found) - (len(unseen) - len(open_ones))
    share = 1 - len(open_ones) / max(counted, 1)
    print(f"{module.path}: {len(found)} defects, {len(unseen) - len(open_ones)} without effect, "
          f"{counted - len(open_ones)} of {counted} noticed ({share:.0%})", flush=True)  # fmt: skip
    for defect in open_ones:
        print(f"  UNNOTICED line {defect.line}: {defect.name}", flush=True)
    names = {defect.name for defect in unseen}
    stale = [each for each in module.harmless if each not in names]
    for name in stale:
        print(f"  not an unnoticed defect any more: {name}")
    return 1 if share < _LEAST or stale else 0


if __name__ == "__main__":
    sys.exit(main())
