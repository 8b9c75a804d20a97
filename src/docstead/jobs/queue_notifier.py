"""Jobs that this process queues are looked for at once, not when it is time to look again."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

from docstead.base.errors import StoreUnavailable

_log = logging.getLogger(__name__)


class QueueNotifier:
    """Calls `look` with each kind that it was rung for, in a thread of its own.

    Failure rule: a look that fails is logged and forgotten; the next regular one finds the job.
    """

    def __init__(self, look: Callable[[str], None]) -> None:
        self._look = look
        self._rung: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._listen, name="jobs-bell", daemon=True)
        self._thread.start()

    def notify(self, kind: str) -> None:
        """Nothing happens where nobody listens: this process runs no jobs then."""
        if self._thread is not None:
            self._rung.put(kind)

    def stop(self) -> None:
        if self._thread is not None:
            self._rung.put(None)
            self._thread.join()
            self._thread = None

    def _listen(self) -> None:
        while (kind := self._rung.get()) is not None:
            try:
                self._look(kind)
            except StoreUnavailable as error:
                _log.info("no look for %s jobs: %s", kind, error)
            except Exception:
                _log.warning("no look for %s jobs; they wait for the next", kind, exc_info=True)
