"""Further repositories of a job's tools: cloned when they are first read."""

from __future__ import annotations

from pathlib import Path

from docstead.agent.tool_sources import FurtherRepositories
from docstead.agent.tools import Toolbox, WorkspaceChecker
from docstead.agent.workspace import Workspace, WorkspaceFiles
from docstead.base.errors import SourceUnreadable


def test_a_repository_is_cloned_when_it_is_read(
    workspace: Workspace, checker: WorkspaceChecker, tmp_path: Path
) -> None:
    (tmp_path / "api.py").write_text("def call(): ...\n")
    opened: list[str] = []

    def open_code() -> WorkspaceFiles:
        opened.append("code")
        return WorkspaceFiles(tmp_path)

    def open_lost() -> WorkspaceFiles:
        raise SourceUnreadable("https://git.example.com/lost.git is not there")

    repositories = FurtherRepositories({"code": open_code, "lost": open_lost})
    box = Toolbox(workspace, checker, repositories=repositories)
    assert opened == []
    for _ in range(2):
        result = box.run("read_file", {"path": "api.py", "repository": "code"})
        assert "def call" in result.text
    assert opened == ["code"]
    lost = box.run("list_files", {"repository": "lost"})
    assert lost.is_error
    assert "'lost' cannot be read: https://git.example.com/lost.git is not there" in lost.text
    unknown = box.run("list_files", {"repository": "other"})
    assert "there is code, lost" in unknown.text
