"""Tool that replaces a term or pattern in many files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import re2
from pydantic import Field

from docstead.agent.tools.limits import ToolLimits, text_lines
from docstead.agent.tools.locations import check_writable
from docstead.agent.tools.result import ToolResult
from docstead.agent.tools.search_tools import compiled_pattern, searched_paths
from docstead.agent.tools.tool import AgentTool, ToolArguments
from docstead.agent.workspace.diffs import text_diff
from docstead.agent.workspace.files import WRITE_LIMIT_BYTES, PathRefused, WorkspaceFiles
from docstead.base.units import MIB
from docstead.repository.prose import markup_ranges

_SHOWN_LINES = 50
_SHOWN_FILES = 100
_SHOWN_CHARACTERS = 160  # characters before and after a match
_MOST_CHARACTERS = 64 * MIB  # of all changed files, which are in memory until they are written
_PROSE = (".mdx", ".md")
_GROUP = re.compile(r"\\(?:\\|(\d)(\d?))")  # or an escaped backslash


class ReplaceInFilesArguments(ToolArguments):
    pattern: str = Field(min_length=1, max_length=1_000)
    replacement: str = Field(max_length=10_000)
    globs: list[str] = Field(min_length=1, max_length=20)
    regex: bool = Field(False, description="RE2; \\1 is a group, (?i) ignores case.")
    prose_only: bool = Field(False, description="Not code, URLs and tags.")
    dry_run: bool = False


class ReplaceTools:
    def __init__(self, files: WorkspaceFiles, limits: ToolLimits) -> None:
        self._files = files
        self._limits = limits

    def tools(self) -> tuple[AgentTool, ...]:
        return (
            AgentTool(
                "replace_in_files",
                "Replace text in many files.",
                ReplaceInFilesArguments,
                self.replace,
            ),
        )

    def replace(self, asked: ReplaceInFilesArguments) -> ToolResult:
        changes = dict(self._changes(asked))
        if not changes:
            return ToolResult("[no file has that text]")
        before = {path: self._files.text(path) for path in changes}
        rows = [row for path in changes for row in _rows(path, before[path], changes[path])]
        counts = [f"{path}" for path in list(changes)[:_SHOWN_FILES]]
        if asked.dry_run:
            head = f"{len(rows)} lines in {len(changes)} files would change:"
            more = [f"[and {len(rows) - _SHOWN_LINES:,} more lines]"]
            return ToolResult(
                "\n".join([head, *rows[:_SHOWN_LINES], *more[: len(rows) > _SHOWN_LINES]])
            )
        for path in changes:
            check_writable(path)
        for path, after in changes.items():
            self._files.write(path, after)
        diff = "".join(text_diff(path, before[path], after) for path, after in changes.items())
        head = f"changed {len(rows)} lines in {len(changes)} files:"
        return ToolResult("\n".join([head, *counts]), diff=diff, changed=tuple(sorted(changes)))

    def _changes(self, asked: ReplaceInFilesArguments) -> Iterator[tuple[str, str]]:
        """Yield each changed file with its new text."""
        pattern = _pattern(asked)
        replacement = asked.replacement if asked.regex else asked.replacement.replace("\\", r"\\")
        left = _MOST_CHARACTERS
        for path in searched_paths(self._files, asked.globs):
            data = self._files.read_listed(path, self._limits.search_file_bytes)
            if data is None or not pattern.search(data):
                continue
            text = self._files.text(path)
            after = _replaced(text, pattern, replacement, prose_only=_is_prose(path, asked))
            if after != text:
                left -= len(after)
                if left < 0:
                    raise PathRefused("this changes too much at once; use narrower globs")
                yield path, after


def _is_prose(path: str, asked: ReplaceInFilesArguments) -> bool:
    return asked.prose_only and path.endswith(_PROSE)


def _pattern(asked: ReplaceInFilesArguments) -> Any:
    return compiled_pattern(asked.pattern, literal=not asked.regex, is_sensitive=True)


def _replaced(text: str, pattern: Any, replacement: str, *, prose_only: bool) -> str:
    data = text.encode()
    searched = _prose_bytes(text) if prose_only else data
    template = _template(replacement, pattern.groups).encode()
    parts: list[bytes] = []
    done, last = 0, (-1, -1)
    size = 0
    try:
        for match in pattern.finditer(searched):
            start, end = match.span()
            is_code = data[start : max(end, start + 1)] != searched[start : max(end, start + 1)]
            if is_code or (start, end) == last:  # RE2 finds an empty line end twice
                continue
            parts += (data[done:start], match.expand(template))
            done, last = end, (start, end)
            size += len(parts[-2]) + len(parts[-1])
            if size > WRITE_LIMIT_BYTES:
                raise PathRefused(f"a file would have over {WRITE_LIMIT_BYTES:,} bytes")
    except (IndexError, re2.error) as error:
        raise PathRefused(f"not a replacement: {error}") from None
    return b"".join((*parts, data[done:])).decode()


def _template(replacement: str, groups: int) -> str:
    """The replacement in Python's syntax. A second digit is text if it names no group."""

    def named(match: re.Match[str]) -> str:
        first, second = match.groups()
        if not first:
            return match[0]
        is_one = bool(second) and int(first + second) <= groups
        return rf"\g<{first}{second}>" if is_one else rf"\g<{first}>{second}"

    return _GROUP.sub(named, replacement)


def _prose_bytes(text: str) -> bytes:
    """Return the text with non-prose bytes replaced by line ends, which no pattern matches.

    Actual line ends become another byte, so that no replaced byte equals the original.
    """
    parts: list[bytes] = []
    done = 0
    for start, end in markup_ranges(text):
        kept = text[start:end].encode().split(b"\n")
        parts += (text[done:start].encode(), b"\r".join(b"\n" * len(line) for line in kept))
        done = end
    return b"".join((*parts, text[done:].encode()))


def _rows(path: str, before: str, after: str) -> list[str]:
    """Return the changed lines by number; texts with different line counts give one row."""
    old, new = text_lines(before), text_lines(after)
    if len(old) != len(new):
        return [f"{path}: {len(old)} lines become {len(new)}"]
    return [
        f"{path}:{number}: {_short(was)} -> {_short(now)}"
        for number, (was, now) in enumerate(zip(old, new, strict=True), 1)
        if was != now
    ]


def _short(line: str) -> str:
    text = line.strip()
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"
