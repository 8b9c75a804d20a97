"""Reading of TOML files, with error positions."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from docstead.base.errors import InvalidRequest

_POSITION = re.compile(r"(?P<reason>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)")


def read_toml(path: Path) -> dict[str, Any]:
    """Return the contents of a TOML file.

    Raises:
        InvalidRequest: the file is not UTF-8 or not TOML; the message has file:line:column.
        OSError: the file cannot be read.
    """
    data = path.read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise InvalidRequest(f"{path}:{line}:{column}: the file is not UTF-8") from error
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidRequest(f"{path}:{_located(str(error), text)}") from error


def _located(message: str, text: str) -> str:
    """Return the parser's message as `line:column: reason`."""
    if found := _POSITION.fullmatch(message):
        return f"{found['line']}:{found['column']}: {_plain(found['reason'])}"
    *before, last = text.split("\n")
    reason = message.removesuffix(" (at end of document)")
    return f"{len(before) + 1}:{len(last) + 1}: {_plain(reason)}"


def _plain(reason: str) -> str:
    if reason == r"Illegal character '\n'":
        return "a quote is not closed on this line; close it"
    return reason[:1].lower() + reason[1:]
