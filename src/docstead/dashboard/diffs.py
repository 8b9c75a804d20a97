"""File diffs as table rows: highlighted and numbered, with invisible characters made visible."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import PurePosixPath

from markupsafe import Markup

from docstead.agent.workspace.diffs import FileDiff
from docstead.dashboard.word_marks import Ranges, changed_words, marked
from docstead.markup.highlight import highlighted_lines

FILE_LINES = 1_500  # displayed lines of one file
ALL_LINES = 8_000  # displayed lines of all files
_LONGEST_LINE = 1_000  # characters of a line that is still highlighted
_AT_ONCE = 4_000  # characters that are highlighted in one batch
_SECONDS = 2.0  # processor time per page for highlighting and word comparison

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)")
_KINDS = {"+": "added", "-": "removed"}
_LANGUAGES = {
    "": "text", "mdx": "mdx", "md": "markdown", "yml": "yaml", "htm": "html", "mjs": "js",
    "jsx": "jsx", "tsx": "tsx",
}  # fmt: skip

# Invisible and bidirectional control characters, which can make code look different.
# ZWJ and variation selectors are allowed within emoji.
_ODD = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff"
    "\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
    "|(?<![\u2190-\u3299\U0001f000-\U0001faff0-9#*])\ufe0f"
    "|(?<![\u2190-\u3299\U0001f000-\U0001faff\ufe0f])\u200d"
)


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One row of a diff. `kind` is same, added, removed, or hunk for a hunk header."""

    kind: str
    old: int | None
    new: int | None
    html: Markup
    text: str = ""

    @property
    def side(self) -> str:
        """Version of the file that a comment on this row refers to."""
        return "before" if self.kind == "removed" else "after"

    @property
    def number(self) -> int | None:
        return self.old if self.kind == "removed" else self.new


