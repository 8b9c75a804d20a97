"""A worker of agent jobs in its own process, which may kill itself.

`agent_worker.py DATA MODEL-URL POINTS`: at each point listed in the file POINTS
(a line `step|moment`) and not yet in `POINTS.done`, it records the point there and
kills itself. `*` stands for every point. Moments are before, inside and after: before
the step, after it but before it is recorded, and after it is recorded.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docstead.app.databases import database_url
from docstead.app.services import open_services
from docstead.jobs import JobContext, Jobs
from docstead.settings import Settings


def settings_of(data: Path, model_url: str) -> Settings:
    return Settings(
        data=data,
        base_url="http://docstead.test",
        model_base_url=model_url,
        model_name="scripted",
        model_inputs=("image",),
        model_retries=0,
        render_workers=1,
    )


class KillPoints:
    """Points at which this process dies, once each."""

    def __init__(self, file: Path) -> None:
        self._requested = set(file.read_text().split("\n")) - {""}
        self._done = file.with_suffix(".done")

    def reached(self, turn_id: str, step: str, moment: str) -> None:
        point = f"{step}|{moment}"
        known = self._done.read_text().split("\n") if self._done.exists() else []
        if not self._requested & {"*", point} or f"{turn_id}|{point}" in known:
            return
        with self._done.open("a") as file:
            file.write(f"{turn_id}|{point}\n")
            file.flush()
            os.fsync(file.fileno())
        os.kill(os.getpid(), signal.SIGKILL)


def install(points: KillPoints) -> None:
    """Insert these points into the steps of every job."""
    take_step = JobContext.step

    def step(self: JobContext, name: str, function: Callable[[], Any]) -> Any:
        points.reached(self.job_id, name, "before")

        def do() -> Any:
            result = function()
            points.reached(self.job_id, name, "inside")
            return result

        result = take_step(self, name, do)
        points.reached(self.job_id, name, "after")
        return result

    JobContext.step = step  # type: ignore[method-assign]


def main(data: Path, model_url: str, points: Path) -> None:
    install(KillPoints(points))
    settings = settings_of(data, model_url)
    with open_services(settings) as services:
        jobs = Jobs(
            database_url(settings), node_id="node-1", polling_seconds=0.25, max_recoveries=10_000
        )
        services.agent.register(jobs)
        jobs.launch()
        services.agent.start_queued()
        print("ready", flush=True)
        sys.stdin.read()
        jobs.close()
        services.agent.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
