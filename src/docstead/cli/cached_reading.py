"""Work for and with the cache of exports while something else is awaited."""

from __future__ import annotations

import logging
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path

from docstead.base.errors import DocsteadError
from docstead.export.cache import CachedReading, ExportCache
from docstead.export.options import ExportOptions
from docstead.publishing.build_tasks import REMEMBER, RememberRequest
from docstead.publishing.builders import Builder
from docstead.publishing.edition import Edition

_TURN_SECONDS = 0.0005  # until a thread gives way to others; the default is ten times as long

_log = logging.getLogger(__name__)


def saved_meanwhile(builder: Builder, reading: CachedReading) -> AbstractContextManager[None]:
    """Let the builder save what it parsed while the caller works."""
    return _meanwhile(partial(_save, builder, reading))


def prepared_meanwhile(
    cache: ExportCache, previous: Edition, options: ExportOptions, output: Path
) -> AbstractContextManager[None]:
    """Prepare the writing of a folder while the caller builds what follows `previous`."""
    return _meanwhile(partial(_prepare, cache, previous, options, output))


@contextmanager
def _meanwhile(work: Callable[[], None]) -> Iterator[None]:
    """Work in a thread while the caller works, and wait for its end.

    The caller gets its turn soon, because a builder waits for its answers.
    """
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_TURN_SECONDS)
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        thread.join()
        sys.setswitchinterval(usual)


def _prepare(cache: ExportCache, previous: Edition, options: ExportOptions, output: Path) -> None:
    with suppress(DocsteadError, OSError, sqlite3.Error):  # it is optional
        cache.prepare(previous, options, output)


def _save(builder: Builder, reading: CachedReading) -> None:
    request = RememberRequest(str(reading.folder.resolve()), reading.code, last_only=True)
    try:
        builder.run(REMEMBER, request)
    except (DocsteadError, OSError) as error:
        _log.warning("the cache of parsed files could not be saved: %s", error)
