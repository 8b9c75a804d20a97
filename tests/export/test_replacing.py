"""Outputs of an export that it does not replace."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.base.errors import Conflict
from docstead.export.replacing import check_replaceable


def test_a_file_is_not_replaced_and_the_error_names_what_is(tmp_path: Path) -> None:
    (tmp_path / "docs.json").write_text("{}")
    with pytest.raises(Conflict, match=r"docs\.json is not a folder; name .* \.tar\.gz or \.zip$"):
        check_replaceable(tmp_path / "docs.json")
    check_replaceable(tmp_path / "new")


def test_a_git_repository_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "_docs").mkdir()
    (tmp_path / "_docs" / "export.json").touch()
    check_replaceable(tmp_path)
    (tmp_path / ".git").touch()  # as in a worktree
    with pytest.raises(Conflict, match=r"has a git repository.* choose another folder"):
        check_replaceable(tmp_path)
