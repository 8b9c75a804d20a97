"""The commands. Each imports what it needs when it runs, so that `--help` answers at once."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress


def main() -> None:
    """The `docstead` command."""
    from docstead.base.scratch import process_scratch
    from docstead.cli.commands import app

    try:
        with process_scratch():
            app()
    except SystemExit as ending:
        if isinstance(ending.code, int) and threading.active_count() == 1:
            _leave(ending.code)
        raise


def _leave(status: int) -> None:
    """End at once: all is closed, and to free what a large site took piece by piece takes long."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # nobody may be listening any more
            stream.flush()
    os._exit(status)
