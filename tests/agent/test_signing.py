"""Agent jobs whose commits are signed by the operator's SSH key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_harness import AgentHarness, agent_harness
from chat_server import Call, Reply, chat_server
from docstead.agent.states import JobStatus
from docstead.agent.turn_ends import EndReason
from signing_keys import is_verified, new_key

WRITE = Reply(calls=(Call("write_file", {"path": "new.mdx", "text": "# New\n"}),))
FINISH = Reply(calls=(Call("finish", {"title": "Add a page", "summary": "All of it."}),))


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_key(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def shared_harness(tmp_path_factory: pytest.TempPathFactory, key: Path) -> Iterator[AgentHarness]:
    folder = tmp_path_factory.mktemp("signing")
    with (
        chat_server() as chat,
        agent_harness(folder, chat, checks_here=True, agent_signing_key_file=key) as harness,
    ):
        yield harness


def test_commits_of_jobs_and_merges_are_signed(harness: AgentHarness, key: Path) -> None:
    harness.says(WRITE, FINISH)
    job = harness.run("Write")
    assert is_verified(harness.repository, job.branch, key)
    (harness.repository / "index.mdx").write_text("---\ntitle: Parcelo\n---\n\nMoved.\n")
    harness.git("commit", "--quiet", "--all", "--message", "Move on")
    review = harness.review(job)
    head = harness.services.reviews.revisions(review).head
    merged = harness.services.reviews.merge(review, "Ada", head)
    assert is_verified(harness.repository, merged.merge_commit or "", key)


def test_nobody_is_shown_the_key(
    harness: AgentHarness, key: Path, caplog: pytest.LogCaptureFixture
) -> None:
    harness.says(WRITE, FINISH)
    job = harness.run("Write")
    shown = [json.dumps(event.data) for event in harness.events(job)]
    shown += [json.dumps(request) for request in harness.chat.requests]
    assert key.read_text().splitlines()[1] not in "".join([*shown, caplog.text])
    assert str(key) not in "".join([*shown, caplog.text])


def test_a_missing_key_ends_a_job_before_a_model_is_paid(harness: AgentHarness, key: Path) -> None:
    away = key.rename(key.with_name("away"))
    try:
        job = harness.run("Write")
    finally:
        away.rename(key)
    turn = harness.last_turn(job)
    assert (job.status, turn.end.reason) == (JobStatus.FAILED, EndReason.SOURCE_FAILED)
    assert turn.end.error == (
        "Commits cannot be signed. `docstead doctor` shows the reason to the operator."
    )
    assert harness.chat.conversations == []