SplitRow = tuple[DiffLine | None, DiffLine | None]


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file diff as displayed; `note` explains missing rows."""

    path: str
    status: str
    old_path: str | None
    additions: int
    deletions: int
    anchor: str
    lines: tuple[DiffLine, ...]
    note: str = ""
    digest: str = ""  # of the diff

    @property
    def split(self) -> Iterator[SplitRow]:
        """Rows of the split view as (before, after); a hunk header is on both sides."""
        for block in _blocks(self.lines):
            if block[0].kind in ("same", "hunk"):
                yield block[0], block[0]
                continue
            removed = [line for line in block if line.kind == "removed"]
            added = [line for line in block if line.kind == "added"]
            yield from zip_longest(removed, added)


def shown_files(files: Sequence[FileDiff]) -> list[ShownFile]:
    """Return the diffs to display, within the limits on lines and processor time."""
    shown, left = [], ALL_LINES
    ends_at = time.thread_time() + _SECONDS
    for number, file in enumerate(files, 1):
        code = _FileCode(_language(file.path), ends_at)
        one = _shown(file, f"file-{number}", min(left, FILE_LINES), code)
        left -= len(one.lines)
        shown.append(one)
    return shown


def visible(text: str) -> Markup:
    """Replace invisible characters in HTML with their code points."""
    return Markup(_ODD.sub(_named, text))  # noqa: S704 - the caller's HTML, and ours


def _named(match: re.Match[str]) -> str:
    return f'<span class="odd">U+{ord(match[0]):04X}</span>'


def _shown(file: FileDiff, anchor: str, most: int, code: _FileCode) -> ShownFile:
    lines = list(_lines(file.text.split("\n"), most)) if file.text else []
    one = ShownFile(
        file.path, file.status, file.old_path, file.additions, file.deletions, anchor,
        tuple(_highlighted(lines[:most], code)), digest=_digest(file),
    )  # fmt: skip
    if len(lines) > most:
        return replace(one, note="The rest is not shown because the diff is too long.")
    if lines:
        return one
    note = "Renamed without changes." if file.status == "renamed" else "Binary file."
    return replace(one, note=note)


def _digest(file: FileDiff) -> str:
    text = "\0".join((file.status, file.old_path or "", file.text))
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:32]


def _blocks(lines: Sequence[DiffLine]) -> Iterator[list[DiffLine]]:
    """Yield runs of removed and added rows, and every other row on its own."""
    run: list[DiffLine] = []
    for line in lines:
        if run and (line.kind not in ("removed", "added") or _is_next(run, line)):
            yield run
            run = []
        if line.kind in ("removed", "added"):
            run.append(line)
        else:
            yield [line]
    if run:
        yield run


def _is_next(run: Sequence[DiffLine], line: DiffLine) -> bool:
    """Report whether a removed row follows added ones and so starts another run."""
    return line.kind == "removed" and run[-1].kind == "added"


@dataclass(slots=True)
class _DiffRow:
    kind: str
    old: int | None
    new: int | None
    text: str
    words: Ranges = ()  # that differ from the paired line


def _lines(text: Iterable[str], most: int) -> Iterator[_DiffRow]:
    old = new = 0
    for count, line in enumerate(text):
        if count > most + 1:
            return
        if found := _HUNK.match(line):
            old, new = int(found[1]), int(found[2])
            if max(old, new) > 1 or found[3].strip():  # otherwise no lines are skipped before it
                yield _DiffRow("hunk", None, None, found[3].strip())
        elif line[:1] in ("+", "-", " "):
            kind = _KINDS.get(line[0], "same")
            is_old, is_new = kind != "added", kind != "removed"
            yield _DiffRow(kind, old if is_old else None, new if is_new else None, line[1:])
            old, new = old + is_old, new + is_new


@dataclass(frozen=True, slots=True)
class _FileCode:
    """Syntax highlighter of one file with a processor time limit.

    Lexers take quadratic time on some input, so they get small batches. Lines that are too long,
    or left when time is up, are not highlighted.
    """

    language: str
    ends_at: float  # thread processor time

    def html(self, texts: Sequence[str]) -> Iterator[str]:
        for some in _batched(texts):
            is_cheap = max(map(len, some)) <= _LONGEST_LINE and time.thread_time() < self.ends_at
            yield from highlighted_lines("\n".join(some), self.language if is_cheap else "text")


def _batched(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines in batches of about `_AT_ONCE` characters."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and size + len(text) >= _AT_ONCE:
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text) + 1
    if batch:
        yield batch


def _highlighted(rows: Sequence[_DiffRow], code: _FileCode) -> Iterator[DiffLine]:
    """Highlight each hunk twice: as it was before the change, and as it is after."""
    start = 0
    while start < len(rows):
        end = next((i for i in range(start + 1, len(rows)) if rows[i].kind == "hunk"), len(rows))
        yield from _part(rows[start:end], code)
        start = end


def _compare_words(rows: Sequence[_DiffRow], ends_at: float) -> None:
    """Find the differing words in each pair of a removed row and its replacement.

    Comparing lines with few, frequent words takes cubic time, so it stops when time is up.
    """
    start = 0
    while start < len(rows):
        end = start
        while end < len(rows) and rows[end].kind == "removed":
            end += 1
        stop = end
        while stop < len(rows) and rows[stop].kind == "added":
            stop += 1
        for old, new in zip(rows[start:end], rows[end:stop], strict=False):
            if time.thread_time() < ends_at:
                old.words, new.words = changed_words(old.text, new.text)
        start = max(stop, start + 1)


def _part(rows: Sequence[_DiffRow], code: _FileCode) -> Iterator[DiffLine]:
    _compare_words(rows, code.ends_at)
    before = code.html(_texts(rows, "added"))
    after = code.html(_texts(rows, "removed"))
    for row in rows:
        if row.kind == "hunk":
            yield DiffLine("hunk", None, None, visible(Markup.escape(row.text)))
            continue
        old = next(before) if row.kind != "added" else ""
        new = next(after) if row.kind != "removed" else ""
        html = visible(marked(new or old, row.words))
        yield DiffLine(row.kind, row.old, row.new, html, row.text)


def _texts(rows: Sequence[_DiffRow], other: str) -> list[str]:
    return [row.text for row in rows if row.kind not in ("hunk", other)]


def _language(path: str) -> str:
    suffix = PurePosixPath(path).suffix.lstrip(".").lower()
    return _LANGUAGES.get(suffix, suffix)
