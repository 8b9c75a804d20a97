"""Walks through folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.base.files import files_below


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("index.mdx", "guides/start.mdx", "guides/more/end.mdx", "node_modules/x.js"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "again").symlink_to("guides")
    (tmp_path / "guides" / "up").symlink_to("..")
    return tmp_path


def test_links_are_yielded_and_not_followed(folder: Path) -> None:
    found = {path: entry.is_symlink() for path, entry in files_below(folder)}
    assert found == {
        "index.mdx": False,
        "guides/start.mdx": False,
        "guides/more/end.mdx": False,
        "guides/up": True,
        "node_modules/x.js": False,
        "again": True,
    }


def test_folders_are_skipped_by_name(folder: Path) -> None:
    found = {path for path, _ in files_below(folder, skip=("node_modules", "more"))}
    assert found == {"index.mdx", "guides/start.mdx", "guides/up", "again"}


def test_a_folder_that_vanishes_is_an_error_unless_it_is_ignored(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(files_below(tmp_path / "gone"))
    assert list(files_below(tmp_path / "gone", ignore_errors=True)) == []
