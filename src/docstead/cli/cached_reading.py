"""Work for and with the cache of exports while something else is awaited."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from docstead.base.errors import DocsteadError
from docstead.export.cache import CachedReading, ExportCache
from docstead.export.options import ExportOptions
from docstead.publishing.build_tasks import REMEMBER, RememberRequest
from docstead.publishing.builders import Builder
from docstead.publishing.edition import Edition

_log = logging.getLogger(__name__)


@contextmanager
def saved_meanwhile(builder: Builder, reading: CachedReading) -> Iterator[None]:
    """Let the builder save what it parsed while the caller works."""
    saving = threading.Thread(target=_save, args=(builder, reading))
    saving.start()
    try:
        yield
    finally:
        saving.join()


@contextmanager
def prepared_meanwhile(
    cache: ExportCache, previous: Edition, options: ExportOptions
) -> Iterator[None]:
    """Prepare the writing of a folder while the caller builds what follows `previous`."""
    preparing = threading.Thread(target=_prepare, args=(cache, previous, options))
    preparing.start()
    try:
        yield
    finally:
        preparing.join()


def _prepare(cache: ExportCache, previous: Edition, options: ExportOptions) -> None:
    with suppress(DocsteadError, OSError, sqlite3.Error):  # it is optional
        cache.prepare(previous, options)


def _save(builder: Builder, reading: CachedReading) -> None:
    request = RememberRequest(str(reading.folder.resolve()), reading.code, last_only=True)
    try:
        builder.run(REMEMBER, request)
    except (DocsteadError, OSError) as error:
        _log.warning("the cache of parsed files could not be saved: %s", error)
