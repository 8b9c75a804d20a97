"""Bad answers of models and documented oddities of providers: every end says what happened.

For any answer of a model, a job is `completed` only if its work is on the remote or nothing had
to change; otherwise it has failed with a reason and words, and nothing is on its branch.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from agent_harness import AgentHarness
from chat_server import Call, Reply
from docstead.agent.states import JobStatus
from docstead.agent.turn_ends import EndReason
from sampled_cases import one_in

NEW = {"path": "new.mdx", "text": "# New\n"}
WRITE = Reply(calls=(Call("write_file", NEW),))
FINISH = Reply(calls=(Call("finish", {"title": "Add a page", "summary": "All of it."}),))
EMPTY_FINISH = Reply(calls=(Call("finish", {"title": "Nothing", "summary": "It is there."}),))
DEEP = "[" * 2_000 + "]" * 2_000


@dataclass(frozen=True)
class BadAnswer:
    """Replies of a model, and the end that a job has to come to."""

    name: str
    replies: tuple[Reply, ...]
    reason: EndReason
    words: str = ""  # in the error

    @property
    def writes(self) -> bool:
        return self.reason is EndReason.FINISHED


def refused(name: str, status: int, error: str, code: str = "", **more: bool) -> BadAnswer:
    """Return a case of a request that the provider refuses for good."""
    reason = EndReason.OUT_OF_CREDIT if "credit" in name else EndReason.MODEL_FAILED
    reply = Reply(status=status, error=error, error_code=code, **more)
    return BadAnswer(name, (reply,) * 20, reason, error[:30])


def malformed(name: str, *arguments: str, tool: str = "write_file") -> BadAnswer:
    """Return a case of three answers in a row whose calls no tool accepts."""
    given = arguments * 3 if len(arguments) == 1 else arguments
    replies = tuple(Reply(calls=(Call(tool, each),)) for each in given)
    return BadAnswer(name, replies, EndReason.MALFORMED_CALLS, "no tool understood")


def repeated(name: str, reply: Reply, reason: EndReason, count: int = 3) -> BadAnswer:
    return BadAnswer(name, (reply,) * count, reason)


CASES = (
    refused("an unknown parameter", 400, "Unrecognized request argument supplied: top_k"),
    refused("a wrong key", 401, "Incorrect API key provided"),
    refused("a project without the model", 403, "Project does not have access to model"),
    refused("an unknown model", 404, "The model `scripted` does not exist", "model_not_found"),
    refused("a request that is too large", 413, "Request exceeds the maximum size"),
    refused("a field that is not processable", 422, "Input should be a valid string"),
    refused("an error in a list, as Gemini sends it", 400, "API key not valid", is_list=True),
    BadAnswer(
        "a content filter, as Azure reports it",
        (Reply(status=400, error="triggered the policy", error_code="content_filter"),),
        EndReason.REFUSED,
        "triggered the policy",
    ),
    refused("no credit: quota", 429, "You exceeded your current quota", "insufficient_quota"),
    refused("no credit: balance", 402, "Insufficient Balance"),
    malformed("arguments that are cut JSON", '{"path": "new.mdx", "te'),
    malformed("arguments that are a list", '["new.mdx"]'),
    malformed("arguments that are a text", '"new.mdx"'),
    malformed("arguments that are null", "null"),
    malformed("arguments that are a number", "7"),
    malformed("arguments in a code fence", '```json\n{"path": "new.mdx"}\n```'),
    malformed("arguments with single quotes", "{'path': 'new.mdx'}"),
    malformed("arguments without required fields", "{}"),
    malformed("arguments of wrong types", '{"path": {"name": "new.mdx"}, "text": ["# New"]}'),
    malformed("arguments nested without end", DEEP),
    malformed("three different mistakes", "{}", '"x"', "{"),
    malformed("a tool that does not exist", "{}", tool="bash"),
    malformed("a tool of another product", '{"cmd": "ls"}', tool="functions.shell"),
    malformed("a tool without a name", "{}", tool=" "),
    malformed("a tool with an endless name", "{}", tool="a" * 5_000),
    repeated("empty messages", Reply(), EndReason.STUCK),
    repeated("messages of blanks", Reply(" \n\t "), EndReason.STUCK),
    repeated("thinking without an answer", Reply(reasoning=("Hm.",)), EndReason.STUCK),
    repeated("cut texts", Reply("The beginning of", finish="length"), EndReason.ANSWER_CUT),
    repeated(
        "cut calls",
        Reply(calls=(Call("write_file", '{"path": "new.mdx", "text": "# N'),), finish="length"),
        EndReason.ANSWER_CUT,
    ),
    repeated("the same call", Reply(calls=(Call("list_files"),)), EndReason.STUCK, 8),
    repeated(
        "a file that is not there",
        Reply(calls=(Call("read_file", {"path": "nowhere.mdx"}),)),
        EndReason.STUCK,
        8,
    ),
    BadAnswer("a refusal", (Reply("I'm sorry, but I can't help with that."),), EndReason.REFUSED),
    BadAnswer(
        "a refusal in other words", (Reply("I cannot comply with this."),), EndReason.REFUSED
    ),
    BadAnswer("an answer in words", (Reply("The page says that already."),), EndReason.NO_CHANGES),
    BadAnswer("an end without changes", (EMPTY_FINISH,), EndReason.NO_CHANGES),
    BadAnswer(
        "a mistake, then the work",
        (Reply(calls=(Call("bash"),)), WRITE, FINISH),
        EndReason.FINISHED,
    ),
    BadAnswer("an empty message, then the work", (Reply(), WRITE, FINISH), EndReason.FINISHED),
    BadAnswer(
        "two calls under one id",
        (
            Reply(calls=(Call("write_file", NEW, "same"), Call("list_files", {}, "same"))),
            FINISH,
        ),
        EndReason.FINISHED,
    ),
    BadAnswer(
        "calls that end with stop",
        (Reply(calls=(Call("write_file", NEW),), finish="stop"), FINISH),
        EndReason.FINISHED,
    ),
    BadAnswer(
        "the work and its end in one answer",
        (Reply("Here it is.", calls=(*WRITE.calls, *FINISH.calls)),),
        EndReason.FINISHED,
    ),
    BadAnswer(
        "a text as the end of the work", (WRITE, Reply("I added the page.")), EndReason.FINISHED
    ),
)


def test_there_are_forty() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 40


@pytest.mark.parametrize("case", one_in(3, CASES), ids=lambda case: case.name)
def test_every_end_says_what_happened(harness: AgentHarness, case: BadAnswer) -> None:
    harness.says(*case.replies)
    job = harness.run("Add a page")
    turn = harness.last_turn(job)
    assert turn.end.reason is case.reason, turn.end.error
    is_good = case.reason in (EndReason.FINISHED, EndReason.NO_CHANGES)
    assert job.status is (JobStatus.COMPLETED if is_good else JobStatus.FAILED)
    assert bool(turn.end.error) is not is_good
    assert case.words in (turn.end.error or "")
    assert bool(job.pr_link) is case.writes
    assert (f"docstead/{job.branch[9:]}" in harness.git("branch", "--list", "--all")) is case.writes
