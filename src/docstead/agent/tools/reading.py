"""Listing, finding and reading files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pydantic import Field

from docstead.agent.tools.limits import MORE_OF_LINE, ToolLimits, text_lines
from docstead.agent.tools.places import Places
from docstead.agent.tools.result import ToolResult
from docstead.agent.tools.tool import Arguments, Tool
from docstead.agent.workspace.files import Files, Refused
from docstead.agent.workspace.paths import check_path
from docstead.repository.patterns import PathPatterns, check_pattern

_ROOM_FOR_MARKS = 200  # characters of a result that say what follows
_SKIP = "Paths to pass over."
_REPOSITORY = Field(None, description="Another repository to read from, by its name.")


class ListArguments(Arguments):
    folder: str = Field("", description="Empty for the root.")
    depth: int = Field(1, ge=1, le=20, description="Levels of folders to show.")
    skip: int = Field(0, ge=0, description=_SKIP)
    repository: str | None = _REPOSITORY


class FindArguments(Arguments):
    glob: str = Field(
        min_length=1, max_length=500, description="Such as 'guides/**/*.mdx' or '*.json'."
    )
    skip: int = Field(0, ge=0, description=_SKIP)
    repository: str | None = _REPOSITORY


class ReadArguments(Arguments):
    path: str = Field(description="Such as 'guides/start.mdx'.")
    first_line: int = Field(1, ge=1)
    lines: int | None = Field(None, ge=1, description="How many; all by default.")
    first_column: int = Field(
        1, ge=1, description="Where to begin in first_line, for very long lines."
    )
    repository: str | None = _REPOSITORY


class Reading:
    def __init__(self, places: Places, limits: ToolLimits) -> None:
        self._places = places
        self._limits = limits

    def tools(self) -> tuple[Tool, ...]:
        return (
            Tool("list_files", "List a folder.", ListArguments, self.list_files),
            Tool(
                "find_files",
                "Find files by path, with a pattern as in .gitignore.",
                FindArguments,
                self.find_files,
            ),
            Tool(
                "read_file",
                "Read a text file. The line numbers shown are not part of it.",
                ReadArguments,
                self.read_file,
            ),
        )

    def list_files(self, asked: ListArguments) -> ToolResult:
        files = self._places.to_read(asked.repository)
        folder = check_path(asked.folder, folders=True)
        if files.kind(folder) != "folder":
            raise Refused(f"there is no folder {asked.folder!r}")
        prefix = f"{folder}/" if folder else ""
        inner = (path.removeprefix(prefix) for path in visible(files, prefix))
        shown = list(dict.fromkeys(_cut_at(path, asked.depth) for path in inner))
        return self._listed(shown, asked.skip, "the folder is empty")

    def find_files(self, asked: FindArguments) -> ToolResult:
        files = self._places.to_read(asked.repository)
        patterns = globs([asked.glob])
        return self._listed(
            [path for path in visible(files) if patterns.includes(path)],
            asked.skip,
            "no file matches",
        )

    def read_file(self, asked: ReadArguments) -> ToolResult:
        text = self._places.to_read(asked.repository).text(asked.path)
        lines = text_lines(text)
        if not lines:
            return ToolResult("[the file is empty]")
        if asked.first_line > len(lines):
            raise Refused(f"{asked.path!r} has {len(lines)} lines")
        count = min(asked.lines or self._limits.read_lines, self._limits.read_lines)
        return ToolResult(self._numbered(lines, asked.first_line, asked.first_column, count))

    def _numbered(self, lines: list[str], first: int, column: int, count: int) -> str:
        """Whole lines, as many as one result may hold; of a longer line the part at `column`."""
        shown: list[str] = []
        room = self._limits.read_characters - _ROOM_FOR_MARKS
        for number, line in enumerate(lines[first - 1 : first - 1 + count], first):
            row = f"{number}\t{_part(line, number, column if number == first else 1, room)}"
            room -= len(row) + 1
            if shown and room < 0:
                break
            shown.append(row)
        last = first + len(shown) - 1
        if last < len(lines):
            shown.append(f"[lines {last + 1} to {len(lines)} follow; first_line={last + 1}]")
        return "\n".join(shown)

    def _listed(self, paths: list[str], skip: int, nothing: str) -> ToolResult:
        """As many paths as one result may hold, and how to see the others."""
        room = self._limits.output_characters - _ROOM_FOR_MARKS
        rows: list[str] = []
        for path in paths[skip : skip + self._limits.listed_files]:
            room -= len(path) + 1
            if rows and room < 0:
                break
            rows.append(path)
        left = len(paths) - skip - len(rows)
        more = [f"[{left:,} more paths; skip={skip + len(rows)}]"] if left > 0 else []
        return ToolResult("\n".join([*rows, *more]) or f"[{nothing}]")


def _part(line: str, number: int, column: int, room: int) -> str:
    """The line from `column` on, with a mark where it is longer than `room`.

    It is not cut in white space, which nobody could tell from the mark's.
    """
    rest = line[column - 1 :]
    if len(rest) <= room:
        return rest
    shown = rest[: max(room, 1)].rstrip() or rest[: max(room, 1)]
    missing, following = len(rest) - len(shown), column + len(shown)
    return f"{shown} [{missing:,} {MORE_OF_LINE}; first_line={number}, first_column={following}]"


def visible(files: Files, prefix: str = "") -> Iterator[str]:
    """Files that `.gitignore` files do not hide, below a folder given with its slash."""
    paths = list(files.walk(prefix.rstrip("/")))
    specs = _ignores(files, paths if not prefix else files.walk())
    return (path for path in paths if not _is_ignored(path, specs))


def globs(patterns: Iterable[str]) -> PathPatterns:
    """Patterns as ripgrep's `--glob` takes them. Raises `Refused` for what is none."""
    try:
        return PathPatterns(patterns)
    except ValueError as error:
        raise Refused(f"not a pattern of paths: {error}") from None


def _ignores(files: Files, paths: Iterable[str]) -> list[tuple[str, PathPatterns]]:
    """Each `.gitignore` with its folder, outermost first."""
    found = []
    for path in paths:
        if path == ".gitignore" or path.endswith("/.gitignore"):
            lines = files.read(path).decode(errors="replace").splitlines()
            found.append((path.removesuffix(".gitignore"), _lenient(lines)))
    return sorted(found, key=lambda each: len(each[0]))


def _lenient(lines: list[str]) -> PathPatterns:
    """A repository's own patterns, of which broken ones are passed over, as git does."""
    kept = []
    for line in lines:
        try:
            check_pattern(line)
        except ValueError:
            continue
        kept.append(line)
    return PathPatterns(kept)


def _is_ignored(path: str, specs: list[tuple[str, PathPatterns]]) -> bool:
    ignored = False
    for folder, patterns in specs:
        if path.startswith(folder):
            chosen = patterns.decide(path.removeprefix(folder))
            ignored = ignored if chosen is None else chosen
    return ignored


def _cut_at(path: str, depth: int) -> str:
    parts = path.split("/")
    return path if len(parts) <= depth else "/".join(parts[:depth]) + "/"
