"""Diffs between two trees, by file."""

from __future__ import annotations

import difflib
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docstead.agent.workspace.bare_repository import BareRepository
from docstead.publishing.git_process import OUTPUT_BYTES

_STATUS = {"A": "added", "M": "modified", "D": "deleted", "R": "renamed", "T": "modified"}
_OPTIONS = ("-r", "-z", "--no-ext-diff", "--no-textconv", "--find-renames", "--full-index")
_PATCH = (
    "-r", "--patch", "--no-ext-diff", "--no-textconv", "--find-renames", "--no-color",
    "--src-prefix=a/", "--dst-prefix=b/",
)  # fmt: skip
_HEADER = re.compile(r"(?m)^diff --git ")
# Beyond these, a comparison may take minutes.
_COMPARED_LINES = 20_000
_COMPARED_PAIRS = 2_000_000


@dataclass(frozen=True, slots=True)
class FileDiff:
    """A changed file. `text` is its unified diff, "" for binary files and plain renames."""

    path: str
    status: str  # added, modified, deleted or renamed
    old_path: str | None  # of renamed files
    text: str
    additions: int
    deletions: int


@dataclass(frozen=True, slots=True)
class FileChange:
    path: str
    status: str
    old_path: str | None = None
    is_retyped: bool = False  # a file became a symbolic link, or vice versa


def changes_between(store: BareRepository, before: str, after: str) -> tuple[FileChange, ...]:
    """Return the changed files, by path."""
    if before == after:
        return ()
    output = store.compared(before, after, *_OPTIONS, "--name-status")
    fields = iter(os.fsdecode(field) for field in output.split(b"\0")[:-1])
    return tuple(_changes(fields))


def _changes(fields: Iterator[str]) -> Iterator[FileChange]:
    for code in fields:
        path = next(fields)
        if code[0] == "R":
            yield FileChange(next(fields), "renamed", path)
        else:
            yield FileChange(path, _STATUS.get(code[0], "modified"), is_retyped=code[0] == "T")


def diffs_between(
    store: BareRepository,
    before: str,
    after: str,
    *,
    limit_bytes: int = OUTPUT_BYTES,
    as_text: bool = False,
) -> tuple[FileDiff, ...]:
    """Return unified diffs of changed files, by path; with `as_text` also of binary files.

    Raises:
        SourceUnreadable: they are longer than `limit_bytes` in total.
    """
    found = changes_between(store, before, after)
    if not found:
        return ()
    options = (*_PATCH, "--text") if as_text else _PATCH
    output = store.compared(before, after, *options, limit_bytes=limit_bytes)
    parts = iter(_HEADER.split(output.decode(errors="replace"))[1:])
    # A changed type is reported as a deletion and an addition.
    return tuple(
        _diff(change, [next(parts) for _ in range(1 + change.is_retyped)]) for change in found
    )


def _diff(change: FileChange, parts: Sequence[str]) -> FileDiff:
    text = "".join(part[at + 1 :] for part in parts if (at := part.find("\n@@ ")) >= 0)
    lines = text.split("\n")
    return FileDiff(
        change.path,
        change.status,
        change.old_path,
        text,
        sum(line.startswith("+") for line in lines),
        sum(line.startswith("-") for line in lines),
    )


def text_diff(path: str, before: str, after: str) -> str:
    """Return the unified diff of a text, or "" if it is unchanged.

    Between texts that are hard to compare, all lines from the first to the last change are shown.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    names = f"a/{path}" if before else "/dev/null", f"b/{path}" if after else "/dev/null"
    compare = _changed_part if _is_hard_to_compare(old, new) else difflib.unified_diff
    lines = compare(old, new, *names)
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def _changed_part(old: Sequence[str], new: Sequence[str], was: str, now: str) -> Iterator[str]:
    """Yield a diff with one hunk, from the first changed line to the last."""
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    removed, added = old[start : len(old) - end], new[start : len(new) - end]
    yield from (f"--- {was}\n", f"+++ {now}\n")
    yield f"@@ -{start + 1},{len(removed)} +{start + 1},{len(added)} @@\n"
    yield from (f"-{line}" for line in removed)
    yield from (f"+{line}" for line in added)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many lines are the same at the beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _is_hard_to_compare(old: Sequence[str], new: Sequence[str]) -> bool:
    """Report whether changed texts have many lines, or many pairs of equal ones."""
    if not old or not new or old == new:
        return False
    counts = Counter(new)
    pairs = sum(count * counts[line] for line, count in Counter(old).items())
    return len(old) + len(new) > _COMPARED_LINES or pairs > _COMPARED_PAIRS
