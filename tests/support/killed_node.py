"""The service in its own process, which kills itself at named checkpoints.

`killed_node.py POINTS LOG`: at each checkpoint, once for each job or request, it kills itself
if the file POINTS contains `*` (see `agent_worker.KillPoints`). Checkpoints of requests are
for those with the header `x-checkpoints`, whose value identifies them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docstead.export.work as export_work
from agent_worker import KillPoints
from docstead.cli import serve
from docstead.export.exports import ExportManager
from docstead.export.work import ExportWork
from docstead.publishing import project_sources
from docstead.publishing.edition_builds import EditionBuild
from docstead.publishing.new_editions import NewEditions
from docstead.publishing.rollbacks import EditionRollbacks
from docstead.publishing.updates import UpdateService
from docstead.storage.objects import DiskObjects

App = Callable[..., Any]


class Checkpoints:
    """Kills this process when a job or a request passes for the first time."""

    def __init__(self, points: KillPoints) -> None:
        self._points = points
        self._job = ""  # the current one: tests run one at a time

    def install(self) -> None:
        """Insert these checkpoints into updates, exports and answers."""
        self._around_jobs(UpdateService, "claim update")
        self._around_jobs(ExportManager, "claim export")
        self._around(project_sources, "checkout", "fetch")
        self._around(NewEditions, "_make_current", "move the pointer")
        self._around(EditionRollbacks, "_move", "roll back", lambda *found: f"to {found[2].id}")
        self._around(ExportManager, "queue", "queue", lambda *found: f"queue {found[2]}")
        self._around(ExportWork, "write_batch", "render pages")
        self._around(export_work, "write_bundle", "pack")
        self._around(ExportWork, "write_bundle", "complete")
        self._around(ExportManager, "bundle", "sign", lambda *found: f"sign {found[2]}")
        self._around_render()
        self._around_write()
        create = serve.create_service  # type: ignore[attr-defined]
        serve.create_service = lambda services: self.application(  # type: ignore[attr-defined]
            create(services)
        )

    def application(self, app: App) -> App:
        """Return the application, which may die between two parts of an answer."""

        async def answer(scope: Any, receive: App, send: App) -> None:
            asked = dict(scope.get("headers", ())).get(b"x-checkpoints", b"").decode()
            await app(scope, receive, self._sending(asked, send) if asked else send)

        return answer

    def _sending(self, asked: str, send: App) -> App:
        parts = 0

        async def watched_send(message: Any) -> None:
            nonlocal parts
            is_part = message["type"] == "http.response.body"
            is_last = is_part and not message.get("more_body", False)
            if is_last:
                self._points.reached(asked, "last byte", "before")
            await send(message)
            parts += is_part and bool(message.get("body"))
            if parts == 1:
                self._points.reached(asked, "first byte", "after")
            if parts == 2 or b"0:" in message.get("body", b"")[:8]:
                self._points.reached(asked, "half an answer", "after")
            if is_last:
                self._points.reached(asked, "last byte", "after")

        return watched_send

    def _around(
        self, owner: Any, name: str, point: str, job_of: Callable[..., str] | None = None
    ) -> None:
        function = getattr(owner, name)

        def passing(*given: Any, **more: Any) -> Any:
            job = job_of(*given, *more.values(), "", "") if job_of else self._job
            self._points.reached(job, point, "before")
            result = function(*given, **more)
            self._points.reached(job, point, "after")
            return result

        setattr(owner, name, passing)

    def _around_jobs(self, owner: Any, point: str) -> None:
        name = "_run_job" if hasattr(owner, "_run_job") else "_run"
        run = getattr(owner, name)

        def running(jobs: Any, context: Any, job_id: str) -> None:
            self._job = job_id
            self._points.reached(job_id, point, "before")
            run(jobs, context, job_id)
            self._points.reached(job_id, point, "after")

        setattr(owner, name, running)

    def _around_render(self) -> None:
        build = EditionBuild.build

        def building(self_: EditionBuild, revision: Any, previous: Any, progress: Any) -> Any:
            def rendered(done: int, total: int) -> None:
                self._points.reached(self._job, "render", "inside")
                if progress:
                    progress(done, total)

            self._points.reached(self._job, "render", "before")
            result = build(self_, revision, previous, rendered)
            self._points.reached(self._job, "render", "after")
            return result

        EditionBuild.build = building  # type: ignore[method-assign]

    def _around_write(self) -> None:
        put = DiskObjects.put

        def putting(objects: DiskObjects, key: str, data: Any, **more: Any) -> None:
            folder = "parts" if "/parts/" in key else key.partition("/")[0]
            self._points.reached(self._job, f"write {folder}", "before")
            put(objects, key, data, **more)
            self._points.reached(self._job, f"write {folder}", "after")

        DiskObjects.put = putting  # type: ignore[method-assign]


def main(points: str, log: str) -> None:
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    Checkpoints(KillPoints(Path(points))).install()
    serve.run(host=None, port=None)


if __name__ == "__main__":
    main(*sys.argv[1:])
