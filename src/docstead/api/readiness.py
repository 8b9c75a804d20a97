"""Readiness checks of the service, each in its own thread."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from anyio import CapacityLimiter, to_thread
from sqlalchemy import text

from docstead.base.errors import DocsteadError, Unavailable
from docstead.base.throttled_log import ThrottledLog
from docstead.base.units import MIB
from docstead.storage.database import Database
from docstead.storage.objects import ObjectStore

_log = logging.getLogger(__name__)
_PATIENCE_SECONDS = 3.0
_LEAST_FREE_BYTES = 64 * MIB


class Readiness:
    """Runs named checks concurrently. A check raises an error if its dependency is unavailable."""

    def __init__(self, checks: Mapping[str, Callable[[], object]]) -> None:
        self._checks = {name: _ReadinessCheck(name, function) for name, function in checks.items()}

    async def results(self) -> dict[str, str]:
        """Return "ok" or a reason for each check."""
        found = await asyncio.gather(*(check.result() for check in self._checks.values()))
        return dict(zip(self._checks, found, strict=True))


class _ReadinessCheck:
    """A check that never runs twice concurrently, so that it blocks at most one thread."""

    def __init__(self, name: str, function: Callable[[], object]) -> None:
        self._name = name
        self._function = function
        self._limiter: CapacityLimiter | None = None
        self._running: asyncio.Task[str] | None = None
        self._throttled = ThrottledLog(_log)

    async def result(self) -> str:
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())
        done, _ = await asyncio.wait({self._running}, timeout=_PATIENCE_SECONDS)
        return self._running.result() if done else "did not answer in time"

    async def _run(self) -> str:
        limiter = self._limiter = self._limiter or CapacityLimiter(1)
        return await to_thread.run_sync(self._outcome, limiter=limiter)

    def _outcome(self) -> str:
        try:
            self._function()
        except DocsteadError as error:
            return error.message
        except Exception as error:
            self._throttled.warning("%s is not ready: %s", self._name, error)
            return "failed"
        return "ok"


def check_database(database: Database) -> None:
    """Raise an error if the database cannot be read."""
    with database.reading() as connection:
        connection.execute(text("SELECT 1"))


def check_objects(objects: ObjectStore) -> None:
    """Raise `Unavailable` if the object store cannot be reached."""
    objects.check()


def check_disk(folder: Path) -> None:
    """Raise `Unavailable` if a folder is not writable or its disk is nearly full."""
    if not os.access(folder, os.W_OK):
        raise Unavailable("the data folder is not writable")
    if shutil.disk_usage(folder).free < _LEAST_FREE_BYTES:
        raise Unavailable("the disk of the data folder is full")


def check_running(is_running: bool) -> None:
    """Raise `Unavailable` if jobs are not being run."""
    if not is_running:
        raise Unavailable("jobs are not running")
