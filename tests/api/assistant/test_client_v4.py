"""The published chat client, version 4, against a running service."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from chat_server import Call, ChatServer, Reply, Rule
from docstead.assistant.answer_task import Answerer, AnswerOptions
from docstead.assistant.answering import ModelAnswerer
from docstead.markup.words import ShellTexts
from docstead.models.openai_compatible import OpenAICompatible
from rich_answer import CODE, RICH, RICH_QUESTION, TABLE

NOT_COVERED = ShellTexts().not_covered
ChatClient = Callable[..., dict[str, Any]]
PATH = "/discovery/v1/assistant/parcelo/message"
KEYS = "How do I create an API key?"
SITE = "https://parcelo.example.com"


@pytest.fixture
def url(harness: Any, serve: Callable[..., str]) -> str:
    return serve(harness.app()) + PATH


@pytest.fixture
def chat(chat_client: ChatClient, harness: Any, url: str) -> Callable[..., list[dict[str, Any]]]:
    """A conversation with the quoting assistant, by the client's hook."""

    def ask(*questions: str, **more: Any) -> list[dict[str, Any]]:
        answer = chat_client("chat", url=url, key=harness.key(), questions=questions, **more)
        return answer["turns"]

    return ask


@pytest.fixture
def chat_with_model(
    chat_client: ChatClient, harness: Any, serve: Callable[..., str], model_server: ChatServer
) -> Callable[..., list[dict[str, Any]]]:
    model = OpenAICompatible(model_server.url, "key", "tiny")
    url = serve(harness.app(model)) + PATH

    def ask(*questions: str, **more: Any) -> list[dict[str, Any]]:
        answer = chat_client("chat", url=url, key=harness.key(), questions=questions, **more)
        return answer["turns"]

    return ask


