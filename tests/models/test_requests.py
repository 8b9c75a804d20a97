"""Requests are what the providers' own client libraries describe, with nothing else in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from chat_server import Call, ChatServer, Reply, Rule
from docstead.models.chat import ChatMessage, ChatRole, InputFile, ToolSpec, ToolUse

TOOL = ToolSpec(
    "search",
    "Finds passages.",
    {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)
FILES = (
    InputFile("shot.png", "image/png", b"png"),
    InputFile("offer.pdf", "application/pdf", b"%PDF-1.7"),
)
QUESTION = (
    ChatMessage(ChatRole.SYSTEM, "Be brief."),
    ChatMessage(ChatRole.USER, "What is in these?", files=FILES),
)


@cache
def _shape(provider: str) -> TypeAdapter[Any]:
    """The type of a request. The libraries take a second to import, so no other test does."""
    if provider == "openai":
        from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming

        return TypeAdapter(CompletionCreateParamsStreaming)
    from anthropic.types.message_create_params import MessageCreateParamsStreaming

    return TypeAdapter(MessageCreateParamsStreaming)


def described(provider: str, request: Mapping[str, Any]) -> Any:
    """The request as its description reads it; fields that are not described are missing."""
    return _whole(_shape(provider).validate_python(request))


def _whole(value: Any) -> Any:
    """The value with iterables read to their end, which is when they are validated."""
    if isinstance(value, Mapping):
        return {name: _whole(each) for name, each in value.items()}
    is_list = isinstance(value, Iterable) and not isinstance(value, str | bytes)
    return [_whole(each) for each in value] if is_list else value


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_conversation_with_files_and_tools(
    server: ChatServer, provider: str, request: pytest.FixtureRequest
) -> None:
    client = request.getfixturevalue(f"{provider}_client")
    call = Call("search", {"query": "offers"})
    reasoning_reply = Reply("Let me see.", calls=(call,), reasoning=("Hm.",))
    server.rules = [Rule(lambda said: not said.used, reasoning_reply), Rule("", Reply("An offer."))]
    called = client.ask(QUESTION, inputs=("image", "pdf"), tools=[TOOL])
    result = ChatMessage(ChatRole.TOOL, "", tool_call_id=called.tool_calls[0].id)
    client.events.clear()
    client.ask(
        (*QUESTION, called.message, result),
        inputs=("image", "pdf"),
        tools=[TOOL],
        tool_use=ToolUse.NONE,
        max_output_tokens=500,
    )
    assert len(server.requests) == 2
    for sent in server.requests:
        body = {name: value for name, value in sent.items() if name != "path"}
        for message in body["messages"]:
            message.pop("reasoning_content", None)  # for servers that sent it and want it back
        assert described(provider, body) == body


def test_what_is_not_described_is_noticed() -> None:
    body = {"model": "m", "max_tokens": 1, "stream": True}
    message = {"role": "user", "content": [{"type": "text", "text": "Hi", "colour": "red"}]}
    assert described("anthropic", {**body, "messages": [message]}) != {
        **body,
        "messages": [message],
    }
    with pytest.raises(ValidationError):
        described("anthropic", {**body, "messages": [{"role": "system", "content": 1}]})
