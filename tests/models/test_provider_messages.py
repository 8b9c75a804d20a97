"""Messages of models go back as they came: providers sign their parts and refuse rebuilt ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chat_server import Call, ChatServer, Reply, Rule
from docstead.agent.conversation import message_json, message_of
from docstead.base.errors import ModelMisconfigured
from docstead.models.anthropic_wire import wire_messages
from docstead.models.chat import ChatMessage, ChatRole, FinishReason, ToolCall
from docstead.models.responses_wire import wire_input
from provider_streams import anthropic_stream, openai_stream
from responses_wire import Responses

# The order that interleaved thinking has, which a rebuilt message would lose:
# platform.claude.com/docs/en/build-with-claude/extended-thinking, "Interleaved thinking".
INTERLEAVED: list[dict[str, Any]] = [
    {"type": "thinking", "thinking": "First I read both.", "signature": "s1=="},
    {"type": "text", "text": "I read the pages."},
    {"type": "redacted_thinking", "data": "opaque"},
    {"type": "thinking", "thinking": "", "signature": "s2=="},
    {"type": "tool_use", "id": "t1", "name": "read_file", "input": {"path": "a.mdx"}},
    {"type": "tool_use", "id": "t2", "name": "read_file", "input": {"path": "b.mdx"}},
]


def stored(message: ChatMessage) -> ChatMessage:
    """The message after it was written to the database and read."""
    return message_of(json.loads(json.dumps(message_json(message))))


def results(message: ChatMessage) -> list[ChatMessage]:
    return [ChatMessage(ChatRole.TOOL, "read", tool_call_id=call.id) for call in message.tool_calls]


def test_blocks_of_anthropic_go_back_in_their_order(
    server: ChatServer, anthropic_client: Any
) -> None:
    server.rules = [Rule("", Reply(garbage=anthropic_stream(INTERLEAVED)), times=1)]
    question = ChatMessage(ChatRole.USER, "Read")
    said = stored(anthropic_client.ask((question,)).message)
    anthropic_client.ask((question, said, *results(said)))
    assert server.last_messages[1] == {"role": "assistant", "content": INTERLEAVED}


def test_empty_texts_are_left_out(server: ChatServer, anthropic_client: Any) -> None:
    blocks = [INTERLEAVED[0], {"type": "text", "text": "\n\n"}, INTERLEAVED[4]]
    server.rules = [Rule("", Reply(garbage=anthropic_stream(blocks)), times=1)]
    said = stored(anthropic_client.ask().message)
    anthropic_client.ask((ChatMessage(ChatRole.USER, "?"), said, *results(said)))
    assert server.last_messages[1]["content"] == [INTERLEAVED[0], INTERLEAVED[4]]


def test_blocks_go_to_no_other_model(server: ChatServer, anthropic_client: Any) -> None:
    server.rules = [Rule("", Reply(garbage=anthropic_stream(INTERLEAVED)), times=1)]
    said = stored(anthropic_client.ask().message)
    kinds = [block["type"] for block in wire_messages([said], "other")[0]["content"]]
    assert kinds.index("text") > kinds.index("redacted_thinking")


def test_shortened_arguments_keep_the_order_of_blocks(
    server: ChatServer, anthropic_client: Any
) -> None:
    server.rules = [Rule("", Reply(garbage=anthropic_stream(INTERLEAVED)), times=1)]
    said = anthropic_client.ask().message
    short = ToolCall("t1", "read_file", '{"path": "short"}')
    changed = ChatMessage(
        ChatRole.ASSISTANT,
        said.text,
        tool_calls=(short, said.tool_calls[1]),
        original=said.original,
    )
    anthropic_client.ask((ChatMessage(ChatRole.USER, "?"), changed, *results(changed)))
    blocks = server.last_messages[1]["content"]
    assert blocks[:4] == INTERLEAVED[:4]
    assert blocks[4]["input"] == {"path": "short"}


def test_signatures_of_gemini_go_back_with_their_calls(
    server: ChatServer, openai_client: Any
) -> None:
    # ai.google.dev/gemini-api/docs/thought-signatures, "OpenAI compatible"
    extra = {"google": {"thought_signature": "signed=="}}
    function = {"name": "read_file", "arguments": "{}"}
    calls = [
        {"index": 0, "id": "a", "type": "function", "function": function, "extra_content": extra},
        {"index": 1, "id": "b", "type": "function", "function": function},
    ]
    garbage = openai_stream({"role": "assistant", "tool_calls": calls})
    server.rules = [Rule("", Reply(garbage=garbage), times=1)]
    said = stored(openai_client.ask().message)
    openai_client.ask((ChatMessage(ChatRole.USER, "?"), said, *results(said)))
    sent = server.last_messages[1]["tool_calls"]
    assert sent[0]["extra_content"] == extra
    assert "extra_content" not in sent[1]
    assert all("index" not in call for call in sent)


def test_reasoning_in_pieces_goes_back_whole(server: ChatServer, openai_client: Any) -> None:
    details = [{"type": "reasoning.encrypted", "data": "x", "index": 0}]
    call = {"index": 0, "id": "a", "function": {"name": "read_file", "arguments": "{}"}}
    deltas = (
        {"reasoning": "I ", "reasoning_details": details},
        {"reasoning": "read."},
        {"tool_calls": [call]},
    )
    server.rules = [Rule("", Reply(garbage=openai_stream(*deltas)), times=1)]
    said = stored(openai_client.ask().message)
    openai_client.ask((ChatMessage(ChatRole.USER, "?"), said, *results(said)))
    sent = server.last_messages[1]
    assert (sent["reasoning"], sent["reasoning_details"]) == ("I read.", details)


def responses_items(reply: Reply) -> list[dict[str, Any]]:
    """The items of an answer as they are sent back: without their state."""
    events = [json.loads(each.partition(b"data: ")[2]) for each in Responses().events(reply)]
    items = events[-1]["response"]["output"]
    return [{name: item[name] for name in item if name != "status"} for item in items]


REASONED = Reply(
    "I read both.",
    calls=(Call("read_file", {"path": "a.mdx"}, "a"), Call("read_file", {"path": "b.mdx"}, "b")),
    reasoning=("Which first?",),
)


def test_reasoning_goes_back_before_what_it_led_to(
    server: ChatServer, responses_client: Any
) -> None:
    # platform.openai.com/docs/guides/reasoning, "Keeping reasoning items in context"
    server.rules = [Rule("", REASONED, times=1)]
    question = ChatMessage(ChatRole.USER, "Read")
    said = stored(responses_client.ask((question,)).message)
    responses_client.ask((question, said, *results(said)))
    request = server.requests[-1]
    assert server.last_messages[1:-2] == responses_items(REASONED)
    assert [each["call_id"] for each in server.last_messages[-2:]] == ["a", "b"]
    assert (request["store"], request["include"]) == (False, ["reasoning.encrypted_content"])
    assert request["prompt_cache_key"] == server.requests[0]["prompt_cache_key"]


def test_reasoning_goes_to_no_other_model(server: ChatServer, responses_client: Any) -> None:
    server.rules = [Rule("", REASONED, times=1)]
    said = stored(responses_client.ask().message)
    items = wire_input([said], "other")
    assert [item.get("type", "message") for item in items] == ["message", *["function_call"] * 2]
    assert not any("id" in item for item in items)


def test_reasoning_that_a_limit_cut_is_left_out(server: ChatServer, responses_client: Any) -> None:
    *begin, end = Responses().events(Reply("Half of", reasoning=("Hm",), finish="length"))
    cut = json.loads(end.partition(b"data: ")[2])
    cut["response"]["output"].reverse()  # it reasoned again after the text
    garbage = b"".join([*begin, b"data: ", json.dumps(cut).encode(), b"\n\n"])
    server.rules = [Rule("", Reply(garbage=garbage))]
    answer = responses_client.ask()
    assert (answer.text, answer.finish) == ("Half of", FinishReason.LENGTH)
    assert [item["type"] for item in answer.original.content] == ["message"]


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_calls_that_no_server_would_take_back_are_made_fit(
    server: ChatServer, request: pytest.FixtureRequest, kind: str
) -> None:
    client = request.getfixturevalue(f"{kind}_client")
    call = ToolCall("a", "run shell!", '{"path": "cut of')
    said = ChatMessage(ChatRole.ASSISTANT, tool_calls=(call,))
    client.ask((ChatMessage(ChatRole.USER, "?"), said, *results(said)))
    message = server.last_messages[1]
    if kind == "openai":
        sent = message["tool_calls"][0]["function"]
        name, arguments = sent["name"], json.loads(sent["arguments"])
    else:
        name, arguments = message["content"][0]["name"], message["content"][0]["input"]
    assert name == "run_shell_"
    assert arguments == {"malformed": '{"path": "cut of'}


def test_a_thinking_budget_leaves_space_for_the_answer(
    server: ChatServer, anthropic_client: Any
) -> None:
    thinking = {"type": "enabled", "budget_tokens": 10_000}
    anthropic_client.ask(options={"thinking": thinking}, max_output_tokens=8_192)
    assert server.requests[-1]["max_tokens"] == 18_192


def test_errors_of_gemini_are_reported_in_its_words(openai_client: Any, server: ChatServer) -> None:
    server.rules = [Rule("", Reply(status=400, error="missing a thought_signature", is_list=True))]
    with pytest.raises(ModelMisconfigured) as failure:
        openai_client.ask()
    assert "missing a thought_signature" in failure.value.detail
