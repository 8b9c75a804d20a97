"""Vectors of an edition's passages in batches, each an object of its own.

Several jobs compute batches of the same plan, on one node or on several. A batch that is stored is
not computed again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from docstead.base.decoders import json_decoder
from docstead.base.errors import DocsteadError, NotFound
from docstead.models.embedding import Embedder
from docstead.publishing.editions import EditionStore
from docstead.publishing.vector_cache import vectors_key
from docstead.search.documents import Passage
from docstead.search.vectors import VectorFile, passage_vector, write_vectors
from docstead.storage.objects import ObjectStore

if TYPE_CHECKING:
    from docstead.search.vectors import Vector

_BATCH = 48  # passages per batch: a few seconds of work


@dataclass(frozen=True)
class VectorPlan:
    """Work of a job, fixed at its start because its steps must stay the same."""

    known_key: str | None  # object with the vectors of an earlier edition
    batches: int
    passages: int = 0  # to be computed


_Plan = VectorPlan  # its name in stored step results of earlier versions
_PLAN = json_decoder(VectorPlan)


@dataclass(frozen=True)
class VectorProgress:
    """Number of passages of a plan that have vectors; zero before there is a plan."""

    done: int = 0
    total: int = 0
    is_ready: bool = False

    @property
    def is_growing(self) -> bool:
        return self.total > 0 and not self.is_ready


class VectorBatches:
    """The batches of one edition."""

    def __init__(
        self, objects: ObjectStore, editions: EditionStore, embedder: Embedder, edition_id: str
    ) -> None:
        self._objects = objects
        self._editions = editions
        self._embedder = embedder
        self._edition_id = edition_id
        self._missing: list[Passage] | None = None

    def plan(self, known_key: str | None) -> VectorPlan:
        """Return a new plan, which other jobs find."""
        count = len(self._to_do(known_key))
        plan = VectorPlan(known_key, -(-count // _BATCH), count)
        self._objects.put(self._plan_key, msgspec.json.encode(plan))
        return plan

    def planned(self) -> VectorPlan | None:
        """Return the stored plan; None before and after the work."""
        try:
            return _PLAN.decode(self._objects.get(self._plan_key))
        except NotFound:
            return None

    def progress(self) -> VectorProgress:
        plan = self.planned()
        if plan is None:
            return VectorProgress()
        stored = sum(key.endswith(".vec") for key in self._objects.keys(self._folder))
        return VectorProgress(min(stored * _BATCH, plan.passages), plan.passages)

    def embed(self, plan: VectorPlan, number: int, raise_if_stopping: Callable[[], None]) -> None:
        """Compute a batch unless it is stored."""
        if self._objects.size(self._part(number)) is not None:
            return
        batch = self._to_do(plan.known_key)[number * _BATCH :][:_BATCH]
        names = {each.name: None for each in batch}
        of_names = dict(zip(names, self._embedder.embed(list(names)), strict=True))
        found: dict[int, Vector] = {}
        for each in batch:
            raise_if_stopping()
            (of_text,) = self._embedder.embed([f"{each.name}\n{each.markdown}"])
            found[each.digest] = passage_vector(of_text, of_names[each.name])
        self._put(self._part(number), found)

    def assemble(self, plan: VectorPlan) -> str:
        """Combine all batches into one object; return its key."""
        known = self._vectors(plan.known_key) if plan.known_key else {}
        requested = {each.digest for each in self._passages()}
        found = {digest: vector for digest, vector in known.items() if digest in requested}
        for number in range(plan.batches):
            found |= self._vectors(self._part(number))
        if missing := requested - found.keys():
            raise DocsteadError(f"{len(missing)} vectors of {self._edition_id} are lost")
        key = vectors_key(self._embedder.space, self._edition_id)
        self._put(key, found)
        return key

    def clear(self) -> None:
        """Delete plan and batches, the plan first: without it, nobody starts another batch."""
        self._objects.delete(self._plan_key)
        for key in list(self._objects.keys(self._folder)):
            self._objects.delete(key)

    def _to_do(self, known_key: str | None) -> list[Passage]:
        """Return the passages without vectors, in the stable order of their digests."""
        if self._missing is None:
            known = self._vectors(known_key) if known_key else {}
            new = {each.digest: each for each in self._passages() if each.digest not in known}
            self._missing = [new[digest] for digest in sorted(new)]
        return self._missing

    def _passages(self) -> Iterator[Passage]:
        return self._editions.open(self._edition_id).index.passages()

    @property
    def _folder(self) -> str:
        return f"vectors/{self._embedder.space}/{self._edition_id}"

    @property
    def _plan_key(self) -> str:
        return f"{self._folder}/plan.json"

    def _part(self, number: int) -> str:
        return f"{self._folder}/{number:05}.vec"

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
