"""YAML as JSON values: core types of YAML 1.2, string keys, no dates, no tags.

Built on libyaml's events, which is three times as fast as PyYAML's constructors. `status: on` and
`2024-01-01` are strings, as in JSON. Raises `YamlError`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import yaml

ALIAS_LIMIT = 1_000_000  # total number of values that aliases may expand to
DEPTH_LIMIT = 200  # with the levels that aliases repeat
_INTEGER = re.compile(r"[-+]?(?:0|[1-9]\d{0,17})")
_FLOAT = re.compile(
    r"[-+]?(?:\d{1,300}\.\d{0,300}|\.\d{1,300}|\d{1,300}(?=[eE]))(?:[eE][-+]?\d{1,3})?"
)
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


class YamlError(Exception):
    """The text is not YAML; `line` and `column` count from 1, 0 if unknown."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        self.message = message
        self.line = line
        self.column = column
        super().__init__(message)


def parse(text: str) -> Any:
    """Return the first document of a YAML text; raises `YamlError`."""
    with _located_errors(text):
        return _Builder().build(text)


def compose(text: str) -> yaml.Node | None:
    """Return the only document of a YAML text as nodes with positions.

    Raises `YamlError`, also if `parse` would.
    """
    parse(text)  # limits depth and aliases, unlike the recursive `yaml.compose`
    with _located_errors(text):
        return yaml.compose(text, Loader=yaml.CSafeLoader)


def repeated_keys(text: str) -> set[str]:
    """Return the repeated keys of a valid YAML mapping."""
    node = compose(text)
    keys = [key.value for key, _ in node.value] if isinstance(node, yaml.MappingNode) else []
    return {key for key, count in Counter(keys).items() if count > 1}


@contextmanager
def _located_errors(text: str) -> Iterator[None]:
    try:
        yield
    except yaml.MarkedYAMLError as error:
        raise _located(error, text) from None
    except yaml.YAMLError as error:
        raise YamlError(str(error).splitlines()[0]) from None


def _located(error: yaml.MarkedYAMLError, text: str) -> YamlError:
    """Return an error with its position; for premature ends, the start of the open block."""
    last = text.rstrip().count("\n")
    marks = [mark for mark in (error.problem_mark, error.context_mark) if mark]
    mark = next((mark for mark in marks if mark.line <= last), None)
    line, column = (mark.line, mark.column) if mark else (last, 0)
    return YamlError(error.problem or "not readable", line + 1, column + 1)


@dataclass(slots=True)
class _Container:
    """A mapping or sequence under construction."""

    value: Any
    anchor: str | None
    key: Any
    size: int = 1  # with everything in it, as aliases repeat it
    height: int = 1  # levels of containers


class _AnchoredValue(NamedTuple):
    value: Any
    size: int
    height: int


class _Builder:
    """Builds the value from events with a stack of containers."""

    def __init__(self) -> None:
        self._stack: list[_Container] = []
        self._anchors: dict[str, _AnchoredValue] = {}
        self._aliased = 0
        self._done: Any = None

    def build(self, text: str) -> Any:
        events: Iterable[Any] = yaml.parse(text, Loader=yaml.CSafeLoader)
        for event in events:
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._add(_scalar(event), event.anchor)
            elif kind is yaml.MappingStartEvent:
                self._start({}, event)
            elif kind is yaml.SequenceStartEvent:
                self._start([], event)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self._end()
            elif kind is yaml.AliasEvent:
                self._add_alias(event)
            elif kind is yaml.DocumentEndEvent:
                break
        return self._done

    def _start(self, container: Any, event: Any) -> None:
        if len(self._stack) >= DEPTH_LIMIT:
            raise _error_at("nested too deeply", event)
        self._stack.append(_Container(container, event.anchor, _NO_KEY))

    def _end(self) -> None:
        ended = self._stack.pop()
        self._add(ended.value, ended.anchor, ended.size, ended.height)

    def _add(self, value: Any, anchor: str | None, size: int = 1, height: int = 0) -> None:
        if anchor:
            self._anchors[anchor] = _AnchoredValue(value, size, height)
        if not self._stack:
            self._done = value
            return
        top = self._stack[-1]
        top.size += size
        if height >= top.height:
            top.height = height + 1
        if type(top.value) is list:
            top.value.append(value)
        elif top.key is _NO_KEY:
            top.key = _key(value)
        else:
            _put(top.value, top.key, value)
            top.key = _NO_KEY

    def _add_alias(self, event: Any) -> None:
        if event.anchor not in self._anchors:
            raise _error_at(f"the alias *{event.anchor} has no anchor before it", event)
        value, size, height = self._anchors[event.anchor]
        self._aliased += size
        if self._aliased > ALIAS_LIMIT:
            raise _error_at("aliases stand for too many values", event)
        if len(self._stack) + height > DEPTH_LIMIT:
            raise _error_at("nested too deeply", event)
        self._add(value, None, size, height)


_NO_KEY: Any = object()


def _scalar(event: Any) -> Any:
    value: str = event.value
    if not event.implicit[0]:
        return value
    if value in _WORDS:
        return _WORDS[value]
    if value[0] in "+-.0123456789":
        if _INTEGER.fullmatch(value):
            return int(value)
        if _FLOAT.fullmatch(value):
            return float(value)
    return value


def _key(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)


def _put(mapping: dict[str, Any], key: str, value: Any) -> None:
    """Set a value; merge keys add only what the mapping lacks."""
    if key != "<<":
        mapping[key] = value
        return
    for other in value if isinstance(value, list) else [value]:
        if isinstance(other, dict):
            mapping.update({name: item for name, item in other.items() if name not in mapping})


def _error_at(message: str, event: Any) -> YamlError:
    mark = event.start_mark
    return YamlError(message, mark.line + 1, mark.column + 1)
