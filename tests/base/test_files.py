"""Files that replace others in one step."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.base.files import replacing


def test_a_complete_file_replaces_the_former_one(tmp_path: Path) -> None:
    path = tmp_path / "site.zip"
    path.write_text("former")
    with replacing(path) as fresh:
        fresh.write_text("new")
        assert path.read_text() == "former"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_one_leaves_the_former_one(tmp_path: Path) -> None:
    path = tmp_path / "site.zip"
    path.write_text("former")
    with pytest.raises(ZeroDivisionError):
        _fail_while_writing(path)
    assert path.read_text() == "former"
    assert list(tmp_path.iterdir()) == [path]


def _fail_while_writing(path: Path) -> None:
    with replacing(path) as fresh:
        fresh.write_text("half")
        raise ZeroDivisionError


def test_the_file_of_a_killed_writer_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "site.zip"
    with replacing(path) as left:
        left.write_text("former")
    left.write_text("half")
    with replacing(path) as fresh:
        assert not fresh.exists()
        fresh.write_text("new")
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]
