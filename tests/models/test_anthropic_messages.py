"""Special features of Anthropic's protocol."""

from __future__ import annotations

from typing import Any

import pytest

from chat_server import ChatServer, Reply, Rule
from docstead.base.errors import ModelRefused
from docstead.models.chat import ChatMessage, ChatRole, ModelReasoning, ToolCall


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


def test_foreign_thoughts_are_not_sent(server: ChatServer, anthropic_client: Any) -> None:
    thoughts = (
        ModelReasoning("Mine.", "anthropic:s1"),
        ModelReasoning("", "anthropic-redacted:s2"),
        ModelReasoning("Of another.", "reasoning_content"),
    )
    said = ChatMessage(ChatRole.ASSISTANT, "Hm.", reasoning=thoughts)
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
