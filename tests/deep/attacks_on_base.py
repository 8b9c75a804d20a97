"""Run the tests of tests/attacks against an older tree, where each file must fail, and this one.

    python tests/deep/attacks_on_base.py --base FOLDER [--only TEXT...] [--results FILE]

FOLDER is a work tree of Docstead with its own `.venv`. The tests of this tree are copied and run
with the package of that one, each file up to its first failure, and then with this package. A
file that cannot be imported there shows nothing: the code that it tests did not exist. Prints a
table of both outcomes. Ends with status 1 if a file passes there as a whole, or does not pass
here, but for those that ask again what was always refused. With `--results`, files that are in
the file already are not run again.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]
FAILS, NOT_THERE, PASSES = "fails", "cannot be imported", "passes"
NEVER_WORKED = {"test_smuggled_requests.py": "requests that two servers could read differently"}
_SECONDS = 300  # of one file; a test that hangs there has failed


def main() -> int:
    options = _options()
    found = json.loads(options.results.read_text()) if _exists(options.results) else {}
    files = sorted(ROOT.glob("tests/attacks/test_*.py"))
    chosen = [each for each in files if not options.only or _has(each, options.only)]
    chosen = [each for each in chosen if each.stem != "test_attack_table"]  # it attacks nothing
    with tempfile.TemporaryDirectory(prefix="docstead-attacks-") as name:
        trees = {
            _copied(Path(name, str(n)), tree): tree
            for n, tree in enumerate((options.base.resolve(), ROOT))
        }
        for file in chosen:
            if file.name not in found:
                runs = trees.items()
                found[file.name] = [_run(copy, file.relative_to(ROOT), tree) for copy, tree in runs]
                print(_row(file.name, found[file.name]), flush=True)
                if options.results:
                    options.results.write_text(json.dumps(found, indent=1))
    return _report({each.name: found[each.name] for each in chosen})


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[], help="parts of names of files")
    parser.add_argument("--results", type=Path, help="file that collects the results of runs")
    return parser.parse_args()


def _exists(path: Path | None) -> bool:
    return path is not None and path.exists()


def _has(file: Path, parts: list[str]) -> bool:
    return any(part in file.name for part in parts)


def _copied(folder: Path, tree: Path) -> Path:
    """Copy the tests of this tree next to the other files of `tree`."""
    ignored = shutil.ignore_patterns("node_modules", "__pycache__")
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", folder)
    for each in tree.iterdir():
        if each.name not in ("tests", "pyproject.toml", ".git", ".venv", ".pytest_cache"):
            (folder / each.name).symlink_to(each)
    return folder


def _row(name: str, outcomes: Sequence[Sequence[str]]) -> str:
    there, here = (f"{outcome} ({shown})" for outcome, shown in outcomes)
    return f"{name:32} base: {there:45} today: {here}"


def _run(copy: Path, file: Path, tree: Path) -> tuple[str, str]:
    """The outcome of one file with the package of a tree, and how its tests ended."""
    report = copy / "report.xml"
    report.unlink(missing_ok=True)
    python = tree / ".venv" / "bin" / "python"
    command = [str(python), "-m", "pytest", str(file), "-q", f"--junit-xml={report}"]
    command += ["-x", "-p", "no:cacheprovider", "--timeout=100"]
    try:
        ended = subprocess.run(
            command, cwd=copy, timeout=_SECONDS, capture_output=True, text=True, check=False
        )
    except subprocess.TimeoutExpired:
        return FAILS, "hangs"
    if not report.exists():
        return NOT_THERE, _last_line(ended.stdout + ended.stderr)
    return _outcome(ElementTree.parse(report).getroot())


def _outcome(report: ElementTree.Element) -> tuple[str, str]:
    kinds = Counter(_kind(case) for case in report.iter("testcase"))
    shown = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    if any("collection failure" in (e.get("message") or "") for e in report.iter("error")):
        return NOT_THERE, shown
    return (FAILS if kinds["failed"] or kinds["error"] else PASSES), shown


def _kind(case: ElementTree.Element) -> str:
    names = {"failure": "failed", "error": "error", "skipped": "skipped"}
    return next((name for tag, name in names.items() if case.find(tag) is not None), "passed")


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1][:100]


def _report(found: Mapping[str, Sequence[Sequence[str]]]) -> int:
    """Print all rows and the sums; the status is 1 if a file passes there, or fails here."""
    print(f"\n{len(found)} files")
    for name, outcomes in found.items():
        print(_row(name, outcomes) + _remark(name))
    there, here = (Counter(each[tree][0] for each in found.values()) for tree in (0, 1))
    for name, counts in (("base", there), ("today", here)):
        kinds = ", ".join(f"{counts[kind]} {kind}" for kind in (FAILS, NOT_THERE, PASSES))
        print(f"{name}: {kinds}")
    passed_there = {name for name, outcomes in found.items() if outcomes[0][0] == PASSES}
    return int(bool(passed_there - NEVER_WORKED.keys()) or here[PASSES] < len(found))


def _remark(name: str) -> str:
    return f" ({NEVER_WORKED[name]}: refused there too)" if name in NEVER_WORKED else ""


if __name__ == "__main__":
    sys.exit(main())
