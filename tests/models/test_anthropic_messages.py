"""Special features of Anthropic's protocol."""

from __future__ import annotations

from typing import Any

import pytest

from chat_server import ChatServer, Reply, Rule
from docstead.base.errors import ModelError, ModelRefused
from docstead.models.anthropic_wire import wire_messages
from docstead.models.chat import ChatMessage, ChatRole, ModelReasoning, ModelUsage, ToolCall


def test_the_request_is_what_the_protocol_wants(server: ChatServer, anthropic_client: Any) -> None:
    anthropic_client.ask()
    request = server.requests[0]
    assert request["path"] == "/v1/messages"
    assert (request["model"], request["stream"], request["max_tokens"]) == ("tiny", True, 8192)
    assert request["system"][0]["text"] == "Be brief."
    assert server.keys == ["Bearer key-of-ours"]


def test_results_of_one_turn_go_back_in_one_message(
    server: ChatServer, anthropic_client: Any
) -> None:
    calls = (ToolCall("a", "search", "{}"), ToolCall("b", "search", "{}"))
    anthropic_client.ask(
        (
            ChatMessage(ChatRole.USER, "?"),
            ChatMessage(ChatRole.ASSISTANT, tool_calls=calls),
            ChatMessage(ChatRole.TOOL, "1", tool_call_id="a"),
            ChatMessage(ChatRole.TOOL, "", tool_call_id="b"),
            ChatMessage(ChatRole.USER, "Now answer."),
        )
    )
    turns = server.requests[0]["messages"]
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user"]
    assert [block["type"] for block in turns[2]["content"]] == [
        "tool_result",
        "tool_result",
        "text",
    ]
    assert turns[2]["content"][1]["content"][0]["text"]


def test_the_rules_and_the_latest_turn_are_marked_to_be_remembered(
    server: ChatServer, anthropic_client: Any
) -> None:
    anthropic_client.ask()
    request = server.requests[0]
    assert request["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert request["messages"][-1]["content"][-1]["cache_control"] == {"type": "ephemeral"}


def test_foreign_reasoning_is_not_sent(server: ChatServer, anthropic_client: Any) -> None:
    reasoning = (
        ModelReasoning("Mine.", "anthropic:s1"),
        ModelReasoning("", "anthropic-redacted:s2"),
        ModelReasoning("Of another.", "reasoning_content"),
    )
    said = ChatMessage(ChatRole.ASSISTANT, "Hm.", reasoning=reasoning)
    anthropic_client.ask((ChatMessage(ChatRole.USER, "?"), said, ChatMessage(ChatRole.USER, "!")))
    blocks = server.requests[0]["messages"][1]["content"]
    assert blocks[:2] == [
        {"type": "thinking", "thinking": "Mine.", "signature": "s1"},
        {"type": "redacted_thinking", "data": "s2"},
    ]
    assert [block["type"] for block in blocks[2:]] == ["text"]


def test_a_refusal_is_one(server: ChatServer, anthropic_client: Any) -> None:
    server.rules = [Rule("", Reply("I ", finish="refusal"))]
    with pytest.raises(ModelRefused):
        anthropic_client.ask()


def test_input_of_an_answer_that_breaks_off_is_counted(
    server: ChatServer, anthropic_client: Any
) -> None:
    server.rules = [Rule("", Reply("one", "two", usage=(90, 5), cached=40, breaks_after=0))]
    with pytest.raises(ModelError):
        anthropic_client.ask()
    (usage,) = (each for each in anthropic_client.events if isinstance(each, ModelUsage))
    assert (usage.input_tokens, usage.cached_tokens, usage.model) == (90, 40, "tiny")


def test_the_previous_request_is_found_behind_many_new_blocks() -> None:
    """The provider looks only 20 blocks back from a mark."""
    calls = tuple(ToolCall(str(number), "read_file", "{}") for number in range(25))
    results = [ChatMessage(ChatRole.TOOL, "text", tool_call_id=call.id) for call in calls]
    asked = [ChatMessage(ChatRole.USER, "Compare all guides.")]
    before, now = (
        wire_messages(messages)
        for messages in (asked, [*asked, ChatMessage(ChatRole.ASSISTANT, "", calls), *results])
    )
    assert now[0] == before[0]
    assert [
        number
        for number, block in enumerate(block for turn in now for block in turn["content"])
        if "cache_control" in block
    ] == [0, 50]
