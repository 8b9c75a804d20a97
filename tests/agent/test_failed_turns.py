"""Failures in a turn, and the fate of its work."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from agent_harness import FILES, AgentHarness, git
from chat_server import Call, Reply, Rule, held
from docstead.agent.states import JobStatus
from docstead.agent.turn_ends import EndReason
from tenancy_changes import set_source

WRITE = Reply(calls=(Call("write_file", {"path": "new.mdx", "text": "# New\n"}),))
BROKEN_LINK = Reply(
    calls=(
        Call("replace_text", {"path": "index.mdx", "old": "Hello.", "new": "[Hello](/nowhere)."}),
    )
)
REPAIR = Reply(
    calls=(Call("replace_text", {"path": "index.mdx", "old": "/nowhere", "new": "/guides/start"}),)
)
LIST = Reply(calls=(Call("list_files"),))
FINISH = Reply(calls=(Call("finish", {"title": "Done", "summary": "All of it."}),))


def unknown(number: int) -> Reply:
    return Reply(calls=(Call(f"run_shell_{number}", {"command": "ls"}),))


# --- the model ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("replies", "names"),
    [
        ((unknown(1),), "there is no tool"),
        ((Reply(calls=(Call("read_file", "{nope"),)),), "not JSON"),
        ((Reply(calls=(Call("read_file", {"file": "x"}),)),), "path"),
        ((Reply(calls=(Call("read_file", "[1]"),)),), "JSON object"),
    ],
)
def test_a_malformed_call_is_answered_with_the_reason(
    harness: AgentHarness, replies, names
) -> None:
    harness.says(*replies, WRITE, FINISH)
    job = harness.run("Write")
    assert harness.last_turn(job).end.reason is EndReason.FINISHED
    results = [m.text for m in harness.chat.conversations[-1].messages if m.role == "tool"]
    assert names in results[0]


def test_three_malformed_calls_in_a_row_end_the_turn_with_its_work(harness: AgentHarness) -> None:
    harness.says(WRITE, unknown(1), unknown(2), unknown(3))
    job = harness.run("Write")
    assert harness.last_turn(job).end.reason is EndReason.MALFORMED_CALLS
    assert job.status is JobStatus.FAILED
    assert harness.change(job).draft
    assert harness.file(job.branch, "new.mdx") == "# New"


def test_a_call_that_is_understood_ends_the_row(harness: AgentHarness) -> None:
    harness.says(unknown(1), unknown(2), LIST, unknown(3), unknown(4), WRITE, FINISH)
    assert harness.last_turn(harness.run("Write")).end.reason is EndReason.FINISHED


def test_a_model_that_goes_in_circles_is_stopped(harness: AgentHarness) -> None:
    harness.chat.rules = [Rule(lambda _: True, LIST)]
    job = harness.run("Look")
    turn = harness.last_turn(job)
    assert (turn.end.reason, turn.steps) == (EndReason.STUCK, 5)
    assert "list_files" in turn.end.error


def test_empty_messages_are_asked_about_and_then_end_the_turn(harness: AgentHarness) -> None:
    harness.says(Reply(), WRITE, FINISH)
    assert harness.last_turn(harness.run("Write")).end.reason is EndReason.FINISHED
    harness.chat.rules = [Rule(lambda _: True, Reply())]
    turn = harness.last_turn(harness.run("Write"))
    assert (turn.end.reason, turn.steps) == (EndReason.STUCK, 0)


def test_a_busy_model_is_waited_for(harness: AgentHarness) -> None:
    busy = Reply(status=429, error="slow down", headers={"retry-after": "1"})
    harness.says(WRITE, busy, FINISH)
    job = harness.run("Write")
    assert harness.last_turn(job).end.reason is EndReason.FINISHED
    waits = harness.events(job, "wait")
    assert [each.data["seconds"] for each in waits] == [1.0]
    assert "slow down" in waits[0].data["reason"]


@pytest.mark.parametrize(
    "failure",
    [
        Reply(status=500, error="oops"),
        Reply("Half of", breaks_after=1),
        pytest.param(Reply(garbage=b"data: {nope\n\n"), marks=pytest.mark.deep),
        Reply(garbage=b"\x00\xff\x00"),
    ],
)
def test_a_model_that_fails_once_is_asked_again(harness: AgentHarness, failure) -> None:
    harness.says(WRITE, failure, FINISH)
    job = harness.run("Write")
    assert harness.last_turn(job).end.reason is EndReason.FINISHED
    paid = [event.data for event in harness.events(job, "modelFailed")]
    assert [data["estimated"] for data in paid] == [True] * bool(failure.pieces)
    assert all(data["inputTokens"] > 1_000 and data["outputTokens"] == 2 for data in paid)


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (Reply(status=402, error="your credit balance is too low"), EndReason.OUT_OF_CREDIT),
        (
            Reply(status=400, error="blocked by content_policy", error_code="content_policy"),
            EndReason.REFUSED,
        ),
        (Reply(status=401, error="no such api key"), EndReason.MODEL_FAILED),
    ],
)
def test_a_failure_that_stays_ends_the_turn_with_the_providers_words(
    harness: AgentHarness, failure, reason
) -> None:
    harness.says(WRITE, failure)
    job = harness.run("Write")
    turn = harness.last_turn(job)
    assert (job.status, turn.end.reason) == (JobStatus.FAILED, reason)
    assert failure.error in turn.end.error
    # The work is on the branch, and no pull request claims that it is done.
    assert harness.file(job.branch, "new.mdx") == "# New"
    assert job.pr_link is None


def test_a_failed_job_goes_on_with_a_message(harness: AgentHarness) -> None:
    harness.says(WRITE, Reply(status=402, error="no credit"), FINISH)
    job = harness.run("Write")
    harness.follow_up(job, "Go on")
    again = harness.ended(job)
    assert again.status is JobStatus.COMPLETED
    assert again.pr_link == harness.change(job).url
    said = harness.chat.conversations[-1]
    assert said.used == ("write_file",)


def test_text_that_no_column_takes(harness: AgentHarness) -> None:
    odd = "Half of \x00 it."
    harness.says(WRITE, Reply(calls=(Call("finish", {"title": odd, "summary": odd}),)))
    job = harness.run("Write")
    assert job.status is JobStatus.COMPLETED
    assert "Half" in harness.last_turn(job).end.reply
    harness.says(Reply("Nothing \ud83d \x00 more."))
    harness.follow_up(job, "More")
    assert harness.ended(job).status is JobStatus.COMPLETED


def test_a_conversation_that_the_model_finds_too_long_is_shortened(harness: AgentHarness) -> None:
    full = Reply(status=400, error="the context length is exceeded")
    harness.says(WRITE, full, FINISH)
    assert harness.last_turn(harness.run("Write")).end.reason is EndReason.FINISHED
    harness.chat.rules = [Rule(lambda _: True, full)]
    turn = harness.last_turn(harness.run("Write"))
    assert turn.end.reason is EndReason.MODEL_FAILED
    assert full.error in turn.end.error


# --- the repository ---------------------------------------------------------------


def test_new_diagnostics_are_reported_and_repaired(harness: AgentHarness) -> None:
    harness.says(BROKEN_LINK, FINISH, REPAIR, FINISH)
    job = harness.run("Link it")
    assert not harness.change(job).draft
    assert [each.data["ok"] for each in harness.events(job, "check")] == [False, True]
    assert "/nowhere" in harness.chat.conversations[2].question


def test_diagnostics_that_stay_make_a_draft_that_lists_them(harness: AgentHarness) -> None:
    harness.says(BROKEN_LINK, FINISH, FINISH, FINISH)
    job = harness.run("Link it")
    assert job.status is JobStatus.COMPLETED
    assert harness.change(job).draft
    assert "/nowhere" in harness.review(job).body


def test_a_secret_is_not_committed(harness: AgentHarness) -> None:
    key = "AKIA" + "QWERTYUIOPASDFGH"
    page = f"---\ntitle: Keys\ndescription: Keys.\n---\n\n`{key}`\n"
    harness.says(Reply(calls=(Call("write_file", {"path": "new.mdx", "text": page}),)), FINISH)
    job = harness.run("Write")
    turn = harness.last_turn(job)
    assert (job.status, turn.end.reason) == (JobStatus.FAILED, EndReason.SECRET_FOUND)
    assert "new.mdx:6" in turn.end.error
    assert harness.git("branch", "--list", "docstead/*") == ""


def test_a_source_that_is_no_repository(harness: AgentHarness, tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    set_source(harness.services.tenancy, harness.project.id, str(folder))
    job = harness.run("Write")
    turn = harness.last_turn(job)
    assert (job.status, turn.end.reason) == (JobStatus.FAILED, EndReason.SOURCE_FAILED)
    assert "git repository" in turn.end.error
    assert harness.chat.conversations == []


def test_an_empty_repository(harness: AgentHarness, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    git(folder, "init", "--quiet", "--bare")
    set_source(harness.services.tenancy, harness.project.id, folder.as_uri())
    job = harness.run("Write")
    assert harness.last_turn(job).end.reason is EndReason.SOURCE_FAILED


def test_a_remote_that_refuses_the_push(harness: AgentHarness) -> None:
    hook = harness.repository / ".git" / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'no robots here' >&2\nexit 1\n")
    hook.chmod(0o755)
    harness.says(WRITE, FINISH)
    job = harness.run("Write")
    turn = harness.last_turn(job)
    assert (job.status, turn.end.reason) == (JobStatus.FAILED, EndReason.PUSH_FAILED)
    assert "no robots here" in turn.end.error
    # Once the remote lets it in, the next message brings the work there.
    hook.unlink()
    harness.says(Reply("There it is."))
    harness.follow_up(job, "Try again")
    again = harness.ended(job)
    assert again.status is JobStatus.COMPLETED
    assert harness.file(job.branch, "new.mdx") == "# New"
    assert again.pr_link == harness.change(job).url


def test_a_turn_without_edits_brings_what_a_failed_push_left_to_the_remote(
    harness: AgentHarness,
) -> None:
    hook = harness.repository / ".git" / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    harness.says(WRITE, FINISH)
    job = harness.run("Write")
    hook.unlink()
    harness.says(Reply("I'm sorry, but I can't help with that."))
    harness.follow_up(job, "Go on")
    again = harness.ended(job)
    assert (again.status, again.pr_link) == (JobStatus.FAILED, None)
    assert harness.last_turn(again).end.reason is EndReason.REFUSED
    assert harness.file(job.branch, "new.mdx") == "# New"


# --- somebody -----------------------------------------------------------------------


def test_cancelling_ends_the_call_under_way_and_keeps_the_work(harness: AgentHarness) -> None:
    endless = Reply(*["word "] * 12_000, pause_seconds=0.1)
    harness.says(WRITE, endless)
    job = harness.start("Write")
    harness.follow_up(job, "And then")
    harness.until(lambda: len(harness.chat.conversations), lambda calls: calls == 2)
    harness.agent.cancel(job.id)
    ended = harness.ended(job)
    assert ended.status is JobStatus.FAILED
    assert [turn.end.reason for turn in harness.agent.turns(job.id)] == [EndReason.CANCELLED] * 2
    assert harness.file(job.branch, "new.mdx") == "# New"
    assert FILES["index.mdx"].rstrip("\n") == harness.file(job.branch, "index.mdx")


def test_cancelling_ends_a_call_that_hangs(harness: AgentHarness) -> None:
    harness.says(Reply(hangs=True))
    job = harness.start("Write")
    harness.until(lambda: len(harness.chat.conversations), lambda calls: calls == 1)
    harness.agent.cancel(job.id)
    assert harness.ended(job).status is JobStatus.FAILED


def test_a_turn_that_is_cancelled_while_it_waits_for_the_model(harness: AgentHarness) -> None:
    harness.says(Reply(status=429, error="busy", headers={"retry-after": "600"}))
    job = harness.start("Write")
    harness.until(lambda: harness.events(job, "wait"), bool)
    harness.agent.cancel(job.id)
    assert harness.ended(job).status is JobStatus.FAILED


# --- the machine ----------------------------------------------------------------------


def test_a_clone_that_is_lost_in_the_middle_is_made_again(harness: AgentHarness) -> None:
    cache = harness.services.settings.data / "cache" / "agent" / "jobs"
    lost = threading.Event()
    harness.says(WRITE, held(lost, Reply(calls=(Call("list_files"),))), FINISH)
    job = harness.start("Write")
    harness.until(lambda: len(harness.chat.conversations), lambda calls: calls == 2)
    shutil.rmtree(cache / job.id)
    lost.set()
    assert harness.ended(job).status is JobStatus.FAILED
    # The tools found no files; the next turn begins with a new clone.
    harness.says(WRITE, FINISH)
    harness.follow_up(job, "Again")
    assert harness.ended(job).status is JobStatus.COMPLETED
    assert harness.file(job.branch, "new.mdx") == "# New"


def test_a_job_does_not_work_on_the_branch_that_changes_go_to(harness: AgentHarness) -> None:
    job = harness.run("Write", branch="main")
    turn = harness.last_turn(job)
    assert turn.end.reason is EndReason.SOURCE_FAILED
    assert "'main' is the base branch" in turn.end.error
