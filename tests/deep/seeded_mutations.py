"""Checks that each sentence of the interface has a test which notices when the product breaks it.

    python tests/deep/seeded_mutations.py [--only TEXT] [--skip TEXT] [--results FILE] [--list]
    python tests/deep/seeded_mutations.py --postgres [--results FILE]
    python tests/deep/seeded_mutations.py --interface FILE

`tests/contract/sentences.toml` has rows with a test and one mutation each: a file of the package,
a text in it and its replacement. The package is copied to a temporary folder; there each mutation
is applied on its own, its test runs against the copy, and the file is restored. A test that passes
has not seen the mutation: the run ends with status 1.

Tests run on SQLite. With `--postgres`, those that have a part on PostgreSQL run that part only, and
the rows of all others are left out. Each runs in a fork of this process, which has imported the
libraries but nothing of the package.

`--results` names a file in which runs add up: a mutation that was caught is not tried again.
`--interface` compares the stored list of sentences with the interface's text and runs no test.
"""

from __future__ import annotations

import argparse
import compileall
import hashlib
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from interface_sentences import (
    LIST,
    ROOT,
    TABLE,
    Row,
    Table,
    listed,
    problems,
    read_list,
    read_table,
)

LIBRARIES = (
    "alembic.command", "anthropic", "dbos", "fastapi.testclient", "graphql", "httpx", "hypothesis",
    "lxml.html", "markdown_it", "mcp", "msgspec", "numpy", "obstore", "openai", "PIL.Image",
    "psycopg", "pydantic_settings", "pygments.lexers", "pytest_timeout", "sqlalchemy", "tantivy",
    "trio", "typer", "uvicorn", "xdist.plugin", "yaml",
)  # fmt: skip
BATCH = 25  # rows whose tests run once together before their mutations are tried
ON_SQLITE, ON_POSTGRES = "not postgres", "postgres"  # parts of tests, for pytest's -k
OPTIONS = (
    "-x", "-q", "--no-header", "--tb=line", "-p", "no:cacheprovider",
    "-W", "ignore::pytest.PytestAssertRewriteWarning",  # plugins are among the libraries
)  # fmt: skip


