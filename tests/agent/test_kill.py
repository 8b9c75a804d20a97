"""Processes that do agent jobs are killed for real here; `bench/agent_kills.py` does it at
every point of every step."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_kills import KillableHouse, faults, killable_house
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
LONG_PAGE = "A line of a page that is too long to be read at once.\n" * 3_500
READ = Reply(
    calls=tuple(
        Call("read_file", {"path": "long.mdx", "first_line": 500 * part + 1}, str(part))
        for part in range(7)
    )
)
NOTES = Reply("All lines of long.mdx are the same.", usage=(900, 40))


@pytest.fixture
def house(tmp_path: Path, ready: ReadyProcesses) -> Iterator[KillableHouse]:
    with chat_server() as chat, killable_house(tmp_path, chat, ready.start) as house:
        yield house


def test_a_job_that_is_killed_at_its_steps_is_done_once(house: KillableHouse) -> None:
    replies = (WRITE, FINISH)
    house.says(*replies)
    house.kill_at(*POINTS)
    job = house.ended(house.start("Write"))
    assert job.status is JobStatus.COMPLETED
    assert len(house.killed_at()) == len(POINTS)
    assert faults(house, job, replies) == []
    assert house.file(job.branch, "new.mdx") == "# New"


@pytest.mark.deep
def test_a_job_whose_clone_went_with_its_process_makes_its_edits_again(
    house: KillableHouse,
) -> None:
    replies = (WRITE, FINISH)
    house.says(*replies)
    house.kill_at("model 2.0|before")
    job = house.start("Write")
    house.until_killed()
    shutil.rmtree(house.folder / "data" / "cache" / "agent")
    job = house.ended(job)
    assert faults(house, job, replies) == []
    assert house.file(job.branch, "new.mdx") == "# New"


@pytest.mark.deep
def test_a_summary_that_is_killed_is_written_once(house: KillableHouse) -> None:
    add_long_page(house)
    asked, answered = threading.Event(), threading.Event()
    unheard = held(answered, NOTES, asked)
    replies = (READ, FINISH, unheard, NOTES, WRITE, FINISH)
    house.says(*replies)
    house.kill_at("summary|inside")
    job = house.ended(house.start("Read the long page"))
    house.follow_up(job, "Write a short one")
    house.kill_during(asked)
    answered.set()
    job = house.ended(job)
    assert (job.status, len(house.killed_at())) == (JobStatus.COMPLETED, 1)
    assert faults(house, job, replies) == []
    assert house.file(job.branch, "new.mdx") == "# New"
    summaries = [said for said in house.chat.conversations if said.last.text == SUMMARIZE]
    assert (len(summaries), len(house.events(job, "summary"))) == (2, 1)
    turn = house.last_turn(job)
    assert (turn.steps, turn.input_tokens, turn.output_tokens) == (3, 902, 42)
    _, summary, instruction = house.chat.conversations[4].messages
    assert "All lines of long.mdx are the same." in summary.text
    assert instruction.text == "Write a short one"


def add_long_page(house: KillableHouse) -> None:
    (house.repository / "long.mdx").write_text(LONG_PAGE)
    house.git("add", "--all")
    house.git("commit", "--quiet", "--message", "Long page")


@pytest.mark.deep
def test_a_base_that_moved_is_taken_in_once(house: KillableHouse) -> None:
    more = Reply(calls=(Call("write_file", {"path": "more.mdx", "text": "# More\n"}),))
    house.says(WRITE, FINISH, more, FINISH)
    house.kill_at("open|inside", "push|inside")
    job = house.ended(house.start("Write"))
    (house.repository / "others.mdx").write_text("# Others\n")
    house.git("add", "--all")
    house.git("commit", "--quiet", "--message", "Others")
    house.follow_up(job, "More")
    job = house.ended(job)
    assert job.status is JobStatus.COMPLETED
    assert len(house.killed_at()) == 4
    assert house.git("rev-list", "--count", "--merges", f"main..{job.branch}") == "1"
    assert house.git("rev-list", "--count", "--no-merges", f"main..{job.branch}") == "2"
    changed = house.git("diff", "--name-only", "main", job.branch).split()
    assert changed == ["more.mdx", "new.mdx"]


@pytest.mark.deep
def test_a_base_that_disagrees_is_settled_with_once(house: KillableHouse) -> None:
    both = Reply(calls=(Call("write_file", {"path": "new.mdx", "text": "# New, and theirs\n"}),))
    house.says(WRITE, FINISH, both, FINISH)
    house.kill_at("model 2.0|before", "push|inside", "write_file tool 3.0|inside", "push 2|inside")
    job = house.start("Write")
    house.until_killed()
    (house.repository / "new.mdx").write_text("# Theirs\n")
    house.git("add", "--all")
    house.git("commit", "--quiet", "--message", "Others")
    job = house.ended(job)
    assert (job.status, len(house.killed_at())) == (JobStatus.COMPLETED, 4)
    assert len(house.chat.conversations) == 4
    assert house.file(job.branch, "new.mdx") == "# New, and theirs"
    assert house.git("rev-list", "--count", "--merges", f"main..{job.branch}") == "1"
    assert house.git("rev-list", "--count", "--no-merges", f"main..{job.branch}") == "1"
    assert len(house.events(job, "conflict")) == len(house.events(job, "pullRequest")) == 1


@pytest.mark.deep
def test_a_push_of_others_to_the_branch_is_settled_with_once(house: KillableHouse) -> None:
    more = Reply(calls=(Call("write_file", {"path": "new.mdx", "text": "# Newer\n"}),))
    both = Reply(calls=(Call("write_file", {"path": "new.mdx", "text": "# Newer, and theirs\n"}),))
    look = Reply(calls=(Call("list_files"),))
    house.says(WRITE, FINISH, more, look, FINISH, both, FINISH)
    house.kill_at()
    job = house.ended(house.start("Write"))
    house.kill()
    # The first turn has no third call: what is left of it is done again before the follow-up.
    house.kill_at("model 3.0|before", "push|inside", "commit 2|inside", "push 2|inside")
    house.follow_up(job, "Newer")
    house.until_killed()
    house.git("checkout", "--quiet", job.branch)
    (house.repository / "new.mdx").write_text("# Theirs\n")
    house.git("commit", "--quiet", "--all", "--message", "Others")
    house.git("checkout", "--quiet", "main")
    job = house.ended(job)
    assert (job.status, len(house.killed_at())) == (JobStatus.COMPLETED, 4)
    assert len(house.chat.conversations) == 7
    assert house.file(job.branch, "new.mdx") == "# Newer, and theirs"
    assert house.git("rev-list", "--count", "--no-merges", f"main..{job.branch}") == "3"
    assert house.git("branch", "--list", f"{job.branch}-*") == ""
    assert len(house.events(job, "conflict")) == 1
