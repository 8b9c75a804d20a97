"""A standby worker for the next edit, so that its author does not wait for a start."""

from __future__ import annotations

import threading

from docstead.rendering.limits import EngineLimits
from docstead.rendering.process import StartWorker, Worker

_KEPT_SECONDS = 300.0  # after the last edit; it uses about 50 MB


class StandbyWorker:
    """Keeps at most one worker without a site, for a limited time. It must be closed."""

    def __init__(
        self,
        limits: EngineLimits | None = None,
        kept_seconds: float = _KEPT_SECONDS,
        start: StartWorker = Worker,
    ) -> None:
        self._limits = limits or EngineLimits()
        self._kept_seconds = kept_seconds
        self._start = start
        self._worker: Worker | None = None
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def prepare(self) -> None:
        """Keep a worker ready for a while from now on."""
        with self._lock:
            self._stop_timer()
            if self._worker is None:
                self._worker = self._start(self._limits, warms_up=True)
            self._timer = threading.Timer(self._kept_seconds, self.close)
            self._timer.daemon = True
            self._timer.start()

    def take(self) -> Worker | None:
        """Return the standby worker if it is alive; the caller closes it."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None and not worker.is_alive:
            worker.kill()
            return None
        return worker

    def close(self) -> None:
        with self._lock:
            self._stop_timer()
        worker = self.take()
        if worker is not None:
            worker.kill()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
