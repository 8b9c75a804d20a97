"""Tasks of `evals/datasets/agent_tasks`: a repository, instructions, and the expected result.

In texts `«3|ship {n}, »` is repeated with the numbers from 1; in file names `«60»` creates as
many files, whose texts have `{n}` as well. `«png»` is an image.
"""

from __future__ import annotations

import base64
import io
import json
import re
import subprocess
import tarfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent_harness import git
from sets import DATASETS

Files = Mapping[str, bytes]

_REPEATED = re.compile(r"«(\d+)\|([^»]*)»")
_MANY = re.compile(r"«(\d+)»")
_WORD = re.compile(r"\w+")
_PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class ReadingTask:
    """`summary` is said at the end, `never` stands in no commit, `json` files are compared so."""

    name: str
    prompts: tuple[str, ...]
    files: Files
    expected: Files
    status: str
    commits: int
    root: str
    json: frozenset[str]
    summary: str
    never: str

    def written(self, folder: Path) -> Path:
        """Create a repository with one commit."""
        for path, data in self.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        git(folder, "init", "--quiet", "--initial-branch=main")
        git(folder, "config", "core.autocrlf", "false")
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", "First")
        return folder

    @staticmethod
    def files_of(repository: Path, ref: str) -> Files:
        """Return all files of a commit, unchanged."""
        command = ["git", "archive", "--format=tar", ref]
        data = subprocess.run(command, cwd=repository, check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            members = [member for member in archive if member.isfile()]
            return {m.name: archive.extractfile(m).read() for m in members}  # type: ignore[union-attr]

    def differences(self, found: Files) -> Iterator[str]:
        """Yield differences between the files and the expected ones."""
        for path in sorted({*self.expected, *found}):
            expected, is_there = self.expected.get(path), found.get(path)
            if expected is None or is_there is None:
                yield f"{path} {'is missing' if is_there is None else 'should not be there'}"
            elif expected != is_there and not self._is_same_json(path, expected, is_there):
                yield f"{path} {_first_difference(expected, is_there)}"

    def _is_same_json(self, path: str, expected: bytes, found: bytes) -> bool:
        try:
            return path in self.json and json.loads(expected) == json.loads(found)
        except ValueError:
            return False


def reading_tasks() -> list[ReadingTask]:
    """Return all tasks, by name."""
    return [_task(path) for path in sorted((DATASETS / "agent_tasks").glob("*.toml"))]


def words_of(files: Files) -> Counter[str]:
    texts = (data.decode("utf-8", "replace") for data in files.values())
    return Counter(word for text in texts for word in _WORD.findall(text))


def _task(path: Path) -> ReadingTask:
    row = tomllib.loads(path.read_text())
    crlf, bom = row.get("crlf", ()), row.get("bom", ())
    texts = dict(_expanded(row["files"]))
    changed = dict(_expanded(row["expected"]))
    after: dict[str, Any] = {**texts}
    for name, change in changed.items():
        if isinstance(change, str):
            after[name] = change
        elif change.get("absent"):
            del after[name]
        else:
            after[name] = _replaced(name, texts[change.get("from", name)], change)
    return ReadingTask(
        path.stem,
        tuple(_repeated(prompt) for prompt in row["prompts"]),
        {name: _data(text, name in crlf, name in bom) for name, text in texts.items()},
        {name: _data(text, name in crlf, name in bom) for name, text in after.items()},
        row["status"],
        row["commits"],
        row.get("root", ""),
        frozenset(row.get("json", ())),
        row.get("summary", ""),
        row.get("never", ""),
    )


def _expanded(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if not (many := _MANY.search(name)):
            yield name, _repeated(value) if isinstance(value, str) else value
            continue
        for number in map(str, range(1, int(many[1]) + 1)):
            numbered = value.replace("{n}", number) if isinstance(value, str) else value
            yield _MANY.sub(number, name), numbered


def _repeated(text: str) -> str:
    def repeat(match: re.Match[str]) -> str:
        return "".join(match[2].replace("{n}", str(n)) for n in range(1, int(match[1]) + 1))

    return _REPEATED.sub(repeat, text)


def _replaced(name: str, text: str, change: Mapping[str, Any]) -> str:
    for old, new in change.get("replace", ()):
        assert text.count(old) == 1, f"{name} has {old!r} {text.count(old)} times"
        text = text.replace(old, new)
    return text


def _data(text: str, is_crlf: bool, has_bom: bool) -> bytes:
    if text == "«png»":
        return _PNG
    data = (text.replace("\n", "\r\n") if is_crlf else text).encode()
    return _BOM + data if has_bom else data


def _first_difference(expected: bytes, found: bytes) -> str:
    pairs = enumerate(zip(expected, found, strict=False))
    at = next((n for n, (a, b) in pairs if a != b), min(len(expected), len(found)))
    start = max(0, at - 30)
    return f"at {at}: {found[start : at + 50]!r}, expected {expected[start : at + 50]!r}"
