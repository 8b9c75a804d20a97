"""Questions of the agent, and plans that wait for approval."""

from __future__ import annotations

from typing import Any

import pytest

from agent_harness import AgentHarness
from chat_server import Call, ChatRequest, Reply
from docstead.agent.states import JobStatus
from docstead.agent.turn_ends import EndReason
from docstead.agent.values import AgentJob, Instruction
from docstead.base.errors import InvalidRequest
from docstead.models.chat import InputFile

PAGE = '---\ntitle: "Plans"\ndescription: "All plans."\n---\n\nThere are two.\n'
QUESTION = "Is the page for the **free** plan?"
ASK = Call(
    "ask_user",
    {"question": QUESTION, "options": ["Yes", "No"], "assumption": "It is for all plans."},
)
PLAN = Call("propose_plan", {"plan": "Add `guides/plans.mdx`."})
WRITE = Call("write_file", {"path": "guides/plans.mdx", "text": PAGE})
FINISH = Call("finish", {"title": "Describe plans", "summary": "There is a page on plans."})


def one(*calls: Call) -> Reply:
    return Reply(calls=calls)


def asked(harness: AgentHarness, job: AgentJob) -> AgentJob:
    """The job once its question is open."""
    found: AgentJob = harness.until(lambda: harness.job(job), lambda j: j.question is not None)
    return found


def answer(harness: AgentHarness, job: AgentJob, text: str, **more: Any) -> AgentJob:
    return harness.agent.message(harness.job(job), Instruction.of(text), **more)


def last_text(harness: AgentHarness, call: int) -> str:
    conversation: ChatRequest = harness.chat.conversations[call]
    return conversation.last.text


def test_a_job_waits_for_the_answer_and_stays_active(harness: AgentHarness) -> None:
    harness.says(one(ASK), one(WRITE), one(FINISH))
    job = asked(harness, harness.start("Describe the plans", may_ask=True))
    assert job.status is JobStatus.ACTIVE
    assert job.question is not None
    until = job.question["until"]
    assert job.question == {
        "kind": "question",
        "text": QUESTION,
        "options": ["Yes", "No"],
        "assumption": "It is for all plans.",
        "until": until,
    }
    (event,) = harness.events(job, "question")
    assert event.data == job.question
    assert answer(harness, job, "Yes, the free one").status is JobStatus.ACTIVE
    job = harness.ended(job)
    assert (job.status, job.question) == (JobStatus.COMPLETED, None)
    assert last_text(harness, 1) == "The user answers: Yes, the free one"
    assert harness.last_turn(job).end.reply == "There is a page on plans."
    assert len(harness.agent.turns(job.id)) == 1
    assert [each.data["text"] for each in harness.events(job, "answer")] == ["Yes, the free one"]


def test_the_second_message_is_the_next_instruction(harness: AgentHarness) -> None:
    harness.says(one(ASK), one(FINISH), Reply("Nothing more."))
    job = asked(harness, harness.start("Describe the plans", may_ask=True))
    answer(harness, job, "Yes", message_id="at_first")
    answer(harness, job, "And shorter", message_id="at_second")
    harness.ended(job)
    prompts = [turn.instruction.prompt for turn in harness.agent.turns(job.id)]
    assert prompts == ["Describe the plans", "And shorter"]
    assert harness.agent.has_message("at_first")
    assert harness.agent.has_message("at_second")
    assert not harness.agent.has_message("at_third")


def test_a_job_without_the_option_has_no_tools_for_it(harness: AgentHarness) -> None:
    harness.says(Reply("Nothing had to change."))
    harness.run("Look")
    assert not {"ask_user", "propose_plan"} & set(harness.chat.conversations[-1].tools)
    assert "ask_user" not in harness.chat.conversations[-1].system


def test_nothing_changes_before_the_plan_is_approved(harness: AgentHarness) -> None:
    harness.says(one(WRITE), one(PLAN), one(PLAN), one(WRITE), one(FINISH))
    job = asked(harness, harness.start("Describe the plans", needs_plan=True))
    assert "Nothing was changed: first propose a plan" in last_text(harness, 1)
    assert harness.agent.diff(job.id) == ()
    answer(harness, job, "Name the free plan, too")
    harness.until(lambda: len(harness.events(job, "question")), lambda count: count == 2)
    assert "Name the free plan, too" in last_text(harness, 2)
    answer(harness, asked(harness, job), "approve")
    job = harness.ended(job)
    assert job.status is JobStatus.COMPLETED
    assert last_text(harness, 3) == "The user approved the plan. Carry it out."
    assert harness.file(job.branch, "guides/plans.mdx") == PAGE.rstrip("\n")


def test_only_one_question_of_an_answer_is_sent(harness: AgentHarness) -> None:
    harness.says(one(ASK, ASK), one(FINISH))
    job = asked(harness, harness.start("Describe the plans", may_ask=True))
    answer(harness, job, "No")
    harness.ended(job)
    assert len(harness.events(job, "question")) == 1
    results = [m.text for m in harness.chat.conversations[1].messages if m.role == "tool"]
    assert ["Not sent" in text for text in results] == [False, True]


def test_a_cancelled_job_waits_no_longer(harness: AgentHarness) -> None:
    harness.says(one(ASK))
    job = asked(harness, harness.start("Describe the plans", may_ask=True))
    harness.agent.cancel(job.id)
    job = harness.ended(job)
    assert (job.status, job.question) == (JobStatus.FAILED, None)
    assert harness.last_turn(job).end.reason is EndReason.CANCELLED
    assert harness.events(job, "unanswered") == []


def test_an_answer_has_no_files(harness: AgentHarness) -> None:
    harness.says(one(ASK), one(FINISH))
    job = asked(harness, harness.start("Describe the plans", may_ask=True))
    note = Instruction.of("Yes", [InputFile("a.txt", "text/plain", b"Free")])
    with pytest.raises(InvalidRequest, match="must be empty in an answer to the agent's question"):
        harness.agent.message(job, note)
    answer(harness, job, "Yes")
    harness.ended(job)
