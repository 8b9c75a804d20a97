"""Files are looked at again when they have changed, and when they may have."""

from __future__ import annotations

import os
import time
from types import SimpleNamespace

import pytest

from docstead.publishing import file_cache
from docstead.publishing.file_cache import FileCache


@pytest.fixture
def read():
    seen = []

    def make(path):
        seen.append(path)
        return path.read_text()

    return FileCache(make), seen


@pytest.fixture
def later(monkeypatch):
    """Let the cache's clock be three seconds ahead of the file system's from now on."""

    def move():
        clock = SimpleNamespace(time_ns=lambda: time.time_ns() + 3_000_000_000)
        monkeypatch.setattr(file_cache, "time", clock)

    return move


def test_a_file_that_stays_is_read_once(tmp_path, read, later):
    texts, seen = read
    file = tmp_path / "a"
    file.write_text("one")
    written = file.stat().st_ctime_ns
    later()
    assert [texts.of(file) for _ in range(3)] == ["one"] * 3
    assert len(seen) == 1
    before = file.stat()
    while file.stat().st_ctime_ns == written:  # within one tick of the file system's clock
        file.write_text("two")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert texts.of(file) == "two"


def test_what_was_written_just_now_may_be_written_again_within_the_tick(tmp_path, read):
    texts, seen = read
    file = tmp_path / "a"
    for text in ("one", "two", "six"):
        file.write_text(text)
        assert texts.of(file) == text
    assert len(seen) == 3


def test_a_file_that_is_gone(tmp_path, read):
    texts, _ = read
    with pytest.raises(FileNotFoundError):
        texts.of(tmp_path / "a")


def test_the_oldest_is_forgotten_where_there_is_no_space(tmp_path, later):
    seen = []
    sizes = FileCache(lambda path: seen.append(path.name) or 1, max_files=1)
    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
    later()
    for name in ("a", "a", "b", "a"):
        sizes.of(tmp_path / name)
    assert seen == ["a", "b", "a"]
