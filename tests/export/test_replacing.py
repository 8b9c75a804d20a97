"""Outputs of an export that it does not replace."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.base.errors import Conflict
from docstead.export.replacing import check_replaceable, put_in_place
from docstead.export.writers import WriterProcesses


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


FAILING = "#!/bin/sh\nexit 1\n"


@pytest.mark.parametrize("program", [None, "", FAILING])
def test_a_replaced_folder_is_removed_also_without_a_program_that_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str | None
) -> None:
    if program is not None:
        programs = tmp_path / "bin"
        programs.mkdir()
        if program:
            (programs / "rm").write_text(program)
            (programs / "rm").chmod(0o755)
        monkeypatch.setenv("PATH", str(programs))
    parent = tmp_path / "sites"
    for name in ("site", "fresh"):
        (parent / name / "pages").mkdir(parents=True)
        (parent / name / "pages" / name).touch()
    replaced = put_in_place(parent / "fresh", parent / "site")
    assert replaced is not None
    assert {path.name for path in replaced.rglob("*")} == {"export", "pages", "site"}
    with WriterProcesses() as writers:
        writers.remove(replaced)
    assert {path.name for path in parent.rglob("*")} == {"site", "pages", "fresh"}
