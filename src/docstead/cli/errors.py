"""How a command ends when something is wrong: one sentence on standard error, never a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console

from docstead.base.errors import DocsteadError, InvalidRequest, SourceUnreadable

FAILED = 1
WRONG_USAGE = 2


@contextmanager
def told() -> Iterator[None]:
    """Turns our own errors into a sentence and an exit status: 2 for wrong usage, else 1."""
    try:
        yield
    except OSError as error:  # a folder that cannot be written, a full disk
        place = f"{error.filename}: " if error.filename else ""
        _tell(f"{place}{error.strerror or error}")
        raise typer.Exit(FAILED) from error
    except DocsteadError as error:
        _tell(error.message)
        usage = isinstance(error, InvalidRequest) and not isinstance(error, SourceUnreadable)
        raise typer.Exit(WRONG_USAGE if usage else FAILED) from error


def _tell(message: str) -> None:
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print(f"docstead: {message}", style="red", markup=False)
