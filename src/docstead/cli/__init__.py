"""Commands. Each imports its dependencies when it runs, so that `--help` is fast."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docstead.publishing.builders.forking import CommandForkServer

INTERRUPTED = 130  # as for a program ended by SIGINT


def main() -> None:
    """Run the `docstead` command."""
    try:
        gc.disable()  # the imports make many objects and no garbage
        from docstead.cli.early_parent import begun_parent, interruption_deferred

        arguments = sys.argv[1:]
        with interruption_deferred():
            parent = begun_parent(arguments)
            from docstead.base.scratch import process_scratch

            run = _command(arguments, parent)
        gc.freeze()
        gc.enable()
        with process_scratch():
            run()
    except KeyboardInterrupt:  # outside of the command
        sys.stderr.write("Interrupted.\n")
        sys.exit(INTERRUPTED)
    except SystemExit as ending:
        if isinstance(ending.code, int) and threading.active_count() == 1:
            _leave(ending.code)
        raise


def _command(arguments: list[str], parent: CommandForkServer | None) -> Callable[[], object]:
    """Return a function that runs the command."""
    if parent is not None:
        from docstead.cli.export_command import kept_command

        known = kept_command(arguments)
        if known is not None:
            from docstead.cli.repeated_export import repeat_export

            return partial(repeat_export, known, parent)
    from docstead.cli.commands import program
    from docstead.cli.early_parent import Invocation

    return partial(program(arguments), obj=Invocation(arguments, parent))


def _leave(status: int) -> None:
    """Exit without cleanup, because freeing the memory of a large site takes long."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # the reader of the output may have closed the pipe
            stream.flush()
    os._exit(status)
