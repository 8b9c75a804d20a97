"""Calls whose results would fill the memory of the service, or take minutes."""

from __future__ import annotations

import random
import secrets

import pytest

from docstead.agent.tools import Toolbox, WorkspaceChecker
from docstead.agent.workspace import Workspace, WorkspaceManager
from docstead.agent.workspace.diffs import text_diff
from docstead.base.units import MIB
from docstead.publishing.sources import DocumentationSource
from git_repositories import GitRepository
from growth import assert_linear


def test_edits_that_double_a_text_are_refused(run, workspace: Workspace) -> None:
    """One call with 100 of them took all memory of the service."""
    run("write_file", path="a.txt", text="a\n")
    double = {"old_string": "a", "new_string": "aa", "replace_all": True}
    result = run("edit_file", path="a.txt", edits=[double] * 24)
    assert result.is_error
    assert "edit 20: 'a.txt' would have over 1,048,576 characters" in result.text
    assert workspace.files.text("a.txt") == "a\n"


def test_replacements_that_multiply_a_text_are_refused(run, workspace: Workspace) -> None:
    """A pattern that matches everywhere made 10,000 characters of each."""
    text = "a" * 4_000
    run("write_file", path="a.txt", text=text)
    replace = {"pattern": "x*", "replacement": "b" * 10_000, "globs": ["a.txt"], "regex": True}
    result = run("replace_in_files", **replace)
    assert result.is_error
    assert "over 1,048,576 bytes" in result.text
    assert workspace.files.text("a.txt") == text


def test_replacements_in_many_files_have_a_limit_together(
    run, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docstead.agent.tools.replace_tools._MOST_CHARACTERS", 100)
    before = workspace.files.text("index.mdx")
    result = run("replace_in_files", pattern="title", replacement="x", globs=["**.mdx"])
    assert result.is_error
    assert "narrower globs" in result.text
    assert workspace.files.text("index.mdx") == before


def test_texts_that_are_hard_to_compare() -> None:
    """A file of a megabyte took hours of the service."""
    lines = [f"{number}\n" for number in range(100)]

    def run(size: int) -> None:
        old, new = ("".join(random.choices(lines, k=size)) for _ in range(2))
        text_diff("a", old, new)

    assert_linear(run, 20_000)


def test_a_change_of_a_long_text_is_shown_where_it_is() -> None:
    lines = [f"{number}\n" for number in range(30_000)]
    diff = text_diff("a", "".join(lines), "".join([*lines[:100], "new\n", *lines[101:]]))
    assert diff == "--- a/a\n+++ b/a\n@@ -101,1 +101,1 @@\n-100\n+new\n"


def test_a_commit_that_is_too_long_to_show(
    workspaces: WorkspaceManager, checker: WorkspaceChecker, tmp_path
) -> None:
    """A pack of some kilobytes became gigabytes of text in memory."""
    remote = GitRepository(tmp_path / "remote.git")
    commit = remote.commit({"index.mdx": "# A\n", "big.txt": "a\n" * 9 * MIB})
    source, job = DocumentationSource(remote.url), f"aj_{secrets.token_hex(8)}"
    toolbox = Toolbox(workspaces.open(job, source, "docstead/x-1", project="p1"), checker)
    result = toolbox.run("git", {"command": "diff", "commit": commit})
    assert result.is_error
    assert "too long; name a path" in result.text
    named = toolbox.run("git", {"command": "diff", "commit": commit, "path": "index.mdx"})
    assert "+# A" in named.text
