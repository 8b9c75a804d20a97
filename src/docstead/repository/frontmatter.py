"""YAML frontmatter of pages. Invalid frontmatter is a diagnostic and does not lose the page."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from docstead.repository.positions import Diagnostics, FilePosition, LineIndex
from docstead.repository.yaml_text import YamlError, parse, repeated_keys

_OPENING = re.compile(r"---[ \t]*\n")
_CLOSING = re.compile(r"^---[ \t]*$\n?", re.MULTILINE)
_KEY = re.compile(r"^([A-Za-z][\w:-]*)[ \t]*:(?:[ \t]+(.*)|[ \t]*)$", re.MULTILINE)
_GROUPS = re.compile(r"^(?:- |\ufeff)?[\"']?groups[\"']?[ \t]*:", re.MULTILINE)
_CONTROLS = "".join(map(chr, (*range(9), 11, *range(14, 32), 127)))
_TAB_HINT = "Indent with spaces: YAML does not allow tabs."
_QUOTE_HINT = "Close the quote at the end of the value."
_HINT = "Put a value with ':', '#', '@' or quotes in double quotes."


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A source file in two parts; `body_line` is the first line of the body."""

    file: str
    fields: dict[str, Any]
    head: str
    body: str
    body_line: int = 1

    def position(self, key: str) -> FilePosition:
        """Return the position of a key."""
        for match in _KEY.finditer(self.head):
            if match.group(1) == key:
                line = self.head.count("\n", 0, match.start()) + 2
                return FilePosition(self.file, line, 1)
        return FilePosition(self.file, 1, 1)


def split(text: str, file: str, diagnostics: Diagnostics) -> SourceDocument:
    """Split a file with normalized line ends into frontmatter and body."""
    _report_control_characters(text, file, diagnostics)
    opening = _OPENING.match(text)
    if opening is None:
        return SourceDocument(file, {}, "", text)
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        if _KEY.match(text, opening.end()):
            message = "the frontmatter is never closed"
            diagnostics.warning(
                FilePosition(file, 1, 1), "frontmatter-unclosed", message, "Add a line '---'."
            )
        head = text[opening.end() :].partition("\n\n")[0]
        return SourceDocument(file, _with_groups({}, head), "", text)
    head = text[opening.end() : closing.start()]
    body_line = text.count("\n", 0, closing.end()) + 1
    return SourceDocument(
        file, _fields(head, file, diagnostics), head, text[closing.end() :], body_line
    )


def _report_control_characters(text: str, file: str, diagnostics: Diagnostics) -> None:
    """Report the first character that pages do not show."""
    found = [at for character in _CONTROLS if (at := text.find(character)) >= 0]
    if found:
        first = min(found)
        message = f"the control character U+{ord(text[first]):04X} is not shown"
        position = LineIndex(file, text).position(first)
        diagnostics.warning(position, "control-character", message, "Remove it.")


def _fields(head: str, file: str, diagnostics: Diagnostics) -> dict[str, Any]:
    try:
        value = parse(head)
    except YamlError as error:
        position = FilePosition(file, error.line + 1, error.column)
        hint = _hint(_line(head, error.line))
        diagnostics.warning(position, "frontmatter-syntax", f"not YAML: {error.message}", hint)
        return _with_groups(_salvage(head), head)
    if isinstance(value, dict):
        _report_repeated_keys(head, file, diagnostics)
        return {**value, "groups": {}} if _has_groups_twice(head) else value
    if value is not None:
        message = "the frontmatter is not a list of 'key: value' lines"
        diagnostics.warning(
            FilePosition(file, 2, 1), "frontmatter-syntax", message, "Write title: …"
        )
    return _with_groups({}, head)


def _report_repeated_keys(head: str, file: str, diagnostics: Diagnostics) -> None:
    seen: set[str] = set()
    line, counted = 2, 0
    for match in _KEY.finditer(head):
        line += head.count("\n", counted, match.start())
        counted = match.start()
        if match[1] in seen and match[1] != "groups":  # none of them is used: see `read_meta`
            position = FilePosition(file, line, 1)
            message = f"{match[1]!r} is there twice; the last one counts"
            diagnostics.warning(position, "frontmatter-repeated", message, "Remove one of them.")
        seen.add(match[1])


def _has_groups_twice(head: str) -> bool:
    return head.count("groups") > 1 and "groups" in repeated_keys(head)


def _with_groups(found: dict[str, Any], head: str) -> dict[str, Any]:
    """Restrict a page for safety if invalid frontmatter mentions groups ambiguously."""
    count = len(_GROUPS.findall(head))
    is_clear = count == 0 or (count == 1 and found.get("groups"))
    return found if is_clear else {**found, "groups": {}}


def _hint(line: str) -> str:
    if "\t" in line:
        return _TAB_HINT
    _, _, value = line.partition(":")
    quote = value.strip()[:1]
    if quote and quote in "\"'" and value.count(quote) % 2:
        return _QUOTE_HINT
    return _HINT


def _line(text: str, number: int) -> str:
    lines = text.splitlines()
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _salvage(head: str) -> dict[str, Any]:
    """Return the plain `key: value` lines of invalid YAML."""
    found: dict[str, Any] = {}
    for key, value in _KEY.findall(head):
        found[key] = value.strip().strip("\"'")
        with suppress(YamlError):
            read = parse(value)
            found[key] = found[key] if isinstance(read, dict) else read
    return found
