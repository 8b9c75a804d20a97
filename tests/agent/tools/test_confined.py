"""Checks in builders say what checks in this process say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from builds import builders_in
from docstead.agent.tools import WorkspaceChecker
from docstead.agent.tools.confined import ConfinedChecker
from docstead.agent.workspace import Workspace
from docstead.base.errors import NotFound


@pytest.fixture
def confined(tmp_path: Path) -> Iterator[ConfinedChecker]:
    checker = ConfinedChecker(builders_in(tmp_path))
    yield checker
    checker.close()


def test_a_comparison_in_a_builder_is_the_same(
    workspace: Workspace, checker: WorkspaceChecker, confined: ConfinedChecker
) -> None:
    (workspace.root / "new.mdx").write_text("[nowhere](/nowhere)\n\n{(() => {\n")
    for _ in range(2):  # the second time by what the builder remembers
        assert confined.compare(workspace) == checker.compare(workspace)
    (workspace.root / "new.mdx").unlink()
    found = confined.compare(workspace, everything=True)
    assert found == checker.compare(workspace, everything=True)
    assert found.passed


def test_a_page_in_a_builder_is_the_same(
    workspace: Workspace, checker: WorkspaceChecker, confined: ConfinedChecker
) -> None:
    slug = "index"
    assert confined.preview(workspace, slug) == checker.preview(workspace, slug)
    with pytest.raises(NotFound, match="nowhere"):
        confined.preview(workspace, "nowhere")
