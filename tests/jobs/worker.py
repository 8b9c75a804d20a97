"""A node in a process of its own, to be killed: `worker.py URL NODE MARKS STEPS SECONDS BEAT`.

It runs jobs of the kind "walk": each step writes a mark, takes its time, writes another.
It starts the job whose id is in JOB, if any, and lives until it is killed or stopped
by the end of its standard input. LONG_STEP ("2 600") is a step that takes as many seconds.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from docstead.jobs import JobContext, Jobs


def main(url: str, node_id: str, marks: str, steps: str, *paces: str) -> None:
    seconds, heartbeat = map(float, paces)
    long_step, long_seconds = map(float, os.environ.get("LONG_STEP", "-1 0").split())

    def mark(text: str) -> None:
        with Path(marks).open("a") as file:
            file.write(f"{text}\n")

    def walk(context: JobContext, job_id: str) -> None:
        total = 0
        for number in range(int(steps)):

            def step(number: int = number) -> int:
                mark(f"begin {number} {node_id}")
                time.sleep(long_seconds if number == long_step else seconds)
                mark(f"end {number} {node_id}")
                return number

            total += context.step(f"step {number}", step)
        mark(f"total {total} {node_id}")

    jobs = Jobs(url, node_id=node_id, polling_seconds=0.25, heartbeat_seconds=heartbeat)
    jobs.register("walk", walk, on_lost=lambda job_id: mark(f"lost {job_id}"))
    jobs.launch()
    if "JOB" in os.environ:
        jobs.start("walk", os.environ["JOB"])
    print("ready", flush=True)
    sys.stdin.read()
    jobs.close()


main(*sys.argv[1:])
