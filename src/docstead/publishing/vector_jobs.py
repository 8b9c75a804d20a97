"""Jobs that compute the vectors of editions after publishing.

Keyword search works immediately; semantic search follows. Passages of an earlier edition keep their
vectors, identified by a digest of their text. New passages are embedded in small batches, each a
step with its own object, so that nothing is computed twice after a restart. Helpers, on this node
and on others, compute batches from the end while the job begins at the start. The last step
combines all batches into one object and records it in the edition's row. Small editions do not wait
for large ones.

Failure rule: an error of the model, the object store or the disk ends the job, which is started
again in the next hour. Readers continue with the vectors of the previous edition.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

from sqlalchemy import Select, select, update

from docstead.base.clock import Clock
from docstead.base.errors import StoreUnavailable
from docstead.base.unexpected import known_cause, log_failure
from docstead.jobs import JobContext, Jobs
from docstead.models.embedding import Embedder
from docstead.publishing.editions import EditionStore
from docstead.publishing.vector_cache import find_key, vectors_key
from docstead.publishing.vectors import VectorBatches, VectorPlan, VectorProgress
from docstead.storage.database import Database
from docstead.storage.objects import ObjectStore
from docstead.storage.schema import deployments, editions

_log = logging.getLogger(__name__)

KIND = "vectors"
_HELP = "vector-batches"

_FAILED = "are not computed, which is tried again in the next hour"
_NICE = 10  # a tenth of the usual processor share; at 19, a busy machine never finishes
_SMALL_PAGES = 200  # of editions that do not wait for larger ones
_MOST_HELPERS = 7  # of one edition, on all nodes
_HELPERS_AT_ONCE = min(_MOST_HELPERS, max(1, (os.cpu_count() or 1) - 1))  # on this node


class VectorJobs:
    """Keeps the current editions supplied with vectors."""

    def __init__(
        self,
        database: Database,
        objects: ObjectStore,
        editions: EditionStore,
        embedder: Embedder,
        clock: Clock,
    ) -> None:
        self._database = database
        self._objects = objects
        self._editions = editions
        self._embedder = embedder
        self._clock = clock
        self._started: set[str] = set()
        self._jobs: Jobs | None = None

    def register(self, jobs: Jobs) -> None:
        """Register the jobs and a periodic check. Call before `jobs.launch()`."""
        jobs.register(KIND, self._run, concurrency=2)
        jobs.register(_HELP, self._help, concurrency=_HELPERS_AT_ONCE, is_awaited=False)
        jobs.run_periodically(self.start_missing)
        self._jobs = jobs

    def follow(self) -> None:
        """Start what is missing after a publish, if this process has the jobs.

        During an outage, the periodic check does it later.
        """
        if self._jobs is not None:
            with suppress(StoreUnavailable):
                self.start_missing()

    def start_missing(self) -> None:
        """Start a job for every current edition without its own vectors, small ones first."""
        assert self._jobs is not None, "register() comes first"  # noqa: S101
        for edition_id, page_count in self._missing():
            hour = f"{self._clock.now():%Y%m%d%H}"
            job_id = f"{edition_id}.{self._embedder.space}.{hour}"
            if job_id not in self._started:
                size = "small" if page_count <= _SMALL_PAGES else "large"
                self._jobs.start(KIND, job_id, partition=f"{KIND}.{size}")
                self._started.add(job_id)

    def progress(self, edition_id: str) -> VectorProgress:
        """Return how many of an edition's new passages have vectors."""
        if self._has_own(edition_id):
            return VectorProgress(is_ready=True)
        return self._batches(edition_id).progress()

    def _missing(self) -> list[tuple[str, int]]:
        """Return current editions without their own vectors and their pages, the smallest first."""
        query = (
            select(editions.c.id, editions.c.page_count)
            .where(editions.c.id.in_(select(deployments.c.current_edition_id)))
            .order_by(editions.c.page_count, editions.c.id)
        )
        with self._database.reading() as connection:
            own = set(connection.execute(_with_vectors(self._embedder.space)).scalars())
            found = [(row.id, row.page_count) for row in connection.execute(query)]
        return [each for each in found if each[0] not in own]

    def _has_own(self, edition_id: str) -> bool:
        query = _with_vectors(self._embedder.space).where(editions.c.id == edition_id)
        with self._database.reading() as connection:
            return connection.execute(query).first() is not None

    def _batches(self, edition_id: str) -> VectorBatches:
        return VectorBatches(self._objects, self._editions, self._embedder, edition_id)

    # --- the jobs -----------------------------------------------------------

    def _run(self, context: JobContext, job_id: str) -> None:
        edition_id = _edition_of(job_id)
        try:
            self._supply(context, job_id, edition_id)
        except Exception as error:
            context.raise_if_stopping()
            log_failure(_log, f"the vectors of edition {edition_id} {_FAILED}", error)

    def _supply(self, context: JobContext, job_id: str, edition_id: str) -> None:
        batches = self._batches(edition_id)
        plan = context.step("plan", lambda: self._plan(edition_id, batches))
        if plan is None:
            return
        context.keep_trying(lambda: self._start_helpers(job_id, plan))
        with _patient_thread() as patient:
            for number in range(plan.batches):
                task = partial(batches.embed, plan, number, context.raise_if_stopping)
                context.step(f"batch {number}", lambda task=task: patient.submit(task).result())  # type: ignore[misc]
        context.step("finish", lambda: self._finish(edition_id, plan, batches))

    def _plan(self, edition_id: str, batches: VectorBatches) -> VectorPlan | None:
        """Return the plan, or None if there is nothing left to do."""
        if edition_id not in dict(self._missing()):
            return None
        return batches.plan(find_key(self._database, edition_id, self._embedder.space))

    def _start_helpers(self, job_id: str, plan: VectorPlan) -> None:
        assert self._jobs is not None  # noqa: S101 - a job runs
        for number in range(min(plan.batches - 1, _MOST_HELPERS)):
            self._jobs.start(_HELP, f"{job_id}.{number}")

    def _help(self, context: JobContext, job_id: str) -> None:
        """Help a job, which reports errors itself."""
        try:
            self._compute_from_the_end(context, job_id)
        except Exception as error:
            if known_cause(error) is None:
                raise

    def _compute_from_the_end(self, context: JobContext, job_id: str) -> None:
        """Compute every seventh batch, until the job has finished."""
        batches, own = self._batches(_edition_of(job_id)), int(job_id.rpartition(".")[2])
        plan = context.keep_trying(batches.planned)
        with _patient_thread() as patient:
            for number in reversed(range(own, plan.batches if plan else 0, _MOST_HELPERS)):
                if plan is None or context.keep_trying(batches.planned) is None:
                    return
                task = partial(batches.embed, plan, number, context.raise_if_stopping)
                patient.submit(task).result()

    def _finish(self, edition_id: str, plan: VectorPlan, batches: VectorBatches) -> None:
        key = batches.assemble(plan)
        with self._database.transaction() as connection:
            connection.execute(
                update(editions).where(editions.c.id == edition_id).values(vectors_key=key)
            )
        batches.clear()
        self._drop_old(edition_id)

    def _drop_old(self, edition_id: str) -> None:
        """Delete vectors of the project's editions that are no longer used."""
        project = select(editions.c.project_id).where(editions.c.id == edition_id)
        current = select(deployments.c.current_edition_id).where(
            deployments.c.current_edition_id.is_not(None)
        )
        old = editions.c.id.not_in(current) & (editions.c.id != edition_id)
        query = select(editions.c.id, editions.c.vectors_key).where(
            old, editions.c.project_id.in_(project), editions.c.vectors_key.is_not(None)
        )
        with self._database.transaction() as connection:
            rows = connection.execute(query).all()
            ids = [row.id for row in rows]
            connection.execute(
                update(editions).where(editions.c.id.in_(ids)).values(vectors_key=None)
            )
        for row in rows:
            self._objects.delete(row.vectors_key)


def _edition_of(job_id: str) -> str:
    return job_id.partition(".")[0]


def _with_vectors(space: str) -> Select[tuple[str]]:
    """Select the editions with vectors of their own in a space."""
    return select(editions.c.id).where(editions.c.vectors_key.like(vectors_key(space, "%")))


def _patient_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "vectors", _lower_priority)


def _lower_priority() -> None:
    """Lower the priority of this thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
