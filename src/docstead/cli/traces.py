"""Tracebacks of unexpected errors, written to a file instead of the terminal."""

from __future__ import annotations

import os
import secrets
import traceback
from datetime import UTC, datetime
from pathlib import Path

from docstead.base.errors import DocsteadError
from docstead.base.units import MIB

_NAME = "traces.log"


def kept_trace(error: BaseException) -> str:
    """Append the traceback to a file; return its id and the file, for a message."""
    trace_id = secrets.token_hex(4)
    head = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} {trace_id}\n"
    text = head + "".join(traceback.format_exception(error)) + "\n"
    for folder in _folders():
        try:
            return f"{trace_id} in {_append(folder / _NAME, text)}"
        except OSError:
            continue
    return trace_id


def _folders() -> list[Path]:
    """Return the data folder if it exists, or the folder for program state."""
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    folders = [Path(state).expanduser() / "docstead"]
    try:
        from docstead.settings import load_settings

        data = load_settings().data
    except (DocsteadError, OSError):
        return folders
    return [data, *folders] if data.is_dir() else folders


def _append(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.stat().st_size > MIB:
        path.replace(path.with_suffix(".old.log"))
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a") as file:
        file.write(text)
    return path
