"""Differences between servers with OpenAI's protocol."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from chat_server import Call, ChatServer, Reply, Rule
from docstead.base.errors import ModelRefused
from docstead.models.chat import FinishReason, ModelReasoningDelta
from provider_streams import openai_stream


def script(server: ChatServer, reply: Reply) -> None:
    server.rules = [Rule("", reply)]


def test_the_request_is_what_the_protocol_wants(server: ChatServer, openai_client: Any) -> None:
    openai_client.ask()
    request = server.requests[0]
    assert request["path"] == "/v1/chat/completions"
    assert (request["model"], request["stream"]) == ("tiny", True)
    assert request["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello?"},
    ]
    assert server.keys == ["Bearer key-of-ours"]


def test_an_emoji_cut_in_two_is_made_whole(server: ChatServer, openai_client: Any) -> None:
    server.pieces = ["fine \ud83d", "\ude00!", "\ud83d", "x"]
    assert openai_client.ask().text == "fine 😀!�x"


def test_half_an_emoji_at_the_end_is_reported_as_missing(
    server: ChatServer, openai_client: Any
) -> None:
    server.pieces = ["fine \ud83d"]
    assert openai_client.ask().text == "fine �"


@pytest.mark.parametrize(
    ("pieces", "reasoning", "text"),
    [
        (["<think>I see.</think>\n\nYes."], "I see.", "Yes."),
        (["<th", "ink>I s", "ee.</thi", "nk>", "\nYes."], "I see.", "Yes."),
        (["\n<thinking>a < b</thinking>Yes."], "a < b", "Yes."),
        (["<b>Yes.</b>"], "", "<b>Yes.</b>"),
        (["<thi", "rd> is it"], "", "<third> is it"),
        (["Use <think> tags."], "", "Use <think> tags."),
        (["<"], "", "<"),
    ],
)
def test_reasoning_between_tags_is_separated(
    server: ChatServer, openai_client: Any, pieces: list[str], reasoning: str, text: str
) -> None:
    server.pieces = pieces
    answer = openai_client.ask()
    reasoning_pieces = [
        event.text for event in openai_client.events if isinstance(event, ModelReasoningDelta)
    ]
    assert ("".join(reasoning_pieces), answer.text.strip()) == (reasoning, text)


def test_calls_end_an_answer_whatever_the_server_calls_it(
    server: ChatServer, openai_client: Any
) -> None:
    script(server, Reply(calls=(Call("search", {"query": "a"}),), finish="stop"))
    assert openai_client.ask().finish is FinishReason.TOOL_CALLS


@pytest.mark.parametrize(
    "heads",
    [
        [{"index": 0, "id": "a"}, {"index": 1, "id": "b"}],
        [{"index": 0, "id": "a"}, {"index": 0, "id": "b"}],
        [{"id": "a"}, {"id": "b"}],
    ],
)
def test_calls_are_distinguished_however_they_are_numbered(
    server: ChatServer, openai_client: Any, heads: list[dict[str, Any]]
) -> None:
    chunks = [
        {"tool_calls": [{**head, "function": {"name": "search", "arguments": f"[{position}]"}}]}
        for position, head in enumerate(heads)
    ]
    script(server, Reply(garbage=openai_stream(*chunks)))
    calls = openai_client.ask().tool_calls
    assert [(call.id, call.arguments) for call in calls] == [("a", "[0]"), ("b", "[1]")]


def test_a_name_that_comes_with_each_piece_is_one_name(
    server: ChatServer, openai_client: Any
) -> None:
    """llama-cpp-python repeats name and id with each token of the arguments."""
    chunks = [
        {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "search", "arguments": part}}]}
        for part in ('{"query":', '"keys"}')
    ]
    script(server, Reply(garbage=openai_stream(*chunks)))
    (call,) = openai_client.ask().tool_calls
    assert (call.name, call.arguments) == ("search", '{"query":"keys"}')


def test_a_filtered_answer_is_refused(server: ChatServer, openai_client: Any) -> None:
    script(server, Reply("I ", finish="content_filter"))
    with pytest.raises(ModelRefused):
        openai_client.ask()


def test_a_refusal_is_reported_in_its_words(server: ChatServer, openai_client: Any) -> None:
    script(
        server,
        Reply(garbage=openai_stream({"refusal": "I will "}, {"refusal": "not."}, finish="stop")),
    )
    with pytest.raises(ModelRefused) as failure:
        openai_client.ask()
    assert failure.value.detail == "I will not."


def test_the_library_is_not_loaded_before_the_first_question() -> None:
    code = (
        "import sys; from docstead.models.openai_compatible import OpenAICompatible; "
        "from docstead.models.anthropic_messages import AnthropicMessages; "
        "OpenAICompatible('http://x', 'k', 'm'); AnthropicMessages('http://x', 'k', 'm'); "
        "sys.exit('openai' in sys.modules or 'anthropic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
