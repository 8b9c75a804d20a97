"""Checks that each sentence of the interface has a test which notices when the product breaks it.

    python tests/deep/seeded_mutations.py [--only TEXT] [--skip TEXT] [--list]

`tests/contract/sentences.toml` names sentences. Each has a test and one mutation: a file of the
package, a text in it and its replacement. The package is copied to a temporary folder; there each
mutation is applied by itself, its test runs against the copy, and the file is restored. A test
that passes has not seen the mutation: the run ends with status 1.

Tests run on SQLite. Each runs in a fork of this process, which has imported the libraries but
nothing of the package.
"""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import sys
import tempfile
import time
import tomllib
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "tests" / "contract" / "sentences.toml"
LIBRARIES = (
    "alembic.command", "dbos", "fastapi.testclient", "httpx", "lxml.html", "mcp", "msgspec",
    "numpy", "obstore", "psycopg", "pydantic_settings", "sqlalchemy", "tantivy", "typer",
)  # fmt: skip
HOW = ("-x", "-q", "--no-header", "--tb=line", "-p", "no:cacheprovider", "-k", "not postgres")


@dataclass(frozen=True)
class Sentence:
    """A sentence, its test, and a mutation: `old` becomes `new` in `file` of the package."""

    says: str
    test: str
    file: str
    old: str
    new: str


class UnusableRow(Exception):
    """A row of the table that cannot be checked."""


def sentences() -> list[Sentence]:
    """Read the table."""
    rows = tomllib.loads(TABLE.read_text())["sentence"]
    return [Sentence(**row) for row in rows]


def main() -> int:
    options = _options()
    named = ((each, f"{each.says} {each.test}") for each in sentences())
    found = [
        each
        for each, name in named
        if options.only in name and not (options.skip and options.skip in name)
    ]
    if options.list:
        print(*(f"{each.says}\n    {each.test}" for each in found), sep="\n")
        return 0
    for name in LIBRARIES:
        with suppress(ImportError):
            importlib.import_module(name)
    with tempfile.TemporaryDirectory(prefix="docstead-mutations-") as name:
        folder = Path(name)
        shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
        return _check(folder, found)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="only rows whose sentence or test has this text")
    parser.add_argument("--skip", default="", help="pass over rows with this text")
    parser.add_argument("--list", action="store_true", help="list the rows and exit")
    return parser.parse_args()


def _check(folder: Path, found: Sequence[Sentence]) -> int:
    tests = list(dict.fromkeys(each.test for each in found))
    if code := _run(folder, tests):
        print((folder / "output").read_text()[-4000:])
        print(f"the tests fail without a mutation (status {code})")
        return 1
    verdicts = [_verdict(folder, each) for each in found]
    unseen = verdicts.count(False)
    print(f"{len(found)} sentences, {len(found) - unseen} mutations caught, {unseen} unseen")
    return 1 if unseen or not found else 0


def _verdict(folder: Path, each: Sentence) -> bool:
    """Report whether the test of a sentence notices its mutation."""
    began = time.monotonic()
    try:
        with _mutated(folder / "src" / "docstead" / each.file, each):
            code = _run(folder, [each.test])
    except UnusableRow as error:
        print(f"unseen  {each.says}: {error}", flush=True)
        return False
    is_caught = code == pytest.ExitCode.TESTS_FAILED
    word = "caught" if is_caught else "unseen"
    print(f"{word}  {each.says}  ({each.test}, {time.monotonic() - began:.0f} s)", flush=True)
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        print((folder / "output").read_text()[-2000:], flush=True)
    return is_caught


@contextmanager
def _mutated(file: Path, each: Sentence) -> Iterator[None]:
    text = file.read_text()
    if text.count(each.old) != 1:
        raise UnusableRow(f"{each.file} has {text.count(each.old)} times {each.old!r}")
    file.write_text(text.replace(each.old, each.new))
    try:
        yield
    finally:
        file.write_text(text)


def _run(folder: Path, tests: Sequence[str]) -> int:
    """Run tests against the copy in a fork of this process; the exit status of pytest."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    output = os.open(folder / "output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, sys.stdout.fileno())
    os.dup2(output, sys.stderr.fileno())
    source = str(folder / "src")
    sys.path.insert(0, source)
    sys.dont_write_bytecode = True
    os.environ |= {"PYTHONPATH": source, "PYTHONDONTWRITEBYTECODE": "1"}
    os.chdir(ROOT)
    code = 1
    try:
        code = int(pytest.main([*HOW, *tests]))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
