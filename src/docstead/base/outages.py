"""One log line per outage of something that is retried."""

from __future__ import annotations

import logging

from docstead.base.unexpected import known_cause


class OutageLog:
    """Logs the first failure of a task and its recovery, but no failures in between."""

    def __init__(self, log: logging.Logger, task: str) -> None:
        self._log = log
        self._task = task
        self._is_on = False

    def failed(self, error: BaseException) -> None:
        if not self._is_on:
            self._is_on = True
            reason = f"{type(error).__name__}: {error}".partition("\n")[0]
            self._log.error(
                "%s failed and is tried again: %s", self._task, known_cause(error) or reason
            )

    def ended(self) -> None:
        """Record a success."""
        if self._is_on:
            self._is_on = False
            self._log.warning("%s works again", self._task)
