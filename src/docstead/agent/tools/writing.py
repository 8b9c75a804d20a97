"""Writing, replacing and deleting files."""

from __future__ import annotations

from pydantic import Field

from docstead.agent.tools.places import check_writable
from docstead.agent.tools.result import ToolResult
from docstead.agent.tools.tool import Arguments, Tool
from docstead.agent.workspace.diffs import text_diff
from docstead.agent.workspace.files import Files, Refused

_SHOWN_PLACES = 10
_PATH = "File from the documentation root, such as 'guides/start.mdx'."


class WriteArguments(Arguments):
    path: str = Field(description=_PATH)
    text: str = Field(description="The whole text of the file.")


class ReplaceArguments(Arguments):
    path: str = Field(description=_PATH)
    old: str = Field(min_length=1, description="Text of the file, exactly as it stands there.")
    new: str = Field(description="What stands there instead.")
    all: bool = Field(False, description="Replace every place; otherwise there must be just one.")


class DeleteArguments(Arguments):
    path: str = Field(description=_PATH)


class Writing:
    def __init__(self, files: Files) -> None:
        self._files = files

    def tools(self) -> tuple[Tool, ...]:
        return (
            Tool(
                "write_file",
                "Write a file, new or whole. To change a part of one, use replace_text.",
                WriteArguments,
                self.write,
            ),
            Tool(
                "replace_text",
                "Replace text in a file. The old text must stand there exactly once.",
                ReplaceArguments,
                self.replace,
            ),
            Tool(
                "delete_file",
                "Delete a file. Take a page out of the navigation too, and add a redirect.",
                DeleteArguments,
                self.delete,
            ),
        )

    def write(self, asked: WriteArguments) -> ToolResult:
        before = self._text(asked.path)
        return self._put(asked.path, before, _as_before(asked.text, before or ""))

    def replace(self, asked: ReplaceArguments) -> ToolResult:
        before = self._files.text(asked.path)
        old, new = _as_before(asked.old, before), _as_before(asked.new, before)
        count = before.count(old)
        if old == new:
            raise Refused("'old' and 'new' are the same")
        if count == 0:
            raise Refused(f"'old' does not stand in {asked.path!r}{_near(old, before)}")
        if count > 1 and not asked.all:
            raise Refused(
                f"'old' stands in {asked.path!r} {count} times, at lines {_places(old, before)}; "
                "add text around it, or use all=true"
            )
        return self._put(asked.path, before, before.replace(old, new))

    def delete(self, asked: DeleteArguments) -> ToolResult:
        check_writable(asked.path)
        before = self._text(asked.path) or ""
        self._files.delete(asked.path)
        diff = text_diff(asked.path, before, "")
        return ToolResult(f"deleted {asked.path}", diff=diff, changed=(asked.path,))

    def _text(self, path: str) -> str | None:
        return self._files.text(path) if self._files.kind(path) else None

    def _put(self, path: str, before: str | None, after: str) -> ToolResult:
        check_writable(path)
        if before == after:
            return ToolResult(f"{path} has that text already")
        self._files.write(path, after)
        diff = text_diff(path, before or "", after)
        told = "created" if before is None else "changed"
        return ToolResult(f"{told} {path}\n{diff}", diff=diff, changed=(path,))


def _as_before(text: str, before: str) -> str:
    """The text with the line ends of the file: models write plain newlines."""
    plain = text.replace("\r\n", "\n")
    return plain.replace("\n", "\r\n") if "\r\n" in before else plain


def _places(old: str, text: str) -> str:
    lines: list[str] = []
    at = text.find(old)
    while at >= 0 and len(lines) < _SHOWN_PLACES:
        lines.append(str(text.count("\n", 0, at) + 1))
        at = text.find(old, at + len(old))
    return ", ".join(lines)


def _near(old: str, text: str) -> str:
    """Where the text stands with other spaces, if it does."""
    wanted = "".join(old.split())
    first = next((line for line in old.splitlines() if line.strip()), "").strip()
    if wanted and wanted in "".join(text.split()):
        return "; it does with other spaces or line ends: read the file again"
    numbers = [n for n, line in enumerate(text.splitlines(), 1) if first and first in line]
    if numbers:
        return f"; its first line stands at line {numbers[0]}: read the file again"
    return ": read the file again"
