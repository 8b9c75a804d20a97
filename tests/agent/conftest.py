"""The agent over a scripted model. Tests of a module share a house, each with its own project.

Jobs run in one place of a process only, so a house does not outlive its module.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_house import AgentHouse, agent_house
from chat_server import chat_server


@pytest.fixture(scope="module")
def shared_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentHouse]:
    with (
        chat_server() as chat,
        agent_house(tmp_path_factory.mktemp("agent-house"), chat) as house,
    ):
        yield house


@pytest.fixture
def house(shared_house: AgentHouse, tmp_path: Path) -> AgentHouse:
    """A house with a fresh project, whose model follows a script of the test."""
    shared_house.begin_anew(tmp_path)
    return shared_house
