"""Builders that get what earlier builders of a source parsed, and save what they parse."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from docstead.base.errors import DocsteadError
from docstead.export.cache import CachedReading
from docstead.publishing.build_tasks import REMEMBER, RememberRequest
from docstead.publishing.builders import Builder

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


def _save(builder: Builder, reading: CachedReading) -> None:
    request = RememberRequest(str(reading.folder.resolve()), reading.code, last_only=True)
    try:
        builder.run(REMEMBER, request)
    except (DocsteadError, OSError) as error:
        _log.warning("the cache of parsed files could not be saved: %s", error)
