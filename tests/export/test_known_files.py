"""Digests that are kept with the times of files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docstead.export import known_files
from docstead.export.known_files import KnownFiles
from docstead.publishing import folders
from docstead.rendering import engine_version
from docstead.repository.tree_limits import DEFAULT_TREE_LIMITS

OLD = 1_700_000_000_000_000_000


def digests(known: KnownFiles, source: Path) -> dict[str, str]:
    found = known.memory.files_of(source, DEFAULT_TREE_LIMITS)
    return {path: file.sha256 for path, file in found.items()}


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("docstead.publishing.file_cache._UNCHANGED_NS", 0)
    (tmp_path / "source").mkdir()
    for name in ("one.mdx", "two.mdx"):
        (tmp_path / "source" / name).write_text(name)
    return tmp_path / "source"


def test_only_changed_files_are_read_again(source: Path, tmp_path: Path, monkeypatch) -> None:
    first = KnownFiles(tmp_path / "files")
    before = digests(first, source)
    first.store()
    (source / "one.mdx").write_text("ONE.mdx")
    os.utime(source / "one.mdx", ns=(OLD, OLD))
    read: list[str] = []
    digest_of = folders.digest_of
    monkeypatch.setattr(
        folders, "digest_of", lambda path: read.append(path.name) or digest_of(path)
    )
    after = digests(KnownFiles(tmp_path / "files"), source)
    assert read == ["one.mdx"]
    assert after["one.mdx"] != before["one.mdx"]
    assert after["two.mdx"] == before["two.mdx"]


def test_the_fingerprints_of_the_code_are_kept_while_its_files_are(tmp_path, monkeypatch) -> None:
    first = KnownFiles(tmp_path / "files")
    first.store()
    monkeypatch.setattr(known_files, "export_code", lambda: "another")
    monkeypatch.setattr("docstead.rendering.engine_version", lambda: "another")
    assert KnownFiles(tmp_path / "files").code == first.code
    assert KnownFiles(tmp_path / "files").engine == first.engine == engine_version()
    monkeypatch.setattr(known_files, "package_stamp", lambda: "changed")
    assert KnownFiles(tmp_path / "files").code == "another"
    assert KnownFiles(tmp_path / "files").engine == "another"


def test_damaged_facts_are_found_again(source: Path, tmp_path: Path) -> None:
    (tmp_path / "files").write_bytes(b"damaged")
    known = KnownFiles(tmp_path / "files")
    assert set(digests(known, source)) == {"one.mdx", "two.mdx"}
    known.store()
    assert KnownFiles(tmp_path / "files").code == known.code
