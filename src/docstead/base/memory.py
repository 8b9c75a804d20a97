"""Peak memory of this process and its children together."""

from __future__ import annotations

import os
import resource
import threading
from pathlib import Path

from docstead.base.units import KIB

_INTERVAL_SECONDS = 0.1


class PeakMemory:
    """Samples resident memory while the `with` block runs; see `peak_bytes` afterwards.

    Without `/proc`, the operating system's figures for this process and its largest child are used.
    They cover the process's whole `lifetime`, so omit them if it does other work as well.
    """

    def __init__(self, *, lifetime: bool = True) -> None:
        self.peak_bytes = 0
        self._lifetime = lifetime
        self._done = threading.Event()
        self._sampler = threading.Thread(target=self._watch, name="peak-memory", daemon=True)

    def __enter__(self) -> PeakMemory:
        self._sampler.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._sampler.join()
        if self._lifetime or not self.peak_bytes:
            self.peak_bytes = max(self.peak_bytes, _accounted_bytes())

    def sample(self) -> int:
        """Take a sample, and return the peak so far."""
        self.peak_bytes = max(self.peak_bytes, family_bytes(os.getpid()))
        return self.peak_bytes

    def _watch(self) -> None:
        while not self._done.wait(_INTERVAL_SECONDS):
            self.sample()


def _accounted_bytes() -> int:
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return max(own, children) * KIB


def family_bytes(pid: int) -> int:
    """Return the resident bytes of a process and its descendants; 0 if it has just ended."""
    process = Path(f"/proc/{pid}")
    try:
        pages = int((process / "statm").read_text().split()[1])
        children = [
            int(child)
            for thread in (process / "task").iterdir()
            for child in (thread / "children").read_text().split()
        ]
    except OSError:
        return 0
    return pages * resource.getpagesize() + sum(map(family_bytes, children))
