"""In-place editing of JSON that keeps spelling, whitespace and order of other parts."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from json import JSONDecoder
from typing import Any

from docstead.repository.json_text import parse

_Offsets = Sequence[tuple[int, int]]  # offsets of members
_SPACE = re.compile(r"[ \t\r\n]*")
_ATOM = re.compile(r"[^\s,\]}]+")
_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
_decode = JSONDecoder().raw_decode


@dataclass(frozen=True, slots=True)
class JsonSpan:
    """A value and its position. Strings have `text`; arrays `items`; objects `members`."""

    start: int
    end: int
    text: str | None = None
    items: tuple[JsonSpan, ...] | None = None
    members: tuple[tuple[str, int, JsonSpan], ...] | None = None  # key, position of the key, value

    def get(self, key: str) -> JsonSpan | None:
        """Return the value of a key, or the last one if the key is repeated."""
        found = [value for name, _, value in self.members or () if name == key]
        return found[-1] if found else None


def read(text: str, file: str) -> JsonSpan:
    """Parse a JSON text.

    Raises:
        JsonError: the text is not JSON; with the position.
    """
    try:
        json.loads(text)
        return _Scanner(text).value()
    except (ValueError, RecursionError):
        parse(text, file)  # slower, but reports the position
        raise


class _Scanner:
    """Scanner of valid JSON."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def value(self) -> JsonSpan:
        self._skip()
        start, char = self._at, self._text[self._at]
        if char == "{":
            members = tuple(self._inside("}", self._member))
            return JsonSpan(start, self._at, members=members)
        if char == "[":
            items = tuple(self._inside("]", self.value))
            return JsonSpan(start, self._at, items=items)
        if char == '"':
            text, end = self._string()
            return JsonSpan(start, end, text)
        match = _ATOM.match(self._text, start)
        self._at = match.end() if match else start + 1
        return JsonSpan(start, self._at)

    def _string(self) -> tuple[str, int]:
        value, self._at = _decode(self._text, self._at)
        return str(value), self._at

    def _member(self) -> tuple[str, int, JsonSpan]:
        self._skip()
        start = self._at
        key, _ = self._string()
        self._skip()
        self._at += 1
        return key, start, self.value()

    def _inside(self, closing: str, part: Any) -> Iterator[Any]:
        self._at += 1
        self._skip()
        while self._text[self._at] != closing:
            yield part()
            self._skip()
            if self._text[self._at] == ",":
                self._at += 1
                self._skip()
        self._at += 1

    def _skip(self) -> None:
        space = _SPACE.match(self._text, self._at)
        self._at = space.end() if space else self._at


def insert_item(text: str, array: JsonSpan, index: int, value: Any) -> str:
    return _insert(text, array, _items(array), index, value)


def append_member(text: str, holder: JsonSpan, key: str, value: Any) -> str:
    members = _members(holder)
    return _insert(text, holder, members, len(members), value, key=f"{json.dumps(key)}: ")


def remove_items(text: str, array: JsonSpan, indexes: Collection[int]) -> str:
    """Remove items of an array from a text in one pass."""
    offsets, gone = _items(array), set(indexes)
    kept = [index for index in range(len(offsets)) if index not in gone]
    if not kept:
        return text[: array.start + 1] + text[array.end - 1 :]
    parts, done = [], 0
    for index in sorted(gone):
        start = offsets[index][0]
        if index < kept[-1]:
            parts.append(text[done:start])
            done = offsets[index + 1][0]
    parts.append(text[done : offsets[kept[-1]][1]])
    return "".join((*parts, text[offsets[-1][1] :]))


def replace_texts(text: str, values: Iterable[tuple[JsonSpan, str]]) -> str:
    """Replace strings at positions that do not overlap, in one pass."""
    parts: list[str] = []
    done = 0
    for span, value in sorted(values, key=lambda each: each[0].start):
        parts += (text[done : span.start], json.dumps(value, ensure_ascii=False))
        done = span.end
    return "".join((*parts, text[done:]))


def most_values(text: str) -> int:
    """Return a lower bound of the number of values in a JSON text, without parsing it."""
    return 1 + sum(map(text.count, ",[{"))


def replace_value(text: str, span: JsonSpan, value: Any) -> str:
    indent = _line_indent(text, span.start)
    return text[: span.start] + _rendered(text, value, indent) + text[span.end :]


def _items(array: JsonSpan) -> _Offsets:
    return [(item.start, item.end) for item in array.items or ()]


def _members(holder: JsonSpan) -> _Offsets:
    return [(start, value.end) for _, start, value in holder.members or ()]


def _insert(
    text: str, holder: JsonSpan, offsets: _Offsets, index: int, value: Any, *, key: str = ""
) -> str:
    newline = _newline(text)
    if not offsets:
        base = _line_indent(text, holder.start)
        inner = base + _unit(text)
        body = f"{newline}{inner}{key}{_rendered(text, value, inner)}{newline}{base}"
        return text[: holder.start + 1] + body + text[holder.end - 1 :]
    first, last = offsets[0][0], offsets[-1][1]
    if "\n" in text[holder.start : first]:
        indent = _line_indent(text, first)
        rendered, between = key + _rendered(text, value, indent), f",{newline}{indent}"
    else:
        rendered, between = key + json.dumps(value, ensure_ascii=False), ", "
    if index < len(offsets):
        at = offsets[index][0]
        return text[:at] + rendered + between + text[at:]
    return text[:last] + between + rendered + text[last:]


def _rendered(text: str, value: Any, indent: str) -> str:
    lines = json.dumps(value, indent=_unit(text), ensure_ascii=False).split("\n")
    return f"{_newline(text)}{indent}".join(lines)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _unit(text: str) -> str:
    """Return the file's unit of indentation."""
    found = _INDENT.search(text)
    return found[1] if found else "  "