class CaughtMutations:
    """Rows whose mutation was caught, in memory and in a file if there is one."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._caught = set(file.read_text().split()) if file and file.exists() else set()

    def __contains__(self, row: Row) -> bool:
        return _digest(row) in self._caught

    def add(self, row: Row) -> None:
        self._caught.add(_digest(row))
        if self._file is not None:
            self._file.write_text("\n".join(sorted(self._caught)))


def _digest(row: Row) -> str:
    return hashlib.sha256(repr(row).encode()).hexdigest()


def main() -> int:
    options = _options()
    known = read_list(LIST.read_text())
    table = read_table(TABLE.read_text())
    if options.interface:
        return _compare(known, listed(Path(options.interface).read_text()))
    wrong = problems(table, known)
    _print_lines(wrong)
    part = ON_POSTGRES if options.postgres else ON_SQLITE
    rows = _having(part, _chosen(table, options))
    if options.list:
        _print_lines(f"{row.says}\n    {row.test}" for row in rows)
        return 0
    results = CaughtMutations(options.results)
    due = [row for row in rows if row not in results]
    if due and not _check_in_a_copy(due, results, part):
        return 1
    unseen = [row for row in rows if row not in results]
    _summarize(table, rows, unseen)
    return 1 if wrong or unseen or not rows else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", action="append", default=[], help="only rows with this text; may be repeated"
    )
    parser.add_argument(
        "--skip", action="append", default=[], help="no rows with this text; may be repeated"
    )
    parser.add_argument("--postgres", action="store_true", help="only parts on PostgreSQL")
    parser.add_argument("--results", type=Path, help="file in which several runs add up")
    parser.add_argument("--list", action="store_true", help="list the rows and exit")
    parser.add_argument("--interface", help="compare the stored list with this Markdown and exit")
    return parser.parse_args()


def _print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def _compare(known: dict[str, str], found: dict[str, str]) -> int:
    missing = [words for words, digest in found.items() if known.get(words) != digest]
    surplus = [words for words in known if words not in found]
    _print_lines(f"new or changed: {found[words]} {words}" for words in missing)
    _print_lines(f"gone: {words}" for words in surplus)
    print(f"{len(found)} sentences, {len(found) - len(missing)} as they are stored")
    return 1 if missing or surplus else 0


def _chosen(table: Table, options: argparse.Namespace) -> list[Row]:
    named = ((row, f"{row.says} {row.test} {row.file}") for row in table.rows)
    return [
        row
        for row, name in named
        if any(text in name for text in options.only or [""])
        if not any(text in name for text in options.skip)
    ]


def _having(part: str, rows: Sequence[Row]) -> Sequence[Row]:
    """The rows whose test has this part; all have one on SQLite, or need no database."""
    if part == ON_SQLITE:
        return rows
    files = sorted({row.test.partition("::")[0] for row in rows})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-k", part, *files]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    named = {line.partition("[postgres")[0] for line in listed.splitlines()}
    return [row for row in rows if row.test in named]


def _check_in_a_copy(rows: Sequence[Row], results: CaughtMutations, part: str) -> bool:
    """Try the mutations; return False where tests fail without any."""
    for name in LIBRARIES:
        with suppress(ImportError):
            importlib.import_module(name)
    with tempfile.TemporaryDirectory(prefix="docstead-mutations-") as name:
        folder = Path(name)
        shutil.copytree(ROOT / "src", folder / "src")
        compileall.compile_dir(folder / "src", quiet=1)  # tests only read bytecode
        batches = (rows[at : at + BATCH] for at in range(0, len(rows), BATCH))
        return all(_check_batch(folder, batch, results, part) for batch in batches)


def _check_batch(folder: Path, rows: Sequence[Row], results: CaughtMutations, part: str) -> bool:
    if code := _run(folder, list(dict.fromkeys(row.test for row in rows)), part):
        print((folder / "output").read_text()[-4000:])
        print(f"the tests fail without a mutation (status {code})")
        return False
    for row in rows:
        if _is_caught(folder, row, part):
            results.add(row)
    return True


def _is_caught(folder: Path, row: Row, part: str) -> bool:
    """Report whether the test of a row notices its mutation."""
    began = time.monotonic()
    with _mutated(folder / "src" / "docstead" / row.file, row):
        code = _run(folder, [row.test], part)
    is_caught = code == pytest.ExitCode.TESTS_FAILED
    word = "caught" if is_caught else "unseen"
    print(f"{word}  {row.says}  ({row.test}, {time.monotonic() - began:.0f} s)", flush=True)
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        print((folder / "output").read_text()[-2000:], flush=True)
    return is_caught


@contextmanager
def _mutated(file: Path, row: Row) -> Iterator[None]:
    text = file.read_text()
    file.write_text(text.replace(row.old, row.new))
    try:
        yield
    finally:
        file.write_text(text)


def _run(folder: Path, tests: Sequence[str], part: str) -> int:
    """Run a part of tests against the copy in a fork of this process; the exit status of pytest."""
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
        code = int(pytest.main([*OPTIONS, "-k", part, *tests]))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def _summarize(table: Table, rows: Sequence[Row], unseen: Sequence[Row]) -> None:
    tested = {quote for row in table.rows for quote in row.of}
    noted = {quote for note in table.notes for quote in note.of}
    proved = {quote for row in rows for quote in row.of}
    proved -= {quote for row in unseen for quote in row.of}
    print(
        f"{len(tested | noted)} sentences: {len(tested)} with a test, {len(proved)} of them proved "
        f"by a mutation; {len(noted)} that no program can break"
    )
    print(f"{len(rows)} mutations: {len(rows) - len(unseen)} caught, {len(unseen)} not caught")


if __name__ == "__main__":
    sys.exit(main())
