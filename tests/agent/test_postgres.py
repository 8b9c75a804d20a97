"""Turns over PostgreSQL: the same jobs, events and pull requests as over SQLite."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_harness import AgentHarness, agent_harness
from chat_server import Call, ChatRequest, Reply, Rule, chat_server
from docstead.agent.states import JobStatus
from docstead.agent.turn_ends import EndReason

TOKEN = "ghp_" + "k7Qm2VxT9bLr4NcY8hWz3PdF6sJgA1uEoIXB"
FINISH = Reply(calls=(Call("finish", {"title": "Done", "summary": "All of it."}),))


@pytest.fixture
def harness(postgres_backend: Any, tmp_path: Path) -> Iterator[AgentHarness]:
    with (
        chat_server() as chat,
        agent_harness(tmp_path, chat, database_url=postgres_backend.database_url) as made,
    ):
        yield made


def write(path: str, text: str = "New.") -> Reply:
    page = f'---\ntitle: "New"\ndescription: "New."\n---\n\n{text}\n'
    return Reply(calls=(Call("write_file", {"path": path, "text": page}),))


def test_a_job_its_follow_up_and_what_goes_wrong(harness: AgentHarness) -> None:
    todos = Reply(calls=(Call("update_todos", {"todos": [{"content": "Write \x00 it"}]}),))
    harness.says(todos, write("one.mdx"), FINISH, write("two.mdx"), Reply("Half \x00 of it."))
    job = harness.run("Write \x00 it")
    harness.follow_up(job, "More")
    again = harness.ended(job)
    assert (again.status, again.pr_link) == (JobStatus.COMPLETED, harness.change(job).url)
    assert [event.number for event in harness.events(job)] == list(range(1, again.event_count + 1))
    assert [len(diff.text) > 0 for diff in harness.agent.diff(job.id)] == [True, True]
    commits = harness.git("log", "--format=%H", f"main..{job.branch}").split()
    assert sorted(commits) == sorted(turn.commit for turn in harness.agent.turns(job.id))
    harness.says(write("three.mdx", TOKEN), FINISH)
    harness.follow_up(job, "And a token")
    failed = harness.ended(job)
    assert (failed.status, harness.last_turn(job).end.reason) == (
        JobStatus.FAILED, EndReason.SECRET_FOUND,
    )  # fmt: skip
    harness.agent.archive(job.id)
    assert harness.job(job).status is JobStatus.ARCHIVED


def test_parallel_jobs_and_messages_in_their_order(harness: AgentHarness) -> None:
    def answer(said: ChatRequest) -> Reply:
        name = said.question.split()[-1]
        is_written = said.last.role == "tool"
        return Reply("Done.") if is_written else write(f"snippets/{name}.mdx")

    harness.chat.rules = [Rule(lambda _: True, answer)]
    jobs = [harness.start(f"Write a{number}") for number in range(3)]
    for number, job in enumerate(jobs):
        harness.follow_up(job, f"Write b{number}")
    for number, job in enumerate(jobs):
        assert harness.ended(job).status is JobStatus.COMPLETED
        turns = harness.agent.turns(job.id)
        for before, after in itertools.pairwise(turns):
            assert before.ended_at <= after.started_at
        files = set(harness.git("diff", "--name-only", f"main...{job.branch}").splitlines())
        assert files == {f"snippets/{name}{number}.mdx" for name in "ab"}
    assert len(harness.services.forges.reviews.of_project(jobs[0].project_id)) == len(jobs)
