"""Throttled log messages, at most one a minute."""

from __future__ import annotations

import logging
import threading
import time

from docstead.base.units import MINUTE_SECONDS


class ThrottledLog:
    """Writes one line a minute and counts suppressed ones. Thread-safe."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._next = 0.0
        self._suppressed = 0

    def warning(self, message: str, *args: object) -> None:
        """Log the message unless another one was logged within the minute."""
        with self._lock:
            now = time.monotonic()
            if now < self._next:
                self._suppressed += 1
                return
            suppressed, self._suppressed = self._suppressed, 0
            self._next = now + MINUTE_SECONDS
        if suppressed:
            message = f"{message} (and %d more times since the last such line)"
            args = (*args, suppressed)
        self._log.warning(message, *args)