def parts_of(turn: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [part for part in turn["messages"][-1]["parts"] if part["type"] == kind]


@pytest.mark.parametrize("cut", [1, 90, 400])
def test_a_torn_stream_is_resumed(
    chat_with_model: Callable[..., Any], model_server: ChatServer, cut: int
) -> None:
    model_server.pieces = [f"word{number} " for number in range(30)]
    model_server.pause_seconds = 0.01
    (turn,) = chat_with_model(KEYS, options={"id": f"chat-{cut}"}, cutAfter=cut)
    assert (turn["status"], turn["error"]) == ("ready", None)
    question, answer = turn["messages"]
    assert (question["role"], answer["role"]) == ("user", "assistant")
    assert answer["content"] == "".join(model_server.pieces)


def test_an_answer_arrives_with_sources_and_text(chat: Callable[..., Any]) -> None:
    (turn,) = chat(KEYS)
    assert (turn["status"], turn["error"]) == ("ready", None)
    answer = turn["messages"][-1]
    assert answer["role"] == "assistant"
    assert answer["content"].startswith(ShellTexts().quoted)
    assert "1. Open **Settings**" in answer["content"]
    sources = [part["source"] for part in parts_of(turn, "source")]
    assert sources[0]["url"].startswith(f"{SITE}/guides/keys#create-a-key:~:text=To%20create")
    assert sources[0]["sourceType"] == "url"
    assert [part["text"] for part in parts_of(turn, "text")] == [answer["content"]]


def test_the_thread_is_seen_in_every_way_there_is(chat: Callable[..., Any]) -> None:
    (turn,) = chat(KEYS)
    (event,) = turn["data"]
    assert event == {"type": "finish", "threadId": turn["threadId"]}
    (finish,) = turn["finished"]
    assert finish["annotations"] == [event]
    assert finish["finishReason"] == "stop"
    assert finish["usage"] == {"promptTokens": 0, "completionTokens": 0, "totalTokens": 0}
    assert finish["id"] == turn["messages"][-1]["id"]


def test_a_conversation_goes_on_in_its_thread(chat: Callable[..., Any]) -> None:
    first, second, third = chat(
        "What happens to webhooks that fail?", "and the signature?", "How do I bake bread?"
    )
    assert {turn["threadId"] for turn in (first, second, third)} == {first["threadId"]}
    cited = [part["source"]["id"] for part in parts_of(second, "source")]
    assert cited[0] == f"{SITE}/guides/webhooks#signatures"
    assert third["messages"][-1]["content"].startswith(NOT_COVERED)
    assert parts_of(third, "source") == []
    assert [message["role"] for message in third["messages"]] == ["user", "assistant"] * 3


def test_optional_fields_are_taken_from_the_hook(chat: Callable[..., Any]) -> None:
    (turn,) = chat(
        "In which format are labels printed as files?",
        body={
            "filter": {"version": "v1", "language": None},
            "currentPath": "/v1/labels",
            "context": [{"type": "code", "value": "label.print()", "path": "/v1/labels"}],
            "threadId": None,
        },
    )
    assert [part["source"]["id"] for part in parts_of(turn, "source")] == [f"{SITE}/v1/labels"]


def test_a_client_that_sends_no_message_ids_gets_an_error(chat: Callable[..., Any]) -> None:
    (turn,) = chat(KEYS, options={"sendExtraMessageFields": False})
    assert turn["status"] == "error"
    assert "messages.0.id" in json.loads(turn["error"])["error"]


def test_a_wrong_key_is_reported(chat_client: ChatClient, url: str) -> None:
    (turn,) = chat_client("chat", url=url, key="wrong", questions=[KEYS])["turns"]
    assert turn["status"] == "error"
    assert json.loads(turn["error"]).keys() == {"error"}


def test_words_of_a_model_stream(
    chat_with_model: Callable[..., Any], model_server: ChatServer
) -> None:
    model_server.pieces = [f"word{number} " for number in range(40)]
    model_server.pause_seconds = 0.005
    (turn,) = chat_with_model(KEYS)
    assert turn["messages"][-1]["content"] == "".join(model_server.pieces)
    assert parts_of(turn, "source")


def test_code_and_tables_of_a_model_arrive_whole(
    chat_client: ChatClient, harness: Any, serve: Callable[..., str], model_server: ChatServer
) -> None:
    model_server.pieces = RICH
    checked = ModelAnswerer(OpenAICompatible(model_server.url, "key", "tiny"))
    url = serve(harness.app(answerer=checked)) + PATH
    (turn,) = chat_client("chat", url=url, key=harness.key(), questions=[RICH_QUESTION])["turns"]
    content = turn["messages"][-1]["content"]
    assert (turn["status"], turn["error"]) == ("ready", None)
    assert CODE in content
    assert TABLE in content
    assert len(parts_of(turn, "source")) == 2


def test_an_answer_that_breaks_off_keeps_what_came(
    chat_with_model: Callable[..., Any], model_server: ChatServer
) -> None:
    model_server.pieces, model_server.breaks_after = ["Open ", "the ", "x"], 2
    (turn,) = chat_with_model(KEYS)
    assert turn["status"] == "error"
    assert "interrupted" in turn["error"]
    assert turn["messages"][-1]["content"] == "Open the"
    assert turn["finished"] == []
    assert turn["data"][-1] == {"type": "finish", "threadId": turn["threadId"]}


def test_a_client_of_several_steps_does_not_repeat_a_question_that_failed_after_a_tool(
    chat_client: ChatClient, harness: Any, serve: Callable[..., str], model_server: ChatServer
) -> None:
    search = Call("search_documentation", {"query": "API key"})
    model_server.rules = [
        Rule(lambda said: not said.used, Reply(calls=(search,))),
        Rule("", Reply(status=401, error="Incorrect API key")),
    ]
    model = OpenAICompatible(model_server.url, "key", "tiny")
    answerer = ModelAnswerer(model, AnswerOptions(falls_back=False, suggests=False))
    url = serve(harness.app(answerer=answerer)) + PATH
    request = {"url": url, "key": harness.key(), "questions": [KEYS]}
    (turn,) = chat_client("chat", **request, options={"maxSteps": 3})["turns"]
    assert turn["status"] == "error"
    assert [part["toolInvocation"]["state"] for part in parts_of(turn, "tool-invocation")] == [
        "result"
    ]
    assert len(model_server.conversations) == 2
    assert len(turn["data"]) == 1


def test_after_a_stop_the_conversation_goes_on(
    chat_with_model: Callable[..., Any], model_server: ChatServer
) -> None:
    model_server.pieces, model_server.pause_seconds = ["word "] * 40, 0.02
    first, second = chat_with_model(KEYS, "And what else?", stop=True)
    assert (first["status"], second["status"]) == ("ready", "ready")
    assert first["messages"][-1]["content"].startswith("word")
    assert len(second["messages"]) == 4


def test_an_answer_is_regenerated_in_its_thread(
    chat_with_model: Callable[..., Any], model_server: ChatServer
) -> None:
    replies = iter([Reply("First words."), Reply("Other words."), Reply("Last words.")])
    model_server.rules = [Rule(lambda _: True, lambda _: next(replies))]
    first, again = chat_with_model(KEYS, regenerate=True)
    assert (again["status"], again["error"]) == ("ready", None)
    assert [message["role"] for message in again["messages"]] == ["user", "assistant"]
    assert first["messages"][-1]["content"].startswith("First words.")
    assert again["messages"][-1]["content"].startswith("Other words.")
    assert again["threadId"] == first["threadId"]
    said = "\n".join(turn.text for turn in model_server.conversations[-1].messages)
    assert "First words." not in said


def test_the_function_without_a_framework(chat_client: ChatClient, harness: Any, url: str) -> None:
    message = {"id": "1", "role": "user", "content": KEYS, "parts": []}
    body = {"fp": "anonymous", "messages": [message]}
    result = chat_client("call", url=url, key=harness.key(), body=body)
    assert result["error"] is None
    assert result["headers"]["x-vercel-ai-data-stream"] == "v1"
    assert result["last"]["data"] == [
        {"type": "finish", "threadId": result["headers"]["x-thread-id"]}
    ]
    assert result["finish"]["message"]["content"] == result["last"]["content"]


def test_a_contradicted_sentence_is_data_and_the_text_is_whole(
    chat_client: ChatClient, harness: Any, serve: Callable[..., str], judging_answerer: Answerer
) -> None:
    url = serve(harness.app(answerer=judging_answerer)) + PATH
    [turn] = chat_client("chat", url=url, key=harness.key(), questions=[KEYS])["turns"]
    assert (turn["status"], turn["error"]) == ("ready", None)
    assert turn["messages"][-1]["content"].endswith("Hand it to everybody.")
    [found] = [each["value"] for each in turn["data"] if each["type"] == "contradicted"]
    assert found["sentence"] == "Hand it to everybody."
    assert found["url"] == f"{SITE}/guides/keys#create-a-key"
    assert turn["data"][-1]["type"] == "finish"
