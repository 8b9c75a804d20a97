"""Drops each condition of each query in turn and checks that a test fails.

A condition is an argument of `where`, `join`, `filter`, `and_` or `or_`, a comparison of columns
wherever it is written, or a part of the `WHERE` of an SQL text. Dropped ones become true
(alternatives of `or_` become false) in the memory of the process that runs the tests; no file
changes. A first pass runs the tests once and notes which conditions each one reaches; then each
condition is dropped, and only its tests run, until one fails.

Both passes can be interrupted: what is known stays in `.deep/conditions`. A condition that no
test notices fails the run, unless `conditions/harmless.toml` says why dropping it changes
nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import signal
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from conditions import children, rewriting, runtime
from conditions.children import PytestRun, RunOutcome

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "docstead"
STATE = ROOT / ".deep" / "conditions"
RESULTS = STATE / "results.json"
HARMLESS = Path(__file__).parent / "conditions" / "harmless.toml"
MAP_SECONDS = 600.0
FOLDERS = (
    "accounts", "limits", "storage", "jobs", "export", "agent", "assistant", "publishing",
    "dashboard", "api", "hosting", "app", "attacks",
)  # fmt: skip
# Long tests of other subjects. What they reach, others reach sooner.
LEFT_OUT = re.compile(
    r"test_(kill|lost|incremental|index_renewal|postgres|modern_clients|real_answers|injections"
    r"|shared_stores)\.py|agent/(tools|workspace|forges/(?!test_pull))|assistant/(checking|writing)"
)
SQLITE_ONLY = ("-k", "not postgres or test_nodes", "-m", "not browser")
_QUERY = re.compile(r"\.c\.|\bcolumns\.|\bSELECT\b")


@dataclass(frozen=True)
class ConditionSite:
    """A condition, its line and the tests that reach it, the quickest first."""

    name: str
    line: int
    tests: tuple[str, ...]
    at_import: bool = False

    @property
    def module(self) -> str:
        return self.name.partition("::")[0]


@dataclass
class Driver:
    """Collects the tests once; then each of its runs is a fork of this process."""

    options: argparse.Namespace
    code: int = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        known = _map(session, self.options)
        every = _sites(known, self.options.tests_seconds)
        sites = [each for each in every if _is_chosen(each.name, self.options.only)]
        if self.options.list:
            print(*(f"{each.line:4} {len(each.tests):4} {each.name}" for each in sites), sep="\n")
            return True
        results = {} if self.options.fresh else _earlier_results(every)
        tried = _try_all(session, sites, results, self.options)
        stale = _reasons().keys() - {each.name for each in every}
        chosen = (name for name in stale if _is_chosen(name, self.options.only))
        self.code = _report(sites, tried, sorted(chosen))
        return True


def _is_chosen(name: str, only: list[str]) -> bool:
    return not only or any(part in name for part in only)


def main() -> int:
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the children end, too
    driver = Driver(options)
    runtime.install()
    how = ["-q", "-s", "--no-header", "-p", "no:cacheprovider", "--tb=short", *SQLITE_ONLY]
    code = pytest.main([*how, *_test_files()], plugins=[driver])
    return driver.code or (0 if code in (0, 5) else int(code))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=480.0, help="time limit per condition")
    parser.add_argument(
        "--tests-seconds", type=float, default=150.0, help="of tests per condition, at most"
    )
    parser.add_argument("--only", nargs="*", default=[], help="parts of names of conditions")
    parser.add_argument(
        "--tests", default="", help="map only changed test files whose path matches this pattern"
    )
    parser.add_argument("--list", action="store_true", help="list the conditions and exit")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    return parser.parse_args()


# --- which test reaches what -------------------------------------------------------------


def _map(session: pytest.Session, options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """The conditions that each test reaches. Only changed test files run again."""
    folder = STATE / "map"
    folder.mkdir(parents=True, exist_ok=True)
    files = {file: _digest(file) for file in _test_files()}
    names: dict[str, list[str]] = {}
    for item in session.items:
        names.setdefault(item.nodeid.partition("::")[0], []).append(item.nodeid)
    changed = [
        PytestRun(file, names.get(file, []), seconds=MAP_SECONDS, first_failure=False)
        for file, digest in files.items()
        if re.search(options.tests, file) and not _is_mapped(folder, file, digest)
    ]
    outcomes = children.run_all(session, changed, options.processes)
    for number, outcome in enumerate(outcomes, 1):
        kept = {"digest": files[outcome.run.name], "tests": outcome.tests}
        _map_file(folder, outcome.run.name).write_text(json.dumps(kept))
        failed = sum(not each.get("passed") for each in outcome.tests.values())
        said = f"{len(outcome.tests)} tests, {failed} failed, {outcome.seconds:.0f} s"
        print(f"map {number}/{len(changed)} {outcome.run.name}: {said}", flush=True)
        if failed or outcome.exit_code:
            print(outcome.output[-2000:], flush=True)
    found: dict[str, dict[str, Any]] = {}
    for file in files:
        if (path := _map_file(folder, file)).exists():
            found |= json.loads(path.read_text())["tests"]
    return found


def _test_files() -> list[str]:
    found = (
        file.relative_to(ROOT).as_posix()
        for name in FOLDERS
        for file in sorted((ROOT / "tests" / name).rglob("test_*.py"))
    )
    return [file for file in found if not LEFT_OUT.search(file) and "node_modules" not in file]


def _is_mapped(folder: Path, file: str, digest: str) -> bool:
    path = _map_file(folder, file)
    return path.exists() and json.loads(path.read_text())["digest"] == digest


def _map_file(folder: Path, file: str) -> Path:
    return folder / f"{file.replace('/', '_')}.json"


def _digest(file: str) -> str:
    return hashlib.sha256((ROOT / file).read_bytes()).hexdigest()


# --- conditions --------------------------------------------------------------------------


def _sites(known: Mapping[str, Mapping[str, Any]], most_seconds: float) -> list[ConditionSite]:
    """Every condition of the source, with the tests that reach it."""
    reached: dict[str, list[str]] = {}
    for test, kept in sorted(known.items(), key=lambda each: each[1]["seconds"]):
        for name in kept.get("sites", ()) if kept.get("passed") else ():
            reached.setdefault(name, []).append(test)
    found: list[ConditionSite] = []
    for path, marker in _marked_modules():
        starred = {
            name: marker.lines.get(name.rpartition("[")[0], 0)
            for name in reached
            if name.startswith(f"{path}::")
            and name not in marker.sites
            and name.rpartition("[")[0] in marker.lines  # maps of older code have others
        }
        for name, line in sorted({**marker.sites, **starred}.items(), key=lambda each: each[1]):
            tests = reached.get(name, [])
            if not tests and not _looks_like_query(name):
                continue
            at_import = name in marker.at_import
            if at_import:
                tests = reached.get(path, [])
            found.append(
                ConditionSite(name, line, _nearest(path, tests, known, most_seconds), at_import)
            )
    return found


def _marked_modules() -> Iterator[tuple[str, rewriting.Marker]]:
    for file in sorted(SOURCE.rglob("*.py")):
        source = file.read_text()
        if "sqlalchemy" in source or " WHERE " in source:
            path = runtime.module_path(str(file))
            if not path.startswith("storage/migrations"):
                yield path, rewriting.mark(source, path)[1]


def _looks_like_query(name: str) -> bool:
    return bool(_QUERY.search(name.rpartition("::")[2]))


def _nearest(
    path: str, tests: list[str], known: Mapping[str, Mapping[str, Any]], most_seconds: float
) -> tuple[str, ...]:
    """The tests of the same package first, as many as there is time for."""
    package = path.partition("/")[0]
    ordered = sorted(
        tests, key=lambda each: ("/test_neighbours.py" not in each, f"/{package}/" not in each)
    )
    spent = accumulate(known[each]["seconds"] for each in ordered)
    return tuple(
        each for each, seconds in zip(ordered, spent, strict=True) if seconds < most_seconds
    )


# --- dropping ----------------------------------------------------------------------------


def _earlier_results(sites: list[ConditionSite]) -> dict[str, dict[str, str]]:
    """Results of earlier runs, except those of conditions that no longer exist."""
    if not RESULTS.exists():
        return {}
    results = json.loads(RESULTS.read_text())
    return {each.name: results[each.name] for each in sites if each.name in results}


def _try_all(
    session: pytest.Session,
    sites: list[ConditionSite],
    results: dict[str, dict[str, str]],
    options: argparse.Namespace,
) -> dict[str, dict[str, str]]:
    sources = {each.module: _digest(f"src/docstead/{each.module}") for each in sites}
    reasons = _reasons()
    for name in reasons:
        results[name] = {"outcome": "explained"}
    todo = [
        each
        for each in sites
        if each.name not in reasons and not _is_resolved(results, each, sources)
    ]
    by_name = {each.name: each for each in todo}
    runs = (
        PytestRun(each.name, each.tests, each.name, options.seconds, each.at_import)
        for each in todo
        if each.tests
    )
    for each in todo:
        if not each.tests:
            results[each.name] = {"outcome": "unreached", "source": sources[each.module]}
    outcomes = children.run_all(session, runs, options.processes)
    for number, outcome in enumerate(outcomes, 1):
        result = _result(outcome)
        result["source"] = sources[by_name[outcome.run.name].module]
        results[outcome.run.name] = result
        RESULTS.write_text(json.dumps(results, indent=1))
        print(f"{number}/{len(todo)} {result['outcome']:9} {outcome.seconds:4.0f} s "
              f"{outcome.run.name}", flush=True)  # fmt: skip
    RESULTS.write_text(json.dumps(results, indent=1))
    return results


def _is_resolved(
    results: Mapping[str, Mapping[str, str]], site: ConditionSite, sources: Mapping[str, str]
) -> bool:
    known = results.get(site.name)
    return known is not None and known["outcome"] == "noticed" and (
        known["source"] == sources[site.module]
    )  # fmt: skip


def _result(outcome: RunOutcome) -> dict[str, str]:
    if outcome.exit_code == 0:
        return {"outcome": "UNNOTICED", "by": ""}
    if outcome.exit_code is None:
        return {"outcome": "noticed", "by": "time limit"}
    failed = [name for name, kept in outcome.tests.items() if not kept.get("passed")]
    if not failed and outcome.exit_code != 1:
        return {"outcome": "broken", "by": outcome.output[-500:]}
    return {"outcome": "noticed", "by": failed[0] if failed else ""}


# --- the report --------------------------------------------------------------------------


def _report(
    sites: list[ConditionSite], results: Mapping[str, Mapping[str, str]], stale: list[str]
) -> int:
    reasons = _reasons()
    table: dict[str, list[int]] = {}
    open_ones = []
    for site in sites:
        row = table.setdefault(site.module, [0, 0, 0, 0])
        outcome = results[site.name]["outcome"]
        column = 1 if outcome == "noticed" else 2 if site.name in reasons else 3
        row[0] += 1
        row[column] += 1
        if column == 3:
            open_ones.append((site, outcome))
    _print_table(table)
    for site, outcome in open_ones:
        print(f"{outcome}: {site.name} (line {site.line})")
    for name in stale:
        print(f"not a condition any more: {name}")
    return 1 if open_ones or stale else 0


def _reasons() -> dict[str, str]:
    """Why dropping a condition changes nothing, by the condition's name."""
    found = tomllib.loads(HARMLESS.read_text())["harmless"]
    return {each["condition"]: each["reason"] for each in found}


def _print_table(table: Mapping[str, list[int]]) -> None:
    print(f"{'module':42}{'conditions':>11}{'noticed':>9}{'explained':>11}{'unnoticed':>11}")
    totals = [sum(column) for column in zip(*table.values(), strict=True)] or [0] * 4
    for name, row in (*table.items(), ("all", totals)):
        print(f"{name:42}{row[0]:>11}{row[1]:>9}{row[2]:>11}{row[3]:>11}")


if __name__ == "__main__":
    sys.exit(main())
