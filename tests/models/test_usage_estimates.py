"""Calls whose usage is not reported are paid by an estimate; a report always counts."""

from __future__ import annotations

from typing import Any

import pytest

from chat_server import Call, ChatServer, Reply, Rule
from docstead.base.errors import ModelError
from docstead.models.chat import (
    ChatMessage,
    ChatRole,
    InputFile,
    ModelFinish,
    ModelTextDelta,
    ModelUsage,
    ToolSpec,
)
from docstead.models.completion import Transcript
from docstead.models.usage_estimates import estimated_usage

LONG = (ChatMessage(ChatRole.USER, "q" * 4_000),)
WRITE = Reply(calls=(Call("write_file", {"text": "z" * 780}),), breaks_after=2)


def asked(server: ChatServer, client: Any, reply: Reply) -> list[ModelUsage]:
    """The usage of a call that may fail."""
    server.rules = [Rule("", reply)]
    try:
        client.ask(LONG)
    except ModelError:
        assert reply.breaks_after is not None or reply.error
    return [event for event in client.events if isinstance(event, ModelUsage)]


@pytest.mark.parametrize(
    ("reply", "tokens"),
    [
        (Reply("a" * 400, "b" * 400, breaks_after=1), 100),
        (Reply("a" * 400, "b" * 400), 200),
        (Reply("b", reasoning=["a" * 400], breaks_after=1), 100),
        (WRITE, 102),  # within the arguments: their first half, and the name
    ],
)
def test_what_has_begun_is_estimated(
    server: ChatServer, openai_client: Any, reply: Reply, tokens: int
) -> None:
    expected = ModelUsage(1_000, tokens, model="tiny", is_estimated=True)
    assert asked(server, openai_client, reply) == [expected]
    is_whole = reply.breaks_after is None
    assert isinstance(openai_client.events[-1], ModelFinish if is_whole else ModelUsage)


def test_the_responses_api_is_estimated_as_well(server: ChatServer, responses_client: Any) -> None:
    cut = Reply("a" * 400, "b" * 400, breaks_after=1)
    expected = ModelUsage(1_000, 100, model="tiny", is_estimated=True)
    assert asked(server, responses_client, cut) == [expected]


@pytest.mark.parametrize(
    "reply", [Reply("a", breaks_after=0), Reply(error="oops"), Reply(status=500, error="oops")]
)
def test_what_has_not_begun_costs_nothing(
    server: ChatServer, openai_client: Any, reply: Reply
) -> None:
    assert asked(server, openai_client, reply) == []


def test_a_report_counts(server: ChatServer, client: Any) -> None:
    usage = sum(asked(server, client, Reply("a" * 400, usage=(7, 3))), ModelUsage())
    assert (usage.input_tokens, usage.output_tokens, usage.is_estimated) == (7, 3, False)


def test_a_call_that_is_stopped_is_paid() -> None:
    received = Transcript()
    received.add(ModelTextDelta("a" * 40))
    assert received.paid("m", LONG, ()) == ModelUsage(1_000, 10, model="m", is_estimated=True)
    received.add(ModelUsage(7, 3, model="m"))
    assert received.paid("m", LONG, ()) == ModelUsage(7, 3, model="m")


def test_files_and_tools_are_estimated_too() -> None:
    picture = InputFile("a.png", "image/png", b"x" * 1_000_000)
    pdf = InputFile("a.pdf", "application/pdf", b"x" * 2_500)
    tool = ToolSpec("t" * 20, "d" * 60, {})  # and two characters of JSON
    message = ChatMessage(ChatRole.USER, "q" * 18, files=(picture, pdf))
    assert estimated_usage("m", [message], [tool], 0).input_tokens == 25 + 1_600 + 100
