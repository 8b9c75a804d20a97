"""Objects on disk that stop after one of them, for nodes that tests kill."""

from __future__ import annotations

import time
from pathlib import Path

from docstead.base.clock import SystemClock
from docstead.storage.links import LinkSigner
from docstead.storage.objects import DiskObjects


class HeldObjects(DiskObjects):
    """Lists each written key in FOLDER/written, and stops after one that contains `hold`."""

    def __init__(self, folder: Path, hold: str) -> None:
        signer = LinkSigner(lambda: {"k1": b"x" * 32}, SystemClock())
        super().__init__(folder / "objects", signer, "http://localhost")
        self._written = folder / "written"
        self._hold = hold

    def put(self, key: str, data: bytes | Path, *, filename: str | None = None) -> None:
        super().put(key, data, filename=filename)
        with self._written.open("a") as file:
            file.write(f"{key}\n")
        if self._hold and self._hold in key:
            time.sleep(600)  # until it is killed
