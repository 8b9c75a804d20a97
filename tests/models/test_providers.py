"""Common behavior of all providers' clients, with a real server that plays a script."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from chat_server import Call, ChatRequest, ChatServer, Reply, Rule
from docstead.base.errors import (
    ModelBadAnswer,
    ModelContextFull,
    ModelError,
    ModelMisconfigured,
    ModelOutOfCredit,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
    Unavailable,
)
from docstead.models.chat import (
    ChatMessage,
    ChatRole,
    FinishReason,
    ModelFinish,
    ModelReasoningDelta,
    ModelTextDelta,
    ModelUsage,
    ToolCall,
    ToolSpec,
    ToolUse,
)
from docstead.models.completion import CompletionClient
from docstead.models.timeouts import ModelTimeouts

SEARCH = ToolSpec(
    "search",
    "Searches.",
    {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)
ALWAYS = ""


def script(server: ChatServer, reply: Reply) -> None:
    server.rules = [Rule(ALWAYS, reply)]


class TestAnswers:
    def test_the_pieces_arrive_in_order_and_the_end_is_reported(
        self, server: ChatServer, client: Any
    ) -> None:
        script(server, Reply("Grüß ", "dich", "!", usage=(7, 3)))
        answer = client.ask()
        assert client.pieces == ["Grüß ", "dich", "!"]
        assert client.events[-1] == ModelFinish(FinishReason.STOP)
        assert answer.usage == ModelUsage(7, 3, model="tiny")

    def test_the_conversation_arrives_as_it_was(self, server: ChatServer, client: Any) -> None:
        call = ToolCall("c1", "search", '{"query": "keys"}')
        client.ask(
            (
                ChatMessage(ChatRole.SYSTEM, "Be brief."),
                ChatMessage(ChatRole.USER, "Hello?"),
                ChatMessage(ChatRole.ASSISTANT, "Wait.", tool_calls=(call,)),
                ChatMessage(ChatRole.TOOL, "Three pages.", tool_call_id="c1"),
            ),
            tools=(SEARCH,),
        )
        said = server.conversations[0]
        assert said.system == "Be brief."
        assert [(m.role, m.text) for m in said.messages[1:]] == [
            ("user", "Hello?"),
            ("assistant", "Wait."),
            ("tool", "Three pages."),
        ]
        assert (said.used, said.last.call_id, said.tools) == (("search",), "c1", ("search",))
        assert server.keys[0].endswith("key-of-ours")

    def test_tools_are_called_with_whole_arguments(self, server: ChatServer, client: Any) -> None:
        calls = (Call("search", {"query": "a"}, "c1"), Call("search", {"query": "é"}, "c2"))
        script(server, Reply("Let me look.", calls=calls))
        answer = client.ask(tools=(SEARCH,))
        assert [call.values()["query"] for call in answer.tool_calls] == ["a", "é"]
        assert [call.id for call in answer.tool_calls] == ["c1", "c2"]
        assert (answer.text, answer.finish) == ("Let me look.", FinishReason.TOOL_CALLS)

    def test_a_call_without_arguments_has_none(self, server: ChatServer, client: Any) -> None:
        script(server, Reply(calls=(Call("list", ""),)))
        (call,) = client.ask(tools=(SEARCH,)).tool_calls
        assert call.values() == {}

    def test_malformed_arguments_are_for_the_caller_to_judge(
        self, server: ChatServer, client: Any
    ) -> None:
        script(server, Reply(calls=(Call("search", '{"query": "a'),)))
        (call,) = client.ask(tools=(SEARCH,)).tool_calls
        with pytest.raises(Exception, match="search: the arguments are not JSON"):
            call.values()
        server.rules = ()
        client.events.clear()
        history = ChatMessage(ChatRole.ASSISTANT, tool_calls=(call,))
        result = ChatMessage(ChatRole.TOOL, "not JSON", tool_call_id=call.id)
        assert client.ask((history, result), tools=(SEARCH,)).text == "Hello"

    def test_reasoning_is_separated_and_goes_back_after_a_tool(
        self, server: ChatServer, client: Any
    ) -> None:
        call = Call("search", {"query": "a"}, "c1")
        script(server, Reply("Hm.", reasoning=("Let me ", "think."), calls=(call,)))
        answer = client.ask(tools=(SEARCH,))
        assert answer.text == "Hm."
        reasoning = [
            event.text for event in client.events if isinstance(event, ModelReasoningDelta)
        ]
        assert "".join(reasoning) == "Let me think."
        client.ask(
            (answer.message, ChatMessage(ChatRole.TOOL, "x", tool_call_id="c1")), tools=(SEARCH,)
        )
        assert "Let me think." in str(server.last_messages[0])

    def test_a_cut_answer_says_so(self, server: ChatServer, client: Any) -> None:
        script(server, Reply("The first half of", finish="length"))
        assert client.ask().finish is FinishReason.LENGTH

    def test_limits_options_and_forced_tools_are_sent(
        self, server: ChatServer, client: Any
    ) -> None:
        client.ask(
            tools=(SEARCH,),
            tool_use=ToolUse.NONE,
            max_output_tokens=77,
            options={"temperature": 0.25},
        )
        request = server.requests[0]
        names = ("max_tokens", "max_completion_tokens", "max_output_tokens")
        assert [request[name] for name in names if name in request] == [77]
        assert request["temperature"] == 0.25
        assert server.conversations[0].tool_choice == "none"


class TestProviderFailures:
    @pytest.mark.parametrize(
        ("status", "words", "kind"),
        [
            (400, "Unknown parameter: foo", ModelMisconfigured),
            (401, "Incorrect API key provided: key-of-ours", ModelMisconfigured),
            (404, "The model tiny does not exist", ModelMisconfigured),
            (402, "Payment required", ModelOutOfCredit),
            (429, "You exceeded your current quota", ModelOutOfCredit),
            (400, "Your credit balance is too low to access the API", ModelOutOfCredit),
            (429, "Too many requests", ModelRateLimited),
            (529, "Overloaded", ModelRateLimited),
            (400, "This model's maximum context length is 8192 tokens", ModelContextFull),
            (400, "prompt is too long: 210000 tokens", ModelContextFull),
            (413, "Request too large", ModelContextFull),
            (400, "The response was filtered by the content management policy", ModelRefused),
            (504, "upstream", ModelTimeout),
            (500, "Internal error", ModelUnreachable),
            (503, "Loading model", ModelUnreachable),
        ],
    )
    def test_a_refused_request_is_named_in_the_providers_words(
        self, server: ChatServer, client: Any, status: int, words: str, kind: type[ModelError]
    ) -> None:
        script(server, Reply(status=status, error=words))
        with pytest.raises(ModelError) as failure:
            client.ask()
        assert type(failure.value) is kind
        assert words.partition(":")[0] in failure.value.detail
        assert failure.value.detail.startswith(f"{status}: ")
        assert failure.value.detail.count(str(status)) == 1
        assert "key-of-ours" not in failure.value.detail
        assert words not in failure.value.message
        assert len(server.requests) == 1

    def test_a_rate_limit_says_when_to_come_back(self, server: ChatServer, client: Any) -> None:
        script(server, Reply(status=429, error="slow down", headers={"retry-after": "17"}))
        with pytest.raises(ModelRateLimited) as failure:
            client.ask()
        assert failure.value.retry_after_seconds == 17
        assert failure.value.headers == {"Retry-After": "17"}

    @pytest.mark.parametrize(
        ("code", "words", "kind"),
        [
            ("overloaded_error", "Overloaded", ModelRateLimited),
            ("server_error", "Something broke", ModelUnreachable),
            ("insufficient_quota", "Quota used up", ModelOutOfCredit),
        ],
    )
    def test_an_error_in_mid_stream_is_named(
        self, server: ChatServer, client: Any, code: str, words: str, kind: type[ModelError]
    ) -> None:
        script(server, Reply("Half an ", error=words, error_code=code))
        with pytest.raises(ModelError) as failure:
            client.ask()
        assert type(failure.value) is kind
        assert words in failure.value.detail
        assert client.pieces == ["Half an "]

    @pytest.mark.parametrize(
        "garbage",
        [
            b"data: {not json\n\n",
            b"event: message_start\ndata: [1, 2]\n\ndata: [1, 2]\n\n",
            b"<html><body>Bad gateway</body></html>",
            b"\x00\xff\xfe\x00" * 100,
            b"",
        ],
    )
    def test_garbage_is_a_bad_answer(self, server: ChatServer, client: Any, garbage: bytes) -> None:
        script(server, Reply(garbage=garbage or b"\n"))
        with pytest.raises(ModelBadAnswer):
            client.ask()

    @pytest.mark.parametrize("reply", [Reply(), Reply(reasoning=("Hm.",)), Reply(finish="length")])
    def test_an_answer_without_a_word_is_none(
        self, server: ChatServer, client: Any, reply: Reply
    ) -> None:
        script(server, reply)
        with pytest.raises(ModelBadAnswer):
            client.ask()

    def test_an_answer_that_breaks_off_is_unavailable(
        self, server: ChatServer, client: Any
    ) -> None:
        script(server, Reply("one", "two", "three", breaks_after=3))
        with pytest.raises(ModelError):
            client.ask()
        assert client.pieces[:1] == ["one"]

    def test_silence_ends(self, server: ChatServer, client: Any) -> None:
        script(server, Reply(hangs=True))
        with pytest.raises(ModelTimeout) as failure:
            client.ask(timeouts=ModelTimeouts(first_seconds=0.2))
        assert "did not begin" in failure.value.detail

    def test_a_pause_that_is_too_long_ends(self, server: ChatServer, client: Any) -> None:
        script(server, Reply("a", "b", pause_seconds=600))
        with pytest.raises(ModelTimeout) as failure:
            client.ask(timeouts=ModelTimeouts(silence_seconds=0.2))
        assert "fell silent" in failure.value.detail

    def test_an_answer_that_never_ends_is_ended(self, server: ChatServer, client: Any) -> None:
        script(server, Reply(*["word "] * 100_000, pause_seconds=0.01))
        total_seconds = 0.5
        while not client.pieces:  # a busy machine needs longer for the first
            with pytest.raises(ModelTimeout) as failure:
                client.ask(timeouts=ModelTimeouts(total_seconds=total_seconds))
            assert "did not end" in failure.value.detail
            total_seconds *= 2

    def test_a_server_that_is_not_there_is_unreachable(
        self, server: ChatServer, client: Any
    ) -> None:
        model = client.make()
        model._base_url = "http://127.0.0.1:9"
        with pytest.raises(ModelUnreachable) as failure:
            asyncio.run(anext(model.stream((ChatMessage(ChatRole.USER, "?"),))))
        assert "127.0.0.1:9" in failure.value.detail
        assert isinstance(failure.value, Unavailable)


def test_closing_the_stream_ends_the_request(server: ChatServer, client: Any) -> None:
    script(server, Reply(*["word "] * 200, pause_seconds=0.02))

    async def first_piece() -> object:
        model = client.make()
        stream = model.stream((ChatMessage(ChatRole.USER, "?"),))
        piece = await anext(stream)
        await stream.aclose()
        await model.close()
        return piece

    assert asyncio.run(first_piece()) == ModelTextDelta("word ")
    assert server.cancelled.wait(120)


def test_threads_complete_at_once(server: ChatServer, client: Any) -> None:
    def echo(said: ChatRequest) -> Reply:
        return Reply("It is ", said.last.text, pause_seconds=0.05)

    server.rules = [Rule(ALWAYS, echo)]
    completions = CompletionClient(client.make())
    observed: list[object] = []
    answers: dict[int, str] = {}

    def ask(number: int) -> None:
        asked = (ChatMessage(ChatRole.USER, str(number)),)
        answers[number] = completions.complete(asked, listener=observed.append).text

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    completions.close()
    assert answers == {number: f"It is {number}" for number in range(8)}
    assert observed.count(ModelTextDelta("It is ")) == 8
