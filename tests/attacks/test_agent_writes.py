"""Files that the agent may write: no programs, and no rules for its own later turns.

That rules are read from the base and not from a job's files is tested with real turns in
`tests/agent/test_injections.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.agent.tools.tool import AgentTool
from docstead.agent.tools.write_tools import WriteTools
from docstead.agent.workspace.files import PathRefused, WorkspaceFiles

RUN_BY_OTHERS = (
    "script.js", "assets/Script.JS", "node_modules/index.mdx", "docs/node_modules/x/readme.md",
    "Node_Modules/a.mdx",
)  # fmt: skip
SNIPPETS = ("snippets/box.js", "snippets/box.jsx")


@pytest.fixture
def tools(tmp_path: Path) -> dict[str, AgentTool]:
    (tmp_path / "page.mdx").write_text("# Page\n")
    files = WorkspaceFiles(tmp_path)
    return {tool.name: tool for tool in WriteTools(files).tools()}


@pytest.mark.parametrize("path", RUN_BY_OTHERS)
def test_what_others_run_is_not_written(
    tools: dict[str, AgentTool], tmp_path: Path, path: str
) -> None:
    with pytest.raises(PathRefused):
        tools["write_file"].run(tools["write_file"].read({"path": path, "text": "x"}))
    assert [each.name for each in tmp_path.iterdir()] == ["page.mdx"]


@pytest.mark.parametrize("path", SNIPPETS)
def test_modules_that_pages_import_are_written(
    tools: dict[str, AgentTool], tmp_path: Path, path: str
) -> None:
    tools["write_file"].run(tools["write_file"].read({"path": path, "text": "x"}))
    assert (tmp_path / path).read_text() == "x"
