"""Processes that do agent jobs are killed for real here; `bench/agent_kills.py` does it at
every point of every step."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_kills import READ_LONG_PAGE, KillableHarness, add_long_page, killable_harness, problems
from chat_server import Call, Reply, chat_server, held
from docstead.agent.prompt import SUMMARIZE
from docstead.agent.states import JobStatus
from ready_processes import ReadyProcesses

WRITE = Reply(calls=(Call("write_file", {"path": "new.mdx", "text": "# New\n"}),), usage=(1, 1))
FINISH = Reply(calls=(Call("finish", {"title": "Done", "summary": "All of it."}),), usage=(1, 1))
POINTS = (
    "model 1.0|inside",
    "write_file tool 1.0|inside",
    "push|inside",
    "pull request|inside",
)
NOTES = Reply("All lines of long.mdx are the same.", usage=(900, 40))


@pytest.fixture
def harness(tmp_path: Path, ready: ReadyProcesses) -> Iterator[KillableHarness]:
    with chat_server() as chat, killable_harness(tmp_path, chat, ready.start) as harness:
        yield harness


def test_a_job_that_is_killed_at_its_steps_is_done_once(harness: KillableHarness) -> None:
    replies = (WRITE, FINISH)
    harness.says(*replies)
    harness.kill_at(*POINTS)
    job = harness.ended(harness.start("Write"))
    assert job.status is JobStatus.COMPLETED
    assert len(harness.killed_at()) == len(POINTS)
    assert problems(harness, job, replies) == []
    assert harness.file(job.branch, "new.mdx") == "# New"


@pytest.mark.deep
def test_a_job_whose_clone_went_with_its_process_makes_its_edits_again(
    harness: KillableHarness,
) -> None:
    replies = (WRITE, FINISH)
    harness.says(*replies)
    harness.kill_at("model 2.0|before")
    job = harness.start("Write")
    harness.until_killed()
    shutil.rmtree(harness.folder / "data" / "cache" / "agent")
    job = harness.ended(job)
    assert problems(harness, job, replies) == []
    assert harness.file(job.branch, "new.mdx") == "# New"


@pytest.mark.deep
def test_a_summary_that_is_killed_is_written_once(harness: KillableHarness) -> None:
    add_long_page(harness)
    asked, answered = threading.Event(), threading.Event()
    unheard = held(answered, NOTES, asked)
    replies = (READ_LONG_PAGE, FINISH, unheard, NOTES, WRITE, FINISH)
    harness.says(*replies)
    harness.kill_at("summary|inside")
    job = harness.ended(harness.start("Read the long page"))
    harness.follow_up(job, "Write a short one")
    harness.kill_during(asked)
    answered.set()
    job = harness.ended(job)
    assert (job.status, len(harness.killed_at())) == (JobStatus.COMPLETED, 1)
    assert problems(harness, job, replies) == []
    assert harness.file(job.branch, "new.mdx") == "# New"
    summaries = [said for said in harness.chat.conversations if said.last.text == SUMMARIZE]
    assert (len(summaries), len(harness.events(job, "summary"))) == (2, 1)
    turn = harness.last_turn(job)
    assert (turn.steps, turn.input_tokens, turn.output_tokens) == (3, 902, 42)
    _, summary, instruction = harness.chat.conversations[4].messages
    assert "All lines of long.mdx are the same." in summary.text
    assert instruction.text == "Write a short one"


@pytest.mark.deep
def test_a_base_that_moved_is_taken_in_once(harness: KillableHarness) -> None:
    more = Reply(calls=(Call("write_file", {"path": "more.mdx", "text": "# More\n"}),))
    harness.says(WRITE, FINISH, more, FINISH)
    harness.kill_at("open|inside", "push|inside")
    job = harness.ended(harness.start("Write"))
    (harness.repository / "others.mdx").write_text("# Others\n")
    harness.git("add", "--all")
    harness.git("commit", "--quiet", "--message", "Others")
    harness.follow_up(job, "More")
    job = harness.ended(job)
    assert job.status is JobStatus.COMPLETED
    assert len(harness.killed_at()) == 4
    assert harness.git("rev-list", "--count", "--merges", f"main..{job.branch}") == "1"
    assert harness.git("rev-list", "--count", "--no-merges", f"main..{job.branch}") == "2"
    changed = harness.git("diff", "--name-only", "main", job.branch).split()
    assert changed == ["more.mdx", "new.mdx"]


@pytest.mark.deep
def test_a_base_that_disagrees_is_resolved_once(harness: KillableHarness) -> None:
    both = Reply(calls=(Call("write_file", {"path": "new.mdx", "text": "# New, and theirs\n"}),))
    harness.says(WRITE, FINISH, both, FINISH)
    harness.kill_at(
        "model 2.0|before", "push|inside", "write_file tool 3.0|inside", "push 2|inside"
    )
    job = harness.start("Write")
    harness.until_killed()
    (harness.repository / "new.mdx").write_text("# Theirs\n")
    harness.git("add", "--all")
    harness.git("commit", "--quiet", "--message", "Others")
    job = harness.ended(job)
    assert (job.status, len(harness.killed_at())) == (JobStatus.COMPLETED, 4)
    assert len(harness.chat.conversations) == 4
    assert harness.file(job.branch, "new.mdx") == "# New, and theirs"
    assert harness.git("rev-list", "--count", "--merges", f"main..{job.branch}") == "1"
    assert harness.git("rev-list", "--count", "--no-merges", f"main..{job.branch}") == "1"
    assert len(harness.events(job, "conflict")) == len(harness.events(job, "pullRequest")) == 1


@pytest.mark.deep
def test_a_push_of_others_to_the_branch_is_resolved_once(harness: KillableHarness) -> None:
    more = Reply(calls=(Call("write_file", {"path": "new.mdx", "text": "# Newer\n"}),))
    both = Reply(calls=(Call("write_file", {"path": "new.mdx", "text": "# Newer, and theirs\n"}),))
    look = Reply(calls=(Call("list_files"),))
    harness.says(WRITE, FINISH, more, look, FINISH, both, FINISH)
    harness.kill_at()
    job = harness.ended(harness.start("Write"))
    harness.kill()
    # The first turn has no third call: what is left of it is done again before the follow-up.
    harness.kill_at("model 3.0|before", "push|inside", "commit 2|inside", "push 2|inside")
    harness.follow_up(job, "Newer")
    harness.until_killed()
    harness.git("checkout", "--quiet", job.branch)
    (harness.repository / "new.mdx").write_text("# Theirs\n")
    harness.git("commit", "--quiet", "--all", "--message", "Others")
    harness.git("checkout", "--quiet", "main")
    job = harness.ended(job)
    assert (job.status, len(harness.killed_at())) == (JobStatus.COMPLETED, 4)
    assert len(harness.chat.conversations) == 7
    assert harness.file(job.branch, "new.mdx") == "# Newer, and theirs"
    assert harness.git("rev-list", "--count", "--no-merges", f"main..{job.branch}") == "3"
    assert harness.git("branch", "--list", f"{job.branch}-*") == ""
    assert len(harness.events(job, "conflict")) == 1
