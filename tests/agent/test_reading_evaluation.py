"""The evaluation of agent jobs by a model that reads notices a tool that loses text."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

import pytest


@pytest.mark.parametrize("loses", [False, True])
def test_a_lost_character_is_noticed(loses: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    evals = Path(__file__).parent.parent.parent / "evals/runners"
    monkeypatch.setattr(sys, "path", [*sys.path, str(evals)])
    import agent_reading_task
    import agent_readings

    tasks = [task for task in agent_reading_task.reading_tasks() if task.name == "crlf"]
    with agent_readings.losing_a_character() if loses else nullcontext():
        outcomes = agent_readings.run("anthropic-strict", tasks, 1)
    problems = [problem for outcome in outcomes.values() for problem in outcome.problems]
    assert bool(problems) is loses, problems
