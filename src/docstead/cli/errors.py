"""Errors of commands: one sentence on standard error, never a traceback."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from docstead.base.errors import DocsteadError, InvalidRequest, SourceUnreadable
from docstead.base.machine import is_full_disk
from docstead.base.texts import clean

FAILED = 1
WRONG_USAGE = 2
_PREFIX = "DOCSTEAD_"
_PIPE_CLOSED = 141  # as for a program killed by SIGPIPE
_REASON_CHARACTERS = 200


@contextmanager
def exit_on_errors() -> Iterator[None]:
    """Print errors as a sentence and exit: with status 2 for wrong usage, otherwise with 1."""
    # Stores log the outages that they raise; Python would print what has no handler, too.
    logging.getLogger("docstead.storage").addHandler(logging.NullHandler())
    try:
        report_unknown_variables()
        yield
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of the output, such as `head`, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(_PIPE_CLOSED) from None
    except OSError as error:  # for example an unwritable folder or a full disk
        _print_error(_system_message(error))
        raise SystemExit(FAILED) from error
    except DocsteadError as error:
        _print_error(error.detail)
        usage = isinstance(error, InvalidRequest) and not isinstance(error, SourceUnreadable)
        raise SystemExit(WRONG_USAGE if usage else FAILED) from error
    except MemoryError as error:
        _print_error(
            "there is not enough memory; raise the limit of this process, or stop other programs"
        )
        raise SystemExit(FAILED) from error
    except Exception as error:
        if type(error).__module__.partition(".")[0] == "typer":  # not imported here: slow
            raise
        _print_error(_unexpected_message(error))
        raise SystemExit(FAILED) from error


def _system_message(error: OSError) -> str:
    location = f"{error.filename}: " if error.filename else ""
    advice = "; free some space" if is_full_disk(error) else ""
    return f"{location}{error.strerror or error}{advice}"


def _unexpected_message(error: Exception) -> str:
    if is_full_disk(error):
        return "no space is left on the disk; free some space, and try again"
    if "start new thread" in str(error):
        return "no more threads can be started; raise the limits ulimit -u and ulimit -v"
    from docstead.cli.traces import kept_trace

    reason = " ".join(str(error).split())[:_REASON_CHARACTERS]
    return f"failed unexpectedly: {type(error).__name__}: {reason} (trace {kept_trace(error)})"


def is_setting(variable: str) -> bool:
    """Report whether the name of a variable has the prefix of settings."""
    return variable.upper().startswith(_PREFIX)


def report_unknown_variables(*, strict: bool = False) -> None:
    """Warn about misspelled settings; exit if `strict`.

    A warning is the default, because other programs may use the prefix.
    """
    if not any(map(is_setting, os.environ)):  # importing the settings takes a while
        return
    from docstead.settings import unknown_variables

    unknown = unknown_variables(os.environ)
    kind, style = ("", "red") if strict else ("warning: ", "yellow")
    for name, similar in unknown.items():
        _print(f"docstead: {kind}{_unknown(name, similar)}", style=style)
    if strict and unknown:
        raise SystemExit(WRONG_USAGE)


def _unknown(name: str, similar: str) -> str:
    return f"{name} is not a setting" + (f"; did you mean {similar}?" if similar else "")


def _print_error(message: str) -> None:
    _print(f"docstead: {clean(message)}", style="red")


def _print(message: str, *, style: str) -> None:
    from rich.console import Console

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print(message, style=style, markup=False)
