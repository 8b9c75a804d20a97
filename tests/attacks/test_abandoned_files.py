"""Killed processes left files behind that nothing ever removed."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from docstead.base.scratch import process_scratch, remove_abandoned
from docstead.publishing.editions import EditionStore
from handmade_sites import HandmadeSites
from manual_clock import ManualClock

_TWO_DAYS = 2 * 86_400
_WORK = """
import sys, tempfile, pathlib
from docstead.base.scratch import process_scratch
with process_scratch() as folder:
    pathlib.Path(tempfile.mkdtemp(prefix="docstead-edition-"), "half").write_text("written")
    print(folder, flush=True)
    sys.stdin.read()
"""


def test_the_next_process_removes_temporary_files_of_killed_ones(tmp_path: Path) -> None:
    others = tmp_path / "docstead-notes"
    others.mkdir()
    alive, killed = _worker(tmp_path), _worker(tmp_path)
    folders = [Path(each.stdout.readline().strip()) for each in (alive, killed)]
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert folders[1].exists()
    third = _worker(tmp_path)
    third.communicate()
    assert third.returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {others.name, folders[0].name}
    assert next(folders[0].glob("docstead-edition-*/half")).read_text() == "written"
    alive.communicate()
    assert {path.name for path in tmp_path.iterdir()} == {others.name}


def test_a_folder_is_not_removed_before_it_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = fcntl.flock

    def lock_after_another_process_began(file: int, operation: int) -> None:
        if operation == fcntl.LOCK_EX:
            remove_abandoned(tmp_path)
        lock(file, operation)

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(fcntl, "flock", lock_after_another_process_began)
    with process_scratch() as folder:
        assert folder.exists()
        assert [path.name for path in folder.iterdir()] == [".docstead-lock"]


def _worker(temporary: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _WORK],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_deleting_the_last_object_of_a_folder_removes_the_folder(sqlite_backend: Any) -> None:
    objects, root = sqlite_backend.objects, sqlite_backend.objects._root
    for key in ("exports/se_1/parts/0", "exports/se_1/bundle.tar.gz", "exports/se_2/parts/0"):
        objects.put(key, b"x")
    objects.delete("exports/se_1/parts/0")
    assert (root / "exports" / "se_1").exists()
    objects.delete("exports/se_1/bundle.tar.gz")
    assert [path.name for path in (root / "exports").iterdir()] == ["se_2"]
    assert objects.get("exports/se_2/parts/0") == b"x"


def test_half_written_objects_go_after_a_day(sqlite_backend: Any) -> None:
    objects, root = sqlite_backend.objects, sqlite_backend.objects._root
    objects.put("assets/a", b"x")
    old, fresh = root / "assets" / "b#1", root / "assets" / "c#1"
    for path in (old, fresh):
        path.write_bytes(b"half")
    _age(old)
    objects.remove_abandoned()
    assert sorted(path.name for path in (root / "assets").iterdir()) == ["a", "c#1"]


def test_copies_of_editions_that_are_no_more_go(
    sqlite_backend: Any, tmp_path: Path, clock: ManualClock
) -> None:
    sites = HandmadeSites(sqlite_backend.database, sqlite_backend.objects, tmp_path, clock)
    acme = sites.deployment("acme", "docs.acme.example")
    known = sites.publish(acme, ("index",))
    cache = tmp_path / "copies"
    editions = EditionStore(sites.database, sites.objects, cache)
    editions.open(known)
    gone = [cache / "ed_0.sqlite", cache / "ed_0.index", cache / f"{known}.index.abcd"]
    gone += [cache / f"{known}.1234.partial", cache / f".{known}.1234.partial.beef"]
    for path in gone:
        path.mkdir() if "index" in path.name else path.write_bytes(b"x")
    (cache / "space.vec").write_bytes(b"x")
    for path in cache.iterdir():
        _age(path)
    (cache / f"{known}.5678.partial").write_bytes(b"being fetched")
    editions.remove_abandoned()
    left = {path.name for path in cache.iterdir()}
    assert left == {f"{known}.sqlite", f"{known}.5678.partial", "space.vec"}


def _age(path: Path) -> None:
    then = time.time() - _TWO_DAYS
    os.utime(path, (then, then))
