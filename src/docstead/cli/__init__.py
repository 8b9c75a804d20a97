"""Commands. Each imports its dependencies when it runs, so that `--help` is fast."""

from __future__ import annotations

import gc
import os
import sys
import threading
from contextlib import suppress

INTERRUPTED = 130  # as for a program ended by SIGINT


def main() -> None:
    """Run the `docstead` command."""
    try:
        gc.disable()  # the imports make many objects and no garbage
        from docstead.cli.early_parent import begun_parent

        arguments = sys.argv[1:]
        parent = begun_parent(arguments)
        from docstead.base.scratch import process_scratch
        from docstead.cli.commands import program

        app = program(arguments)
        gc.freeze()
        gc.enable()
        with process_scratch():
            app(obj=parent)
    except KeyboardInterrupt:  # outside of the command
        sys.stderr.write("Interrupted.\n")
        sys.exit(INTERRUPTED)
    except SystemExit as ending:
        if isinstance(ending.code, int) and threading.active_count() == 1:
            _leave(ending.code)
        raise


def _leave(status: int) -> None:
    """Exit without cleanup, because freeing the memory of a large site takes long."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # the reader of the output may have closed the pipe
            stream.flush()
    os._exit(status)
