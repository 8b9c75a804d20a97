"""Damaged, empty or missing files of the data folder that can be made again were not."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from docstead.base.errors import DocsteadError, NotFound
from docstead.base.outbound import OutboundClient
from docstead.export.parts import ExportParts
from docstead.export.static_file import StaticFile
from docstead.jobs import Jobs
from docstead.models.minilm import MiniLM
from docstead.publishing.editions import EditionStore
from docstead.publishing.remote_files import RemoteFiles
from docstead.publishing.update_records import UpdateStatus
from docstead.publishing.vector_cache import VectorCache, vectors_key
from docstead.search.fusion import QueryVectors
from docstead.storage.schema import editions
from handmade_sites import HandmadeSites
from manual_clock import ManualClock
from publishing_world import World
from sampled_cases import one_in

_MARKS = "retention/unused-assets.json"


@pytest.mark.parametrize("content", one_in(3, [b"\xff\xfe", b"", b'{"x": "y"}']))
def test_damaged_marks_of_unused_files_are_made_again(
    sqlite_backend: Any, tmp_path: Path, clock: ManualClock, content: bytes
) -> None:
    world = World(sqlite_backend, tmp_path)
    acme, node = world.deployment(), world.node()
    (tmp_path / "acme" / "logo.svg").write_text("<svg/>")
    node.publish(acme)
    objects = sqlite_backend.objects
    (used,) = objects.keys("assets")
    objects.put("assets/" + "0" * 64, b"nobody's")
    objects.put("editions/ed_0.sqlite", b"left by a killed process")
    objects.put(_MARKS, content)
    node.retention.sweep(acme.project_id)
    assert len(list(objects.keys("assets"))) == 2, "a running update may rely on it for a day"
    node.clock.move_to(node.clock.now() + timedelta(hours=25))
    node.retention.sweep(acme.project_id)
    assert list(objects.keys("assets")) == [used]
    assert "editions/ed_0.sqlite" not in objects.keys("editions")
    assert "first" in node.shown(acme)


@pytest.mark.parametrize("content", [b"", b"garbage", None])
def test_damaged_vectors_are_made_again(
    sqlite_backend: Any, tmp_path: Path, clock: ManualClock, content: bytes | None
) -> None:
    sites = HandmadeSites(sqlite_backend.database, sqlite_backend.objects, tmp_path, clock)
    acme = sites.deployment("acme", "docs.acme.example")
    edition_id = sites.publish(acme, ("index",))
    key = vectors_key(_Space.space, edition_id)
    with sqlite_backend.database.transaction() as connection:
        connection.execute(update(editions).values(vectors_key=key))
    if content is not None:
        sites.objects.put(key, content)
    cache = tmp_path / "shelf"
    passage_store = VectorCache(sites.database, sites.objects, cache, _Space())
    reading = EditionStore(sites.database, sites.objects, cache, vectors=passage_store)
    assert reading.current(acme) is not None
    with sqlite_backend.database.reading() as connection:
        known = connection.execute(select(editions.c.vectors_key)).scalar_one()
    assert known is None, "so that a job makes them again"
    assert not list(cache.glob("*.vec"))


class _Space(QueryVectors):
    """A model that is not asked."""

    space = "test"


def _empty_head(mirror: Path) -> None:
    (mirror / "HEAD").write_text("")


def _damaged_packs(mirror: Path) -> None:
    for path in (mirror / "objects").rglob("*"):
        if path.is_file():
            path.chmod(0o600)
            path.write_bytes(b"damaged")


def _no_objects(mirror: Path) -> None:
    shutil.rmtree(mirror / "objects")


@pytest.mark.parametrize("damage", [_empty_head, _damaged_packs, _no_objects])
def test_a_damaged_mirror_is_made_again(
    sqlite_backend: Any, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    from docstead.publishing.sources import DocumentationSource, checkout

    source = tmp_path / "repository"
    _commit(source, "first")
    workspace = tmp_path / "workspace"
    found = DocumentationSource(source.as_uri())
    assert (checkout(found, workspace).path / "index.mdx").read_text() == "first"
    (mirror,) = workspace.glob("*.git")
    damage(mirror)
    assert (checkout(found, workspace).path / "index.mdx").read_text() == "first"
    damage(mirror)
    _commit(source, "second")
    assert (checkout(found, workspace).path / "index.mdx").read_text() == "second"


def _commit(folder: Path, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "index.mdx").write_text(text)
    who = ("-c", "user.name=Ada Writer", "-c", "user.email=ada@example.com")
    for arguments in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "-m", text)):
        subprocess.run(["git", *who, *arguments], cwd=folder, check=True)


@pytest.mark.parametrize("content", [b"", b"garbage"])
def test_damaged_parts_of_an_export_are_missing_ones(
    sqlite_backend: Any, tmp_path: Path, content: bytes
) -> None:
    parts = ExportParts(sqlite_backend.objects, "se_1")
    parts.store(0, [StaticFile.of("index.html", b"<p>")])
    assert parts.load(0) == {"index.html": b"<p>"}
    (key,) = sqlite_backend.objects.keys("exports")
    sqlite_backend.objects.put(key, content)
    with pytest.raises(NotFound):
        parts.load(0)
    assert not parts.has(0)


def test_an_empty_copy_of_a_remote_file_is_none(tmp_path: Path) -> None:
    remote = RemoteFiles(OutboundClient(), tmp_path)
    url = "https://127.0.0.1:1/openapi.json"
    remote._copy(url).write_bytes(b"")  # it has a folder
    with pytest.raises(DocsteadError):
        remote.read(url)


@pytest.mark.parametrize("content", one_in(2, [b"garbage", b""]))
def test_a_damaged_copy_of_the_sentence_model_is_made_again(tmp_path: Path, content: bytes) -> None:
    MiniLM(tmp_path).embed([])
    (model,) = tmp_path.glob("*/model.onnx")
    model.write_bytes(content)
    assert len(MiniLM(tmp_path).embed(["a sentence"])) == 1


def test_work_goes_on_when_the_database_of_jobs_is_lost(
    sqlite_backend: Any, tmp_path: Path
) -> None:
    world = World(sqlite_backend, tmp_path)
    acme, neighbour, node = world.deployment(), world.deployment("neighbour"), world.node()
    begun = node.updates.create(acme.project_id, "api")
    own = node.updates.create(neighbour.project_id, "internal")
    records = node.updates._records
    for each in (begun, own):
        records.advance(each.id, UpdateStatus.IN_PROGRESS)
    jobs = Jobs(f"sqlite:///{tmp_path}/fresh.db", node_id="node-1", polling_seconds=0.25)
    node.updates.register(jobs)
    jobs.launch()
    try:
        node.updates.start_queued()
        assert jobs.wait(begun.id, 120)
    finally:
        jobs.close()
    assert node.updates.get(begun.id).status is UpdateStatus.SUCCESS
    assert node.updates.get(own.id).status is UpdateStatus.IN_PROGRESS, "another process does it"
