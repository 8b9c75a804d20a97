"""How a command ends when something is wrong: one sentence on standard error, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console

from docstead.base.errors import DocsteadError, InvalidRequest, SourceUnreadable

FAILED = 1
WRONG_USAGE = 2
_PIPE_CLOSED = 141  # as for a program that SIGPIPE ends


@contextmanager
def told() -> Iterator[None]:
    """Turns our own errors into a sentence and an exit status: 2 for wrong usage, else 1."""
    try:
        report_unknown_variables()
        yield
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output, such as `head`, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(_PIPE_CLOSED) from None
    except OSError as error:  # a folder that cannot be written, a full disk
        place = f"{error.filename}: " if error.filename else ""
        _tell(f"{place}{error.strerror or error}")
        raise typer.Exit(FAILED) from error
    except DocsteadError as error:
        _tell(error.detail)
        usage = isinstance(error, InvalidRequest) and not isinstance(error, SourceUnreadable)
        raise typer.Exit(WRONG_USAGE if usage else FAILED) from error


def report_unknown_variables(*, strict: bool = False) -> None:
    """Warn of misspelt settings; where `strict`, end the command.

    A warning is the default because other programs may use our prefix.
    """
    from docstead.settings import unknown_variables

    unknown = unknown_variables(os.environ)
    kind, style = ("", "red") if strict else ("warning: ", "yellow")
    for name, similar in unknown.items():
        _print(f"docstead: {kind}{_unknown(name, similar)}", style=style)
    if strict and unknown:
        raise typer.Exit(WRONG_USAGE)


def _unknown(name: str, similar: str) -> str:
    return f"{name} is not a setting" + (f"; did you mean {similar}?" if similar else "")


def _tell(message: str) -> None:
    _print(f"docstead: {message}", style="red")


def _print(message: str, *, style: str) -> None:
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print(message, style=style, markup=False)
