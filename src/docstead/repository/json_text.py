"""JSON parser that records positions of values.

`parse` is like `json.loads`, but objects and arrays know the positions of their members, for later
diagnostics.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from json import JSONDecodeError, JSONDecoder
from typing import Any, NamedTuple

from docstead.repository.positions import FilePosition, LineIndex

DEPTH_LIMIT = 100
_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,300})(\.\d{1,300})?([eE][+-]?\d{1,4})?(?![\w.])")
_decode = JSONDecoder().raw_decode
_WORDS = {"true": True, "false": False, "null": None}
_WORD = re.compile(r"true|false|null")


class JsonError(Exception):
    """The text is not JSON."""

    def __init__(self, message: str, position: FilePosition) -> None:
        self.message = message
        self.position = position
        super().__init__(f"{position}: {message}")


class LazyPosition(NamedTuple):
    """A position that is computed on demand."""

    lines: LineIndex
    offset: int

    @property
    def position(self) -> FilePosition:
        return self.lines.position(self.offset)


class JsonObject(dict[str, Any]):
    """An object; `spots` contains the positions of keys."""

    __slots__ = ("spot", "spots")

    def __init__(
        self, spot: LazyPosition, members: Iterable[tuple[str, Any, LazyPosition]] = ()
    ) -> None:
        super().__init__()
        self.spot = spot
        self.spots: dict[str, LazyPosition] = {}
        for key, value, where in members:
            self.put(key, value, where)

    def put(self, key: str, value: Any, spot: LazyPosition) -> None:
        self[key] = value
        self.spots[key] = spot

    def position(self, key: str | None = None) -> FilePosition:
        """Return the position of a key, or of the object without it."""
        return (self.spots.get(key, self.spot) if key else self.spot).position

    def shorten(self, size: int) -> None:
        """Drop all but the first members."""
        for key in list(self)[size:]:
            del self[key], self.spots[key]


class JsonArray(list[Any]):
    """An array; `spots` contains the positions of items."""

    __slots__ = ("spot", "spots")

    def __init__(self, spot: LazyPosition, items: Iterable[tuple[Any, LazyPosition]] = ()) -> None:
        super().__init__()
        self.spot = spot
        self.spots: list[LazyPosition] = []
        for value, where in items:
            self.put(value, where)

    def put(self, value: Any, spot: LazyPosition) -> None:
        self.append(value)
        self.spots.append(spot)

    def position(self, index: int | None = None) -> FilePosition:
        return (self.spot if index is None else self.spots[index]).position

    def shorten(self, size: int) -> None:
        """Drop all but the first items."""
        del self[size:], self.spots[size:]


def parse(text: str, file: str) -> Any:
    """Parse a JSON text.

    Raises:
        JsonError: the text is invalid; with the position of the first error.
    """
    reader = _Reader(text, file)
    value = reader.value(0)
    reader.end()
    return value


def plain(value: Any) -> Any:
    """Convert to plain dicts and lists."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._lines = LineIndex(file, text)
        self._at = 0

    def value(self, depth: int) -> Any:
        char = self._peek()
        if depth > DEPTH_LIMIT:
            raise self._error("nested too deeply")
        if char == "{":
            return self._object(depth)
        if char == "[":
            return self._array(depth)
        return self._string() if char == '"' else self._atom()

    def end(self) -> None:
        if char := self._peek():
            raise self._error(f"unexpected {char!r} after the end of the value")

    def _object(self, depth: int) -> JsonObject:
        result = JsonObject(self._spot())
        self._at += 1
        if self._peek() == "}":
            self._at += 1
            return result
        while True:
            self._member(result, depth)
            if self._separator("}"):
                return result

    def _member(self, result: JsonObject, depth: int) -> None:
        if self._peek() != '"':
            raise self._error(f"expected a key in double quotes{self._seen()}")
        spot = self._spot()
        key = self._string()
        if self._peek() != ":":
            raise self._error(f"expected ':' after the key {key!r}{self._seen()}")
        self._at += 1
        result.put(key, self.value(depth + 1), spot)

    def _array(self, depth: int) -> JsonArray:
        result = JsonArray(self._spot())
        self._at += 1
        if self._peek() == "]":
            self._at += 1
            return result
        while True:
            self._peek()
            spot = self._spot()
            result.put(self.value(depth + 1), spot)
            if self._separator("]"):
                return result

    def _separator(self, closing: str) -> bool:
        char = self._peek()
        if char not in (",", closing):
            raise self._error(f"expected ',' or '{closing}'{self._seen()}")
        spot = self._spot()
        self._at += 1
        if char == "," and self._peek() in ("]", "}"):
            raise JsonError("a comma before a closing bracket is not allowed", spot.position)
        return char == closing

    def _string(self) -> str:
        try:
            value, self._at = _decode(self._text, self._at)
        except JSONDecodeError as error:
            message = error.msg[:1].lower() + error.msg[1:]
            raise JsonError(message.removesuffix(" at"), self._lines.position(error.pos)) from None
        return str(value)

    def _atom(self) -> Any:
        if word := _WORD.match(self._text, self._at):
            self._at = word.end()
            return _WORDS[word.group()]
        number = _NUMBER.match(self._text, self._at)
        if number is None:
            raise self._error(f"expected a value{self._seen()}")
        self._at = number.end()
        whole = number.group(1) is None and number.group(2) is None
        return int(number.group()) if whole else float(number.group())

    def _peek(self) -> str:
        space = _SPACE.match(self._text, self._at)
        self._at = space.end() if space else self._at
        return self._text[self._at : self._at + 1]

    def _seen(self) -> str:
        char = self._peek()
        if self._text.startswith(("//", "/*"), self._at):
            return ", found a comment (JSON has none)"
        return f", found {char!r}" if char else ", found the end of the file"

    def _spot(self) -> LazyPosition:
        return LazyPosition(self._lines, self._at)

    def _error(self, message: str) -> JsonError:
        return JsonError(message, self._lines.position(self._at))
