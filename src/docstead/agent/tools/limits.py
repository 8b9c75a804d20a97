"""Limits of tool results and of files that tools write."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.base.units import MIB

_READS = 4  # number of long results that fit into a conversation
_LEAST_READ, _MOST_READ = 10_000, 72_000


@dataclass(frozen=True, slots=True)
class ToolLimits:
    output_characters: int = 30_000  # per result
    read_characters: int = 30_000  # per result of read_file
    found_line_characters: int = 200  # per line in search results
    read_lines: int = 2_000
    listed_files: int = 1_000
    search_matches: int = 1_000
    search_file_bytes: int = 4 * MIB
    moved_files: int = 500

    @classmethod
    def of_window(cls, characters: int) -> ToolLimits:
        """Return limits for a model with a context window of this many characters.

        Each further part of a long file costs another call with the whole conversation.
        """
        return cls(read_characters=max(_LEAST_READ, min(_MOST_READ, characters // _READS)))

    def of_result(self, tool: str) -> int:
        """Return the maximum number of characters of a tool's result."""
        return self.read_characters if tool == "read_file" else self.output_characters


MORE_OF_LINE = "more characters of this line"  # marks a truncated line


def text_lines(text: str) -> list[str]:
    """Split text into lines as editors do. Other separators, such as U+2028, do not end a line."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def cut(text: str, limit: int) -> str:
    """Truncate a text at a line end, with a note on the rest."""
    if len(text) <= limit:
        return text
    kept = text[:limit]
    kept = kept[: kept.rfind("\n")] if "\n" in kept else kept
    return f"{kept}\n[{len(text) - len(kept):,} more characters were left out; ask for less]"
