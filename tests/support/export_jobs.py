"""Exports of a handmade site, run by real jobs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docstead.accounts.tenancy import Deployment
from docstead.export.exports import ExportManager
from docstead.export.records import Export, ExportRecords, ExportRetention
from docstead.jobs import Jobs
from docstead.storage.objects import ObjectStore
from handmade_sites import HandmadeSites
from manual_clock import ManualClock


@dataclass
class ExportJobs:
    exports: ExportManager
    jobs: Jobs
    clock: ManualClock

    def finished(self, deployment: Deployment) -> Export:
        started = self.exports.start(deployment.organization_id, deployment.hostname)
        assert self.jobs.wait(started.id, 120)
        return self.exports.get(deployment.organization_id, started.id)


@contextmanager
def export_jobs(
    backend: Any,
    sites: HandmadeSites,
    objects: ObjectStore,
    clock: ManualClock,
    folder: Path,
    *,
    kept: ExportRetention,
) -> Iterator[ExportJobs]:
    """Yield exports of each deployment in `objects`, of which `kept` are kept."""
    exports = ExportManager(
        records=ExportRecords(backend.database, clock),
        editions=sites.editions,
        objects=objects,
        tenancy=sites.tenancy,
        kept=kept,
    )
    jobs = Jobs(f"sqlite:///{folder}/exports.db", node_id="node-1", polling_seconds=0.25)
    exports.register(jobs)
    jobs.launch()
    try:
        yield ExportJobs(exports, jobs, clock)
    finally:
        jobs.close()
