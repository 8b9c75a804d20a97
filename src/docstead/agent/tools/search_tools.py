"""Text search with ripgrep's semantics, in linear time for every pattern."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import re2
from pydantic import Field

from docstead.agent.tools.limits import MORE_OF_LINE, ToolLimits
from docstead.agent.tools.locations import ToolLocations
from docstead.agent.tools.published import SearchPublished
from docstead.agent.tools.read_tools import globs, visible
from docstead.agent.tools.result import ToolResult
from docstead.agent.tools.tool import AgentTool, ToolArguments
from docstead.agent.workspace.files import PathRefused, WorkspaceFiles

_RESERVED_CHARACTERS = 200  # characters of a result reserved for the note about the rest
_MATCHES = 200  # default of the model's limit
_PASSAGES = 8  # of the published site
_MEMORY_BYTES = 16 << 20  # memory per pattern
_MEANT = re.compile(r"[^\w !\"#%&',/:;<=>@`~-]")  # characters with a special meaning in patterns


class SearchArguments(ToolArguments):
    pattern: str = Field(min_length=1, max_length=1_000)
    literal: bool = False
    globs: list[str] = Field(default_factory=list, max_length=20, description="'!*.json' excludes.")
    context: int = Field(0, ge=0)
    limit: int | None = Field(None, ge=1, le=1_000)
    skip: int = Field(0, ge=0)
    output: Literal["lines", "files", "count"] | None = None
    published: bool = Field(False, description="Search the site by meaning.")
    repository: str | None = None


@dataclass(frozen=True, slots=True)
class _FileMatches:
    path: str
    lines: list[str]
    numbers: list[int]  # indexes of matching lines, from 0


@dataclass(frozen=True, slots=True)
class _WordFilter:
    """Excludes texts without a match faster than a pattern.

    Texts are not excluded if they contain characters that fold to those of the word, such as the
    Kelvin sign to k.
    """

    text: bytes  # lower case; empty if the pattern is more than a word

    @classmethod
    def of(cls, asked: SearchArguments) -> _WordFilter:
        is_plain = asked.pattern.isascii() and (asked.literal or not _MEANT.search(asked.pattern))
        return cls(asked.pattern.lower().encode() if is_plain else b"")

    def may_be_in(self, data: bytes) -> bool:
        return not self.text or not data.isascii() or self.text in data.lower()


class SearchTools:
    """`search_published` searches the published site."""

    def __init__(
        self, locations: ToolLocations, limits: ToolLimits, search_published: SearchPublished | None
    ) -> None:
        self._locations = locations
        self._limits = limits
        self._search_published = search_published

    def tools(self) -> tuple[AgentTool, ...]:
        return (
            AgentTool(
                "search_text",
                "Search files with an RE2 regular expression, ignoring case.",
                SearchArguments,
                self.search,
            ),
        )

    def search(self, asked: SearchArguments) -> ToolResult:
        if asked.published:
            return self._published(asked)
        files = self._locations.to_read(asked.repository)
        pattern = _compiled(asked)
        if asked.output in (None, "lines"):
            return self._matching(asked, self._found(asked, files, pattern), pattern)
        rows = [_summed(found, asked.output) for found in self._found(asked, files, pattern)]
        return ToolResult("\n".join(rows) or "[no line matches]")

    def _published(self, asked: SearchArguments) -> ToolResult:
        if self._search_published is None:
            raise PathRefused("the site is not published")
        found = self._search_published(asked.pattern, min(asked.limit or _PASSAGES, _PASSAGES))
        shown = (f"## {each.title}\n{each.path}\n\n{each.text}" for each in found)
        return ToolResult("\n\n".join(shown) or "[nothing was found]")

    def _matching(
        self, asked: SearchArguments, found_files: Iterator[_FileMatches], pattern: Any
    ) -> ToolResult:
        """Return as many matching lines as fit, and how to get the others."""
        left = self._limits.output_characters - _RESERVED_CHARACTERS
        most = min(asked.limit or _MATCHES, self._limits.search_matches)
        rows: list[str] = []
        total = shown = 0
        for found in found_files:
            begin = max(0, asked.skip - total)
            total += len(found.numbers)
            for group in self._groups(found, found.numbers[begin:], asked.context, pattern):
                size = sum(len(row) + 1 for row in group)
                if shown == most or (rows and size > left):
                    left = -1  # the rest is only counted
                    break
                rows += group
                left -= size
                shown += 1
        left = max(0, total - asked.skip - shown)
        more = [f"[{left:,} more matching lines; skip={asked.skip + shown}]"] if left else []
        return ToolResult("\n".join([*rows, *more]) or "[no line matches]")

    def _found(
        self, asked: SearchArguments, files: WorkspaceFiles, pattern: Any
    ) -> Iterator[_FileMatches]:
        paths, word = searched_paths(files, asked.globs), _WordFilter.of(asked)
        for path in paths:
            data = (files.read_listed(path, self._limits.search_file_bytes) or b"").rstrip(b"\n")
            if not word.may_be_in(data):
                continue
            data = data.replace(b"\r\n", b"\n")
            if numbers := list(_matching_lines(pattern, data)):
                yield _FileMatches(path, data.decode(errors="replace").split("\n"), numbers)

    def _groups(
        self, found: _FileMatches, numbers: list[int], context: int, pattern: Any
    ) -> Iterator[list[str]]:
        """Yield the rows of each match in ripgrep's format: `path:12:match`, `path-11-context`.

        `--` separates groups that are not adjacent.
        """
        last = -1
        for number, following in pairwise([*numbers, len(found.lines)]):
            start = max(0, number - context, last + 1)
            end = min(following, number + context + 1)
            rows = ["--"] if context and last >= 0 and start > last + 1 else []
            for at in range(start, end):
                mark = ":" if at == number else "-"
                rows.append(f"{found.path}{mark}{at + 1}{mark}{self._line(found, at, pattern)}")
            last = end - 1
            yield rows

    def _line(self, found: _FileMatches, number: int, pattern: Any) -> str:
        """Return a line; of a very long one, the part around its first match, with notes."""
        line, most = found.lines[number], self._limits.found_line_characters
        if len(line) <= most:
            return line
        match = pattern.search(line.encode())
        at = len(line.encode()[: match.start()].decode(errors="replace")) if match else 0
        start = max(0, min(at - most // 4, len(line) - most))
        before = f"[{start:,} characters] " if start else ""
        left = len(line) - start - most
        after = f" [{left:,} {MORE_OF_LINE}]" if left > 0 else ""
        return f"{before}{line[start : start + most]}{after}"


def _matching_lines(pattern: Any, data: bytes) -> Iterator[int]:
    """Yield indexes of matching lines from 0, each at most once."""
    at = number = 0
    while at <= len(data) and data and (match := pattern.search(data, at)):
        number += data.count(b"\n", at, match.start())
        yield number
        end = data.find(b"\n", match.start())
        if end < 0:
            return
        at, number = end + 1, number + 1


def searched_paths(files: WorkspaceFiles, patterns: list[str]) -> Iterator[str]:
    """Yield visible files that match; patterns that begin with `!` exclude files."""
    requested = [pattern for pattern in patterns if not pattern.startswith("!")]
    unwanted = [pattern.removeprefix("!") for pattern in patterns if pattern.startswith("!")]
    keep, leave = globs(requested), globs(unwanted)
    for path in visible(files):
        if requested and not keep.includes(path):
            continue
        if not unwanted or not leave.includes(path):
            yield path


def _compiled(asked: SearchArguments) -> Any:
    return compiled_pattern(asked.pattern, literal=asked.literal, is_sensitive=False)


def compiled_pattern(text: str, *, literal: bool, is_sensitive: bool) -> Any:
    """Compile a line pattern in RE2's syntax.

    Raises:
        PathRefused: the pattern is invalid.
    """
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY_BYTES
    options.never_nl = True  # a match does not cross lines
    options.case_sensitive = is_sensitive
    options.encoding = re2.Options.Encoding.UTF8
    pattern = re2.escape(text) if literal else text
    try:
        return re2.compile(f"(?m){pattern}".encode(errors="replace"), options)
    except re2.error as error:
        raise PathRefused(f"not a regular expression: {error.args[0]!r}") from None


def _summed(found: _FileMatches, output: str) -> str:
    return found.path if output == "files" else f"{found.path}:{len(found.numbers)}"
