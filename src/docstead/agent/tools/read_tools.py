"""Tools that list and read files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from docstead.agent.tools.limits import MORE_OF_LINE, ToolLimits, text_lines
from docstead.agent.tools.locations import ToolLocations
from docstead.agent.tools.result import ToolResult
from docstead.agent.tools.tool import AgentTool, ToolArguments
from docstead.agent.workspace.files import PathRefused, WorkspaceFiles
from docstead.repository.patterns import PathPatterns, check_pattern

_RESERVED_CHARACTERS = 200  # characters of a result reserved for the note about the rest
_EVERYTHING = 100  # folder levels


class ListArguments(ToolArguments):
    glob: str = Field("", max_length=500, description="'guides/**'; default: root.")
    depth: SkipJsonSchema[int | None] = Field(None, ge=1)  # rarely needed
    skip: int = Field(0, ge=0)
    repository: str | None = None


class ReadArguments(ToolArguments):
    path: str
    first_line: int = Field(1, ge=1)
    lines: int | None = Field(None, ge=1)
    first_column: int = Field(1, ge=1)
    rendered: bool = Field(False, description="A page as readers see it.")
    screen: int | None = Field(None, ge=1, description="Screenshot of that part of the page.")
    repository: str | None = None


class ReadTools:
    """`preview` returns a page as text, `photograph` a screenshot of a part of it."""

    def __init__(
        self,
        locations: ToolLocations,
        limits: ToolLimits,
        preview: Callable[[str], ToolResult],
        photograph: Callable[[str, int], ToolResult] | None = None,
    ) -> None:
        self._locations = locations
        self._limits = limits
        self._preview = preview
        self._photograph = photograph

    def tools(self) -> tuple[AgentTool, ...]:
        return (
            AgentTool("list_files", "List files.", ListArguments, self.list_files),
            AgentTool(
                "read_file",
                "Read a text file; parts have line numbers.",
                ReadArguments,
                self.read_file,
            ),
        )

    def list_files(self, asked: ListArguments) -> ToolResult:
        files = self._locations.to_read(asked.repository)
        depth = asked.depth or (_EVERYTHING if asked.glob else 1)
        patterns = globs([asked.glob or "**"])
        found = (path for path in visible(files) if patterns.includes(path))
        return self._listed(list(dict.fromkeys(_cut_at(path, depth) for path in found)), asked.skip)

    def read_file(self, asked: ReadArguments) -> ToolResult:
        if asked.screen is not None:
            if self._photograph is None:
                raise PathRefused("there are no screenshots here; rendered=true shows the text")
            return self._photograph(asked.path, asked.screen)
        if asked.rendered:
            return self._preview(asked.path)
        text = self._locations.to_read(asked.repository).text(asked.path)
        lines = text_lines(text)
        if not lines:
            return ToolResult("[the file is empty]")
        if asked.first_line > len(lines):
            raise PathRefused(f"{asked.path!r} has {len(lines)} lines")
        count = min(asked.lines or self._limits.read_lines, self._limits.read_lines)
        is_whole = asked.first_line == asked.first_column == 1 and len(lines) <= count
        if is_whole and len(text) <= self._limits.read_characters - _RESERVED_CHARACTERS:
            return ToolResult("\n".join(lines))
        return ToolResult(self._numbered(lines, asked.first_line, asked.first_column, count))

    def _numbered(self, lines: list[str], first: int, column: int, count: int) -> str:
        """Return as many numbered lines as fit; of a longer line, the part at `column`."""
        shown: list[str] = []
        left = self._limits.read_characters - _RESERVED_CHARACTERS
        for number, line in enumerate(lines[first - 1 : first - 1 + count], first):
            row = f"{number}\t{_part(line, number, column if number == first else 1, left)}"
            left -= len(row) + 1
            if shown and left < 0:
                break
            shown.append(row)
        last = first + len(shown) - 1
        if last < len(lines):
            shown.append(f"[lines {last + 1} to {len(lines)} follow; first_line={last + 1}]")
        return "\n".join(shown)

    def _listed(self, paths: list[str], skip: int) -> ToolResult:
        """Return as many paths as fit, and how to list the others."""
        left = self._limits.output_characters - _RESERVED_CHARACTERS
        rows: list[str] = []
        for path in paths[skip : skip + self._limits.listed_files]:
            left -= len(path) + 1
            if rows and left < 0:
                break
            rows.append(path)
        left = len(paths) - skip - len(rows)
        more = [f"[{left:,} more paths; skip={skip + len(rows)}]"] if left > 0 else []
        return ToolResult("\n".join([*rows, *more]) or "[no file matches]")


def _part(line: str, number: int, column: int, left: int) -> str:
    """Return a line from `column` on, with a note if it is longer than `left`.

    It is not cut within whitespace, which could be confused with that of the note.
    """
    rest = line[column - 1 :]
    if len(rest) <= left:
        return rest
    shown = rest[: max(left, 1)].rstrip() or rest[: max(left, 1)]
    missing, following = len(rest) - len(shown), column + len(shown)
    return f"{shown} [{missing:,} {MORE_OF_LINE}; first_line={number}, first_column={following}]"


def visible(files: WorkspaceFiles) -> Iterator[str]:
    """Yield files that `.gitignore` files do not exclude."""
    paths = list(files.walk())
    specs = _ignores(files, paths)
    return (path for path in paths if not _is_ignored(path, specs))


def globs(patterns: Iterable[str]) -> PathPatterns:
    """Compile patterns with the syntax of ripgrep's `--glob`.

    Raises:
        PathRefused: a pattern is invalid.
    """
    try:
        return PathPatterns(patterns)
    except ValueError as error:
        raise PathRefused(f"not a pattern of paths: {error}") from None


def _ignores(files: WorkspaceFiles, paths: Iterable[str]) -> list[tuple[str, PathPatterns]]:
    """Return the patterns of each `.gitignore` with its folder, outermost first."""
    found = []
    for path in paths:
        if path == ".gitignore" or path.endswith("/.gitignore"):
            lines = files.read(path).decode(errors="replace").splitlines()
            found.append((path.removesuffix(".gitignore"), _lenient(lines)))
    return sorted(found, key=lambda each: len(each[0]))


def _lenient(lines: list[str]) -> PathPatterns:
    """Compile a repository's own patterns, skipping invalid ones as git does."""
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
