"""The agent over a scripted model. Tests of a module share a harness, each with its own project.

A process has one runner of jobs, so a harness does not outlive its module.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_harness import AgentHarness, agent_harness
from chat_server import chat_server


@pytest.fixture(scope="module")
def shared_harness(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentHarness]:
    with (
        chat_server() as chat,
        agent_harness(tmp_path_factory.mktemp("agent"), chat, checks_here=True) as harness,
    ):
        yield harness


@pytest.fixture
def harness(shared_harness: AgentHarness, tmp_path: Path) -> AgentHarness:
    """A harness with a fresh project, whose model follows a script of the test."""
    shared_harness.begin_anew(tmp_path)
    return shared_harness
