"""The program with a memory leak: `leaking_service.py MIB ARGUMENT...`, in MiB per minute."""

from __future__ import annotations

import runpy
import sys
import time
from threading import Thread

SECONDS = 5
MIB = 1 << 20


def leak(mib_of_a_minute: float) -> None:
    lost = []
    while True:
        lost.append(b"x" * int(mib_of_a_minute * MIB * SECONDS / 60))
        time.sleep(SECONDS)


if __name__ == "__main__":
    Thread(target=leak, args=(float(sys.argv.pop(1)),), daemon=True).start()
    runpy.run_module("docstead.cli", run_name="__main__", alter_sys=True)
