"""Progress bars on standard error, so that standard output contains only results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(title: str, *, quiet: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that takes the number of finished items and the total.

    No bar is shown if `quiet`, or if standard error is not a terminal.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda done, total: None  # noqa: ARG005
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bars:
        task = bars.add_task(title, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)
