"""Limits of what a tool returns, and of what it writes."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.base.units import MIB

_READS = 5  # long results that a conversation has room for
_LEAST_READ, _MOST_READ = 10_000, 60_000


@dataclass(frozen=True, slots=True)
class ToolLimits:
    output_characters: int = 30_000  # of one result
    read_characters: int = 30_000  # of one result of read_file
    found_line_characters: int = 200  # of one line that a search shows
    read_lines: int = 2_000
    listed_files: int = 1_000
    search_matches: int = 1_000
    search_file_bytes: int = 4 * MIB
    moved_files: int = 500

    @classmethod
    def of_window(cls, characters: int) -> ToolLimits:
        """Limits for a model that reads so many characters in one call.

        Each part of a long file is another call, with the whole conversation.
        """
        return cls(read_characters=max(_LEAST_READ, min(_MOST_READ, characters // _READS)))

    def of_result(self, tool: str) -> int:
        """The most characters of a result of a tool."""
        return self.read_characters if tool == "read_file" else self.output_characters


MORE_OF_LINE = "more characters of this line"  # marks a line that is shown in part


def text_lines(text: str) -> list[str]:
    """The lines as editors count them. Other separators, such as U+2028, stay in their line."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def cut(text: str, limit: int) -> str:
    """The text, ended at a line where it is too long, with a word on what is missing."""
    if len(text) <= limit:
        return text
    kept = text[:limit]
    kept = kept[: kept.rfind("\n")] if "\n" in kept else kept
    return f"{kept}\n[{len(text) - len(kept):,} more characters were left out; ask for less]"
