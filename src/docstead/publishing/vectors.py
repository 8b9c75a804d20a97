"""Vectors of an edition's passages, computed by a job after publishing.

Keyword search works immediately; semantic search follows. Passages of an earlier edition keep their
vectors, identified by a digest of their text. New passages are embedded in small batches, each a
step with its own object, so that nothing is computed twice after a restart. The last step combines
them into one object and records it in the edition's row.

Failure rule: an error of the model ends the job, which is started again an hour later. Readers
continue with the vectors of the previous edition.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from docstead.base.clock import Clock
from docstead.base.errors import DocsteadError, NotFound
from docstead.jobs import JobContext, Jobs
from docstead.models.embedding import Embedder
from docstead.publishing.editions import EditionStore
from docstead.publishing.vector_cache import find_key, vectors_key
from docstead.search.documents import Passage
from docstead.search.vectors import VectorFile, passage_vector, write_vectors
from docstead.storage.database import Database
from docstead.storage.objects import ObjectStore
from docstead.storage.schema import deployments, editions

if TYPE_CHECKING:
    from docstead.search.vectors import Vector

_log = logging.getLogger(__name__)

KIND = "vectors"

_BATCH = 48  # passages per batch: a few seconds of work
_NICE = 10  # a tenth of the usual processor share; at 19, a busy machine never finishes


@dataclass(frozen=True)
class _Plan:
    """Plan of a job, fixed at its start because its steps must stay the same."""

    known_key: str | None  # object with the vectors of an earlier edition
    batches: int


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
        """Register the job and a periodic check. Call before `jobs.launch()`."""
        jobs.register(KIND, self._run, is_awaited=False)
        jobs.run_periodically(self.start_missing)
        self._jobs = jobs

    def start_missing(self) -> None:
        """Start a job for every current edition without its own vectors."""
        assert self._jobs is not None, "register() comes first"  # noqa: S101
        for edition_id in self._missing():
            hour = f"{self._clock.now():%Y%m%d%H}"
            job_id = f"{edition_id}.{self._embedder.space}.{hour}"
            if job_id not in self._started:
                self._jobs.start(KIND, job_id, partition=KIND)
                self._started.add(job_id)

    def _missing(self) -> list[str]:
        known = self._database_keys(vectors_key(self._embedder.space, "%"))
        query = select(deployments.c.current_edition_id).distinct()
        with self._database.reading() as connection:
            current = connection.execute(query).scalars().all()
        return [each for each in current if each is not None and each not in known]

    def _database_keys(self, pattern: str) -> set[str]:
        query = select(editions.c.id).where(editions.c.vectors_key.like(pattern))
        with self._database.reading() as connection:
            return set(connection.execute(query).scalars())

    # --- the job ------------------------------------------------------------

    def _run(self, context: JobContext, job_id: str) -> None:
        edition_id = job_id.partition(".")[0]
        try:
            self._supply(context, edition_id)
        except DocsteadError as error:
            _log.warning("edition %s has no vectors: %s", edition_id, error.message)

    def _supply(self, context: JobContext, edition_id: str) -> None:
        work = _VectorWork(self._objects, self._editions, self._embedder, edition_id)
        plan = context.step("plan", lambda: self._plan(edition_id, work))
        if plan is None:
            return
        with ThreadPoolExecutor(1, "vectors", _lower_priority) as patient:
            for number in range(plan.batches):
                task = partial(work.embed_batch, plan.known_key, number, context.raise_if_stopping)
                context.step(f"batch {number}", lambda task=task: patient.submit(task).result())  # type: ignore[misc]
        context.step("finish", lambda: self._finish(edition_id, plan, work))

    def _plan(self, edition_id: str, work: _VectorWork) -> _Plan | None:
        """Return the plan, or None if there is nothing left to do."""
        if edition_id not in self._missing():
            return None
        known_key = find_key(self._database, edition_id, self._embedder.space)
        return _Plan(known_key, work.count_batches(known_key))

    def _finish(self, edition_id: str, plan: _Plan, work: _VectorWork) -> None:
        key = vectors_key(self._embedder.space, edition_id)
        work.assemble(key, plan.known_key, plan.batches)
        with self._database.transaction() as connection:
            connection.execute(
                update(editions).where(editions.c.id == edition_id).values(vectors_key=key)
            )
        work.clear(plan.batches)
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


class _VectorWork:
    """Computation of an edition's vectors."""

    def __init__(
        self, objects: ObjectStore, editions: EditionStore, embedder: Embedder, edition_id: str
    ) -> None:
        self._objects = objects
        self._editions = editions
        self._embedder = embedder
        self._edition_id = edition_id
        self._missing: list[Passage] | None = None

    def count_batches(self, known_key: str | None) -> int:
        return -(-len(self._to_do(known_key)) // _BATCH)

    def embed_batch(
        self, known_key: str | None, number: int, raise_if_stopping: Callable[[], None]
    ) -> None:
        batch = self._to_do(known_key)[number * _BATCH :][:_BATCH]
        names = {each.name: None for each in batch}
        of_names = dict(zip(names, self._embedder.embed(list(names)), strict=True))
        found: dict[int, Vector] = {}
        for each in batch:
            raise_if_stopping()
            (of_text,) = self._embedder.embed([f"{each.name}\n{each.markdown}"])
            found[each.digest] = passage_vector(of_text, of_names[each.name])
        self._put(self._part(number), found)

    def assemble(self, key: str, known_key: str | None, batches: int) -> None:
        known = self._vectors(known_key) if known_key else {}
        wanted = {each.digest for each in self._passages()}
        found = {digest: vector for digest, vector in known.items() if digest in wanted}
        for number in range(batches):
            found |= self._vectors(self._part(number))
        if missing := wanted - found.keys():
            raise DocsteadError(f"{len(missing)} vectors of {self._edition_id} are lost")
        self._put(key, found)

    def clear(self, batches: int) -> None:
        for number in range(batches):
            self._objects.delete(self._part(number))

    def _to_do(self, known_key: str | None) -> list[Passage]:
        """Return the passages without vectors, in the stable order of their digests."""
        if self._missing is None:
            known = self._vectors(known_key) if known_key else {}
            new = {each.digest: each for each in self._passages() if each.digest not in known}
            self._missing = [new[digest] for digest in sorted(new)]
        return self._missing

    def _passages(self) -> Iterator[Passage]:
        return self._editions.open(self._edition_id).index.passages()

    def _part(self, number: int) -> str:
        return f"vectors/{self._embedder.space}/{self._edition_id}/{number:05}.vec"

    def _put(self, key: str, found: dict[int, Vector]) -> None:
        with tempfile.TemporaryDirectory(prefix="docstead-vectors-") as scratch:
            file = Path(scratch) / "vectors"
            write_vectors(file, self._embedder.space, found)
            self._objects.put(key, file)

    def _vectors(self, key: str) -> dict[int, Vector]:
        with tempfile.TemporaryDirectory(prefix="docstead-vectors-") as scratch:
            file = Path(scratch) / "vectors"
            try:
                self._objects.download(key, file)
            except NotFound as error:
                raise DocsteadError(f"the object {key} no longer exists") from error
            return VectorFile(file).by_digest()


def _lower_priority() -> None:
    """Lower the priority of this thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
