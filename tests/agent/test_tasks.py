"""Scripted tasks over HTTP on our own documentation; the command has all of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOME = ("rename", "half_reverted", "section")


@pytest.fixture(autouse=True)
def _evals_are_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(ROOT / "evals/runners"), *sys.path])


def test_tasks_end_as_they_should(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import agent_kinds
    import agent_tasks

    assert len(agent_kinds.KINDS) >= 12
    chosen = tuple(kind for kind in agent_kinds.KINDS if kind.__name__ in SOME)
    monkeypatch.setattr(agent_tasks, "KINDS", chosen)
    repository = agent_tasks.copied(ROOT / "docs", tmp_path / "repository")
    assert len(repository.tasks()) == len(SOME)
    problems = agent_tasks.run([repository], tmp_path / "data", at_once=2)
    assert problems == {name: [] for name in problems}


def test_what_is_not_as_it_should_be_is_noticed(tmp_path: Path) -> None:
    import agent_kinds
    import agent_tasks

    repository = agent_tasks.copied(ROOT / "docs", tmp_path / "repository")
    expected = agent_kinds.rename(repository.plain).expected
    right = dict(expected.texts)
    assert expected.problems({})  # nothing was done
    assert any("docs.json" in problem for problem in expected.problems(right))
    assert any("index.mdx" in problem for problem in expected.problems({**right, "index.mdx": "x"}))
