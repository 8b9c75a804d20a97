"""Vectors after publishing: computed once, kept by text, passed to readers, dropped with age."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
import pytest

from docstead.accounts.tenancy import Deployment
from docstead.base.errors import ObjectsUnavailable, Unavailable
from docstead.jobs import Jobs
from docstead.models.embedding import QueryEmbeddings
from docstead.publishing.editions import EditionStore
from docstead.publishing.vector_cache import VectorCache, find_key
from docstead.publishing.vector_jobs import VectorJobs
from docstead.publishing.vectors import VectorBatches, VectorProgress
from docstead.search.documents import Passage
from handmade_sites import HandmadeSites
from manual_clock import ManualClock


class Model:
    """Vectors by the letters of a text; remembers what it was asked."""

    space = "letters"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fails = False
        self.before_embedding: Callable[[], object] = lambda: None

    def embed(self, texts: list[str]) -> np.ndarray:
        if self.fails:
            raise Unavailable
        self.before_embedding()
        self.asked += texts
        rows = [[1 + text.count(letter) for letter in "abcdefgh"] for text in texts]
        matrix = np.array(rows, np.float32)
        return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)

    @property
    def passages(self) -> list[str]:
        return [text for text in self.asked if "\n" in text]


@pytest.fixture
def model() -> Model:
    return Model()


@dataclass(frozen=True)
class VectorHarness:
    """One site, its readers and the job that makes its vectors."""

    sites: HandmadeSites
    editions: EditionStore
    vectors: VectorJobs
    jobs: Jobs
    clock: ManualClock
    deployment: Deployment

    def publish(self, *pages: str) -> str:
        self.clock.move_to(self.clock.now() + timedelta(minutes=1))
        return self.sites.publish(self.deployment, pages)

    def finish(self, edition_id: str) -> None:
        self.vectors.start_missing()
        assert self.jobs.wait(self.job_of(edition_id), 120)

    def job_of(self, edition_id: str) -> str:
        return f"{edition_id}.letters.{self.clock.now():%Y%m%d%H}"

    def best(self, query: str) -> Passage:
        return index_of(self.editions, self.deployment).search(query, limit=1)[0]


@pytest.fixture
def harness(backend, clock, tmp_path, model) -> Iterator[VectorHarness]:
    sites = HandmadeSites(backend.database, backend.objects, tmp_path, clock)
    folder, ticks = tmp_path / "editions", iter(range(0, 9000, 3))
    cache = VectorCache(
        backend.database,
        backend.objects,
        folder,
        QueryEmbeddings(model, lambda: next(ticks) * 100.0),
        lambda: float(next(ticks)),
    )
    editions = EditionStore(
        backend.database, backend.objects, folder, vectors=cache, fresh_seconds=0
    )
    vectors = VectorJobs(backend.database, backend.objects, editions, model, clock)
    jobs = Jobs(backend.database_url, node_id="node-1", polling_seconds=0.25)
    vectors.register(jobs)
    jobs.launch()
    deployment = sites.deployment("acme", "docs.acme.example")
    yield VectorHarness(sites, editions, vectors, jobs, clock, deployment)
    jobs.close()


def index_of(editions: EditionStore, deployment):
    """Handmade editions have no index: it is built while readers are asked to wait."""
    for _ in range(2400):
        try:
            return editions.current(deployment).index
        except Unavailable:
            time.sleep(0.05)
    raise AssertionError("the index was not made")


def test_passages_that_stay_are_not_computed_again(harness, model, backend):
    first = harness.publish("bad", "cab")
    assert harness.best("bad").cosine is None
    harness.finish(first)
    assert len(model.passages) == 2
    assert harness.best("bad").cosine is not None

    second = harness.publish("bad", "face")
    # Readers go on with what the edition before knew.
    assert harness.best("bad").cosine is not None
    harness.finish(second)
    assert len(model.passages) == 3
    found = index_of(harness.editions, harness.deployment).search("cab", limit=9)
    assert {each.slug for each in found} == {"bad", "face"}
    assert list(backend.objects.keys("vectors")) == [f"vectors/letters/{second}.vec"]


def test_a_model_that_fails_leaves_search_by_words(harness, model):
    edition_id = harness.publish("bad")
    harness.best("bad")
    model.fails = True
    harness.finish(edition_id)
    assert harness.best("bad").slug == "bad"
    model.fails = False
    harness.clock.move_to(harness.clock.now() + timedelta(hours=1))
    harness.finish(edition_id)
    assert len(model.passages) == 1


CAUSES = {
    "the disk: no space is left; free": OSError(errno.ENOSPC, "No space left on device"),
    "start its server": ObjectsUnavailable(detail="the object store failed: start its server"),
}


@pytest.mark.parametrize("cause", CAUSES)
def test_a_known_cause_is_one_line_of_the_log_and_tried_again(
    harness, model, monkeypatch, caplog, cause: str
) -> None:
    def fail(*_: object) -> None:
        raise CAUSES[cause]

    edition_id = harness.publish("bad", "cab")
    harness.best("bad")
    monkeypatch.setattr("docstead.publishing.vectors._BATCH", 1)  # so that there is a helper
    model.before_embedding = fail
    with caplog.at_level("WARNING"):
        harness.finish(edition_id)
        assert harness.jobs.wait(harness.job_of(edition_id) + ".0", 120)
    (line,) = [each for each in caplog.records if "vector" in each.name]
    assert line.getMessage().startswith(f"the vectors of edition {edition_id} are not computed")
    assert cause in line.getMessage()
    assert line.exc_info is None
    model.before_embedding = lambda: None
    harness.clock.move_to(harness.clock.now() + timedelta(hours=1))
    harness.finish(edition_id)
    assert harness.vectors.progress(edition_id).is_ready


def test_batches_are_shared_resumed_and_counted(harness, model, backend, monkeypatch):
    monkeypatch.setattr("docstead.publishing.vectors._BATCH", 1)
    edition_id = harness.publish("bad", "cab", "face")
    harness.best("bad")
    assert harness.vectors.progress(edition_id) == VectorProgress()

    def opened() -> VectorBatches:
        return VectorBatches(backend.objects, harness.editions, model, edition_id)

    plan = opened().plan(None)
    opened().embed(plan, 2, lambda: None)
    assert opened().planned() == plan
    assert harness.vectors.progress(edition_id) == VectorProgress(1, 3)
    opened().embed(plan, 2, lambda: None)
    assert len(model.passages) == 1

    harness.finish(edition_id)  # with a helper
    assert sorted(model.passages) == sorted(set(model.passages))
    assert harness.vectors.progress(edition_id).is_ready
    assert list(backend.objects.keys("vectors")) == [f"vectors/letters/{edition_id}.vec"]


def test_small_editions_come_first(harness, monkeypatch) -> None:
    of_large = harness.publish(*(f"page-{number}" for number in range(3)))
    small = harness.sites.deployment("small", "docs.small.example")
    of_small = harness.sites.publish(small, ("bad",))
    begun: list[tuple[str, str]] = []
    monkeypatch.setattr("docstead.publishing.vector_jobs._SMALL_PAGES", 2)
    monkeypatch.setattr(
        harness.jobs, "start", lambda _, job_id, partition: begun.append((job_id, partition))
    )
    harness.vectors.start_missing()
    assert [(job.partition(".")[0], size) for job, size in begun] == [
        (of_small, "vectors.small"),
        (of_large, "vectors.large"),
    ]


def test_vectors_of_others_stay_and_those_of_old_editions_go(harness, backend) -> None:
    harness.sites.deployment("empty", "docs.empty.example")
    other = harness.sites.deployment("other", "docs.other.example")
    of_other = harness.sites.publish(other, ("bad",))
    index_of(harness.editions, other)
    harness.finish(of_other)
    harness.sites.publish(other, ("cab",))
    unfinished, first = harness.publish("bad"), harness.publish("cab")
    harness.best("cab")
    harness.finish(first)
    second = harness.publish("face")
    harness.best("face")
    harness.finish(second)
    kept = set(backend.objects.keys("vectors"))
    assert f"vectors/letters/{of_other}.vec" in kept
    assert f"vectors/letters/{second}.vec" in kept
    assert not {f"vectors/letters/{each}.vec" for each in (unfinished, first)} & kept
    key = find_key(backend.database, second, "letters")
    assert key == f"vectors/letters/{second}.vec"
    assert find_key(backend.database, of_other, "letters") == f"vectors/letters/{of_other}.vec"


def test_vectors_of_an_edition_that_was_replaced_meanwhile_stay(harness, model, backend) -> None:
    newer: list[str] = []

    def publish_another() -> None:
        if not newer:
            newer.append(harness.publish("face"))

    older = harness.publish("bad")
    harness.best("bad")
    model.before_embedding = publish_another
    harness.finish(older)
    assert newer
    assert find_key(backend.database, newer[0], "letters") == f"vectors/letters/{older}.vec"
