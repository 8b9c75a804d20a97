"""Tools that write, edit and delete files. Results do not repeat written text."""

from __future__ import annotations

import re

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from docstead.agent.tools.limits import MORE_OF_LINE, text_lines
from docstead.agent.tools.locations import check_writable
from docstead.agent.tools.result import ToolResult
from docstead.agent.tools.tool import AgentTool, ToolArguments
from docstead.agent.workspace.diffs import text_diff
from docstead.agent.workspace.files import WRITE_LIMIT_BYTES, PathRefused, WorkspaceFiles
from docstead.content.slugs import PAGE_SUFFIXES
from docstead.repository.modules import is_snippet

_SHOWN_LINES = 10
_MOST_EDITS = 100
_CUT = re.compile(rf"\[[\d,]+ {MORE_OF_LINE}[^\]\n]*\]")


class WriteArguments(ToolArguments):
    path: str
    text: str
    append: bool = False


class TextEdit(ToolArguments):
    old_string: str = Field(min_length=1)
    new_string: str
    replace_all: SkipJsonSchema[bool] = False  # rarely needed


class EditArguments(ToolArguments):
    path: str
    old_string: str = ""
    new_string: str = ""
    replace_all: bool = False
    edits: list[TextEdit] = Field(
        default_factory=list, max_length=_MOST_EDITS, description="All or none."
    )

    @property
    def all_edits(self) -> list[TextEdit]:
        """Return the edits in order.

        Raises:
            PathRefused: there is none.
        """
        if self.old_string:
            first = TextEdit(
                old_string=self.old_string,
                new_string=self.new_string,
                replace_all=self.replace_all,
            )
            return [first, *self.edits]
        if not self.edits:
            raise PathRefused("'old_string' is empty; write_file with append=true adds to the end")
        return self.edits


class DeleteArguments(ToolArguments):
    path: str


class WriteTools:
    def __init__(self, files: WorkspaceFiles) -> None:
        self._files = files

    def tools(self) -> tuple[AgentTool, ...]:
        return (
            AgentTool(
                "write_file",
                "Write a whole file, or append to it.",
                WriteArguments,
                self.write,
            ),
            AgentTool(
                "edit_file",
                "Replace text that a file has exactly once, or replace_all.",
                EditArguments,
                self.edit,
            ),
            AgentTool(
                "delete_file",
                "Delete a file.",
                DeleteArguments,
                self.delete,
            ),
        )

    def write(self, asked: WriteArguments) -> ToolResult:
        before = self._text(asked.path)
        after = _appended(asked.text, before) if asked.append else _rewritten(asked.text, before)
        return put(self._files, asked.path, before, after)

    def edit(self, asked: EditArguments) -> ToolResult:
        before = after = self._files.text(asked.path)
        edits, positions = asked.all_edits, 0
        for number, edit in enumerate(edits, 1):
            name = f"edit {number}: " if len(edits) > 1 else ""
            after, count = _edited(asked.path, after, edit, name)
            positions += count
        return put(self._files, asked.path, before, after, positions)

    def delete(self, asked: DeleteArguments) -> ToolResult:
        check_writable(asked.path)
        before = self._text(asked.path) or ""
        self._files.delete(asked.path)
        diff = text_diff(asked.path, before, "")
        return ToolResult(f"deleted {asked.path}", diff=diff, changed=(asked.path,))

    def _text(self, path: str) -> str | None:
        return self._files.text(path) if self._files.kind(path) else None


def put(
    files: WorkspaceFiles, path: str, before: str | None, after: str, positions: int = 1
) -> ToolResult:
    """Write a file and describe the change without repeating its text."""
    check_writable(path)
    if (cut := _CUT.search(after)) and cut[0] not in (before or ""):
        raise PathRefused(
            f"the text has the mark {cut[0]!r}, which stands for text that you were not shown; "
            "read the rest of that line, or replace a part of the line"
        )
    if before == after:
        return ToolResult(f"{path} has that text already")
    files.write(path, after)
    diff = text_diff(path, before or "", after)
    count = len(text_lines(after))
    if before is None:
        hint = "; readers find it once it is in the navigation" if _is_page(path) else ""
        text = f"created: {count} lines{hint}"
    else:
        text = "changed" if positions == 1 else f"changed in {positions} places"
    return ToolResult(text, diff=diff, changed=(path,), is_notice=True)


def _is_page(path: str) -> bool:
    return path.endswith(PAGE_SUFFIXES) and not is_snippet(path)


def _edited(path: str, before: str, edit: TextEdit, name: str) -> tuple[str, int]:
    """Apply one edit; return the text and the number of replacements.

    Raises:
        PathRefused: the edit does not apply; the message explains why.
    """
    line_end = _line_end(before)
    if _with_line_ends(edit.old_string, line_end) not in before:
        line_end = "\n" if line_end == "\r\n" else "\r\n"  # in files with mixed line ends
    old, new = (_with_line_ends(each, line_end) for each in (edit.old_string, edit.new_string))
    count = before.count(old)
    if old == new:
        raise PathRefused(f"{name}'old_string' and 'new_string' are the same")
    if count == 0:
        raise PathRefused(f"{name}'old_string' is not in {path!r}{_near(old, before)}")
    if count > 1 and not edit.replace_all:
        raise PathRefused(
            f"{name}'old_string' is in {path!r} {count} times, at lines {_lines(old, before)}; "
            "add text around it, or use replace_all=true"
        )
    if len(before) + count * (len(new) - len(old)) > WRITE_LIMIT_BYTES:
        raise PathRefused(f"{name}{path!r} would have over {WRITE_LIMIT_BYTES:,} characters")
    return before.replace(old, new), count


def _rewritten(text: str, before: str | None) -> str:
    """Return a text with the file's line ends, which models do not see."""
    if not text or not before:
        return _with_line_ends(text, "\n")
    line_end = _line_end(before)
    last = line_end if before.endswith("\n") else ""
    return _with_line_ends(text, line_end).removesuffix(line_end) + last


def _appended(text: str, before: str | None) -> str:
    """Append a text to the lines of a file."""
    line_end = _line_end(before or "")
    added = _with_line_ends(text, line_end)
    is_open = before and not before.endswith("\n") and not added.startswith(line_end)
    return f"{before or ''}{line_end if is_open else ''}{added}"


def _line_end(text: str) -> str:
    """Return the most frequent line end."""
    windows = text.count("\r\n")
    return "\r\n" if windows > text.count("\n") - windows else "\n"


def _with_line_ends(text: str, line_end: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", line_end)


def _lines(old: str, text: str) -> str:
    lines: list[str] = []
    at = text.find(old)
    while at >= 0 and len(lines) < _SHOWN_LINES:
        lines.append(str(text.count("\n", 0, at) + 1))
        at = text.find(old, at + len(old))
    return ", ".join(lines)


def _near(old: str, text: str) -> str:
    """Return the file's text that differs from `old` in whitespace only; "" if there is none."""
    requested = "".join(old.split())
    first = next((line for line in old.splitlines() if line.strip()), "").strip()
    if requested and requested in "".join(text.split()):
        return "; it is there with other spaces or line ends: read the file again"
    numbers = [n for n, line in enumerate(text_lines(text), 1) if first and first in line]
    if numbers:
        return f"; its first line is at line {numbers[0]}: read the file again"
    return ": read the file again"
