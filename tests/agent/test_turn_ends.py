"""Every end says what happened: `completed` only where the work is delivered or none was due."""

from __future__ import annotations

import json

import pytest

from agent_harness import AgentHarness
from chat_server import Call, Reply, Rule
from docstead.agent.refusals import is_refusal
from docstead.agent.states import JobStatus
from docstead.agent.turn_ends import EndReason

WRITE = Reply(calls=(Call("write_file", {"path": "new.mdx", "text": "# New\n"}),))
FINISH = Reply(calls=(Call("finish", {"title": "Done", "summary": "All of it."}),))
CUT_CALL = Reply(calls=(Call("write_file", '{"path": "new.mdx", "text": "# Ne'),), finish="length")


def wrong(*names: str) -> Reply:
    """One answer with calls that no tool understands."""
    return Reply(calls=tuple(Call(name, {"lines": "x"}, name) for name in names))


def results(harness: AgentHarness) -> list[str]:
    return [each.text for each in harness.chat.conversations[-1].messages if each.role == "tool"]


def test_three_wrong_calls_in_one_answer_are_reported_first(harness: AgentHarness) -> None:
    harness.says(wrong("shell", "bash", "cat"), WRITE, FINISH)
    job = harness.run("Write")
    assert job.status is JobStatus.COMPLETED
    assert harness.file(job.branch, "new.mdx") == "# New"
    assert sum("there is no tool" in text for text in results(harness)) == 3


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        ([wrong("a", "b"), wrong("c"), wrong("d")], EndReason.MALFORMED_CALLS),
        ([Reply(), Reply(), Reply()], EndReason.STUCK),
        ([Reply(calls=(Call("list_files"),))] * 5, EndReason.STUCK),
        ([CUT_CALL] * 3, EndReason.ANSWER_CUT),
        ([Reply("A text that is cut in the mid", finish="length")] * 3, EndReason.ANSWER_CUT),
        ([Reply("I'm sorry, but I can't help with that.")], EndReason.REFUSED),
    ],
)
def test_a_turn_in_which_nothing_worked_has_failed(harness: AgentHarness, replies, reason) -> None:
    harness.says(*replies)
    job = harness.run("Write")
    turn = harness.last_turn(job)
    assert (job.status, turn.end.reason, job.pr_link) == (JobStatus.FAILED, reason, None)
    assert turn.end.error


def test_a_cut_call_is_not_made_and_the_model_learns_why(harness: AgentHarness) -> None:
    both = Reply(
        calls=(
            Call("write_file", {"path": "first.mdx", "text": "# First\n"}, "a"),
            Call("write_file", '{"path": "second.mdx", "text": "# Sec', "b"),
        ),
        finish="length",
    )
    append = {"path": "second.mdx", "text": "# Second\n", "append": True}
    harness.says(both, Reply(calls=(Call("write_file", append),)), FINISH)
    job = harness.run("Write two pages")
    assert job.status is JobStatus.COMPLETED
    assert "created: 1 lines" in results(harness)[0]
    assert "limit of output tokens" in results(harness)[1]
    assert harness.file(job.branch, "second.mdx") == "# Second"
    sent = [c.arguments for m in harness.chat.conversations[-1].messages for c in m.calls]
    assert all(isinstance(json.loads(arguments), dict) for arguments in sent)


def test_a_cut_text_is_no_result(harness: AgentHarness) -> None:
    harness.says(Reply("This is the beginning of", finish="length"), Reply("All is there already."))
    job = harness.run("Look")
    assert (job.status, harness.last_turn(job).end.reply) == (
        JobStatus.COMPLETED,
        "All is there already.",
    )


def test_an_answer_in_words_is_a_result(harness: AgentHarness) -> None:
    harness.chat.rules = [Rule(lambda _: True, Reply("I could not find such a page; none exists."))]
    job = harness.run("Which page tells of webhooks?")
    assert (job.status, harness.last_turn(job).end.reason) == (
        JobStatus.COMPLETED,
        EndReason.NO_CHANGES,
    )


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("I'm sorry, but I can't help with that.", True),
        ("I\u2019m sorry, I can\u2019t assist with this request.", True),
        ("I cannot comply with this.", True),
        ("Sorry, I am unable to help.", True),
        ("I could not do this: there is no page.", False),
        ("I'm sorry, the page has no such section, so nothing changed.", False),
        ("The page says that already.", False),
    ],
)
def test_refusals_in_words_are_distinguished_from_answers(text: str, is_so: bool) -> None:
    assert is_refusal(text) is is_so
