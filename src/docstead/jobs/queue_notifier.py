"""Wakes the queue poller immediately for jobs enqueued by this process."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

from docstead.base.errors import StoreUnavailable
from docstead.base.unexpected import log_failure

_log = logging.getLogger(__name__)


class QueueNotifier:
    """Calls `poll` with each notified kind, in its own thread.

    Failure rule: errors are logged and ignored, because regular polling finds the job.
    """

    def __init__(self, poll: Callable[[str], None]) -> None:
        self._poll = poll
        self._notified: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._listen, name="jobs-notifier", daemon=True)
        self._thread.start()

    def notify(self, kind: str) -> None:
        """Notify the poller, if this process runs jobs."""
        if self._thread is not None:
            self._notified.put(kind)

    def stop(self) -> None:
        if self._thread is not None:
            self._notified.put(None)
            self._thread.join()
            self._thread = None

    def _listen(self) -> None:
        while (kind := self._notified.get()) is not None:
            try:
                self._poll(kind)
            except StoreUnavailable as error:
                _log.info("%s jobs were not polled: %s", kind, error)
            except Exception as error:
                log_failure(_log, f"{kind} jobs were not polled; the next poll finds them", error)
