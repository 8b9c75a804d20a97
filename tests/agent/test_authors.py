"""The author of an agent's commits is a setting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from agent_harness import AgentHarness, agent_harness
from chat_server import Call, Reply, chat_server
from docstead.settings import Settings


@pytest.fixture(scope="module")
def shared_harness(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentHarness]:
    folder = tmp_path_factory.mktemp("authors")
    author = "Docs Bot <docs-bot@acme.test>"
    with (
        chat_server() as chat,
        agent_harness(folder, chat, checks_here=True, agent_author=author) as harness,
    ):
        yield harness


def test_commits_have_the_author_of_the_settings(harness: AgentHarness) -> None:
    harness.says(
        Reply(calls=(Call("write_file", {"path": "new.mdx", "text": "# New\n"}),)),
        Reply(calls=(Call("finish", {"title": "Add a page", "summary": "All of it."}),)),
    )
    job = harness.run("Write")
    names = harness.git("log", "-1", "--format=%an <%ae> %cn <%ce>", job.branch)
    assert names == "Docs Bot <docs-bot@acme.test> Docs Bot <docs-bot@acme.test>"


@pytest.mark.parametrize("text", ["", "Bot", "<a@b>", "Bot <nobody>", "Bot <a@b> x", "B\nC <a@b>"])
def test_an_author_has_a_name_and_an_email_address(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValidationError):
        Settings(data=tmp_path, agent_author=text)
