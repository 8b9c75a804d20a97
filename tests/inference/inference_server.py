"""The client of OpenAI's protocol against a real inference server with random weights."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import Any

import pytest

from docstead.base.errors import ModelContextFull, ModelError, ModelMisconfigured
from docstead.models.chat import (
    ChatMessage,
    ChatRole,
    FinishReason,
    ModelTextDelta,
    ToolCall,
    ToolSpec,
    ToolUse,
)
from docstead.models.completion import Completion, complete
from docstead.models.openai_compatible import OpenAICompatible

Model = Callable[..., OpenAICompatible]

QUESTION = (
    ChatMessage(ChatRole.SYSTEM, "Be brief."),
    ChatMessage(ChatRole.USER, "How do I install it?"),
)
TOPICS = ["install", "upgrade"]
SEARCH = ToolSpec(
    "search",
    "Finds passages.",
    {
        "type": "object",
        "properties": {"query": {"type": "string", "enum": TOPICS}},
        "required": ["query"],
    },
)
NAMED = {"type": "function", "function": {"name": "search"}}


def answer(
    model: OpenAICompatible, messages: Sequence[ChatMessage] = QUESTION, **more: Any
) -> Completion:
    async def ask() -> Completion:
        try:
            return await complete(model, messages, **more)
        finally:
            await model.close()

    return asyncio.run(ask())


def test_words_stream_one_by_one(model: Model) -> None:
    pieces: list[str] = []

    def listen(event: object) -> None:
        if isinstance(event, ModelTextDelta):
            pieces.append(event.text)

    said = answer(model(max_tokens=12), listener=listen)
    assert len(pieces) > 5
    assert "".join(pieces) == said.text


def test_an_answer_that_ends_by_itself_has_stopped(model: Model) -> None:
    said = answer(model(grammar='root ::= "Run the command."'))
    assert (said.text, said.finish) == ("Run the command.", FinishReason.STOP)


def test_a_stop_word_ends_an_answer(model: Model) -> None:
    said = answer(model(grammar='root ::= "one two three four"', stop=["three"]))
    assert (said.text.strip(), said.finish) == ("one two", FinishReason.STOP)


def test_the_output_limit_cuts_an_answer(model: Model) -> None:
    words = "one two three four five six seven eight nine ten eleven twelve"
    asked = model(grammar=f'root ::= "{words}"')
    whole = answer(asked, max_output_tokens=8)  # the server ignores the newer name of the limit
    assert (whole.text.strip(), whole.finish) == (words, FinishReason.STOP)
    cut = answer(asked, max_output_tokens=8)
    assert cut.finish is FinishReason.LENGTH
    assert words.startswith(cut.text.strip())
    assert cut.text.strip() != words


def test_a_server_that_counts_no_tokens_is_estimated(model: Model) -> None:
    """This version of the server counts tokens only without streaming."""
    usage = answer(model(max_tokens=12)).usage
    assert (usage.is_estimated, usage.has_tokens) == (True, True)


def test_a_tool_is_called_and_its_result_read(model: Model) -> None:
    called = answer(model("tools", tool_choice=NAMED), tools=[SEARCH])
    (call,) = called.tool_calls
    assert (call.name, called.finish) == ("search", FinishReason.TOOL_CALLS)
    assert call.values()["query"] in TOPICS
    result = ChatMessage(ChatRole.TOOL, "Run `install`.", tool_call_id=call.id)
    model_in_words = model("tools", grammar='root ::= "Run install."')
    said = answer(
        model_in_words,
        [*QUESTION, called.message, result],
        tools=[SEARCH],
        tool_use=ToolUse.NONE,
    )
    assert (said.text, said.tool_calls) == ("Run install.", ())


def test_a_broken_call_of_the_history_is_taken(model: Model) -> None:
    broken = ChatMessage(ChatRole.ASSISTANT, tool_calls=(ToolCall("1", "search", '{"query": '),))
    result = ChatMessage(ChatRole.TOOL, "The arguments are not JSON.", tool_call_id="1")
    said = answer(model("tools", grammar='root ::= "Sorry."'), [*QUESTION, broken, result])
    assert said.text == "Sorry."


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"temperature": "warm"}, ModelMisconfigured),
        ({"tool_choice": {"type": "function", "function": {}}}, ModelMisconfigured),
        ({"key": "another key"}, ModelMisconfigured),
    ],
)
def test_what_the_server_refuses_is_named(
    model: Model, options: dict[str, Any], error: type[ModelError]
) -> None:
    with pytest.raises(error) as refused:
        answer(model(**options))
    assert refused.value.detail


def test_an_answer_that_is_left_leaves_the_server_free(model: Model) -> None:
    async def leave() -> None:
        asked = model(max_tokens=900)
        async with aclosing(asked.stream(QUESTION)) as events:
            async for _ in events:
                break
        await asked.close()

    asyncio.run(leave())
    assert answer(model(grammar='root ::= "Yes."')).text == "Yes."


# The last test: this version of the server answers nothing afterwards.
def test_a_conversation_that_is_too_long_fills_the_window(model: Model) -> None:
    long = ChatMessage(ChatRole.USER, "word " * 2_000)
    with pytest.raises(ModelContextFull):
        answer(model(), [long])
