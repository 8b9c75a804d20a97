"""Processes of a command that are forked before its modules are imported and its settings read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from docstead.publishing.builders.forking import CommandForkServer

TASKS = ("docstead.publishing.build_tasks",)  # imported by the warm parent
_SECRET = re.compile(r"SECRET|TOKEN|PASSWORD|KEY|CREDENTIAL|DATABASE_URL")  # variable names


@contextmanager
def early_parent() -> Iterator[CommandForkServer | None]:
    """Yield a parent process for builders and workers, which has not begun.

    Yields None if the environment contains secrets, which a fork would copy.
    """
    if any(map(_SECRET.search, os.environ)):
        yield None
        return
    parent = CommandForkServer(TASKS)
    try:
        yield parent
    finally:
        parent.close()
