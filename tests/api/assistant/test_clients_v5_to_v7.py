"""The published chat clients of versions 5, 6 and 7 against a running service."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from chat_server import Call, ChatServer, Reply, Rule
from docstead.assistant.answer_task import Answerer, AnswerOptions
from docstead.assistant.answering import ModelAnswerer
from docstead.base.features import ALL_FEATURES
from docstead.markup.words import ShellTexts
from docstead.models.openai_compatible import OpenAICompatible
from rich_answer import CODE, RICH, RICH_QUESTION, TABLE

NOT_COVERED = ShellTexts().not_covered
ChatClient = Callable[..., dict[str, Any]]
PATH = "/discovery/v2/assistant/parcelo/message"
KEYS = "How do I create an API key?"
SITE = "https://parcelo.example.com"
CHAT = "chat-0123456789abcdef"
FIRST = ("chat-5.0.0", "chat-6.0.0", "chat-7.0.0")
LAST = ("chat-5", "chat-6", "chat-7")


@pytest.fixture(params=[*(pytest.param(each, marks=pytest.mark.deep) for each in FIRST), *LAST])
def release(request: pytest.FixtureRequest) -> str:
    """A release of the client, by the name that it is installed under."""
    return request.param


@pytest.fixture
def talk(chat_client: ChatClient, harness: Any, release: str) -> Callable[..., dict[str, Any]]:
    """A conversation by the hook of the release."""

    def talk(url: str, *questions: str, **more: Any) -> dict[str, Any]:
        asked = {"client": release, "url": url, "key": harness.key(), "questions": questions}
        return chat_client("uiChat", **{**asked, "id": CHAT, **more})

    return talk


@pytest.fixture
def slow(harness: Any, serve: Callable[..., str], model_server: ChatServer) -> str:
    """The URL of a service whose model takes its time."""
    model_server.pieces = [f"word{number} " for number in range(30)]
    model_server.pause_seconds = 0.01
    return serve(harness.app(OpenAICompatible(model_server.url, "key", "tiny"))) + PATH


def said(turn: dict[str, Any]) -> str:
    return "".join(part["text"] for part in parts(turn, "text"))


def parts(turn: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [part for part in turn["messages"][-1]["parts"] if part["type"] == kind]


@pytest.mark.parametrize("release", [*FIRST, *LAST], indirect=True)
def test_a_conversation_with_sources_goes_on_in_its_thread(
    talk: Callable[..., Any], harness: Any, serve: Callable[..., str]
) -> None:
    url = serve(harness.app()) + PATH
    first, second, third = talk(
        url, KEYS, "What happens to webhooks that fail?", "How do I bake bread?"
    )["turns"]
    for turn in (first, second, third):
        assert (turn["status"], turn["error"]) == ("ready", None)
        (finished,) = turn["finished"]
        assert finished["id"] == turn["messages"][-1]["id"]
    assert said(first).startswith(ShellTexts().quoted)
    assert parts(first, "source-url")[0]["sourceId"] == f"{SITE}/guides/keys#create-a-key"
    assert [part["state"] for part in parts(first, "text")] == ["done"]
    assert said(third).startswith(NOT_COVERED)
    assert parts(third, "source-url") == []
    threads = {turn["messages"][-1]["metadata"]["threadId"] for turn in (first, second, third)}
    assert len(threads) == 1
    assert first["messages"][-1]["metadata"]["finishReason"] == "stop"
    assert [message["role"] for message in third["messages"]] == ["user", "assistant"] * 3


@pytest.mark.parametrize(
    "cut", [1, pytest.param(150, marks=pytest.mark.deep), 900]
)  # bytes: in the first line, in the text
def test_a_torn_stream_is_resumed(
    talk: Callable[..., Any], slow: str, release: str, model_server: ChatServer, cut: int
) -> None:
    answer = talk(slow, KEYS, cutAfter=cut, forget=release in FIRST)
    (turn,) = answer["turns"]
    assert turn["before"]["status"] == "error"
    assert (turn["status"], turn["error"]) == ("ready", None)
    assert said(turn) == "".join(model_server.pieces)
    assert [message["role"] for message in turn["messages"]] == ["user", "assistant"]
    assert answer["log"][-1] == {"url": f"{slow}/{CHAT}/stream", "status": 200}


def test_an_answer_that_breaks_off_names_its_thread(
    talk: Callable[..., Any], harness: Any, serve: Callable[..., str], model_server: ChatServer
) -> None:
    model_server.pieces, model_server.breaks_after = ["Open ", "the ", "x"], 2
    url = serve(harness.app(OpenAICompatible(model_server.url, "key", "tiny"))) + PATH
    (turn,) = talk(url, KEYS)["turns"]
    assert turn["status"] == "error"
    assert "interrupted" in turn["error"]
    metadata = turn["messages"][-1]["metadata"]
    assert metadata.pop("threadId")
    assert metadata == {"finishReason": "error"}


def test_nothing_to_resume_is_no_error(
    chat_client: ChatClient, harness: Any, serve: Callable[..., str], release: str
) -> None:
    url = serve(harness.app()) + PATH
    answer = chat_client(
        "uiResume", client=release, url=url, key=harness.key(), id="a-chat-that-nobody-had"
    )
    # The very first release waits indefinitely after a 204.
    status = "submitted" if release == "chat-5.0.0" else "ready"
    assert answer == {"status": status, "error": None, "messages": []}


def test_a_page_that_is_opened_again_shows_the_answer_once(
    talk: Callable[..., Any],
    chat_client: ChatClient,
    harness: Any,
    serve: Callable[..., str],
    release: str,
) -> None:
    url = serve(harness.app()) + PATH
    (turn,) = talk(url, KEYS)["turns"]
    kept = turn["messages"][:1] if release in FIRST else turn["messages"]
    again = chat_client(
        "uiResume", client=release, url=url, key=harness.key(), id=CHAT, messages=kept
    )
    assert (again["status"], again["error"]) == ("ready", None)
    assert [len(message["parts"]) for message in again["messages"]] == [
        len(message["parts"]) for message in turn["messages"]
    ]
    assert said(again) == said(turn)


def test_code_and_tables_of_a_model_arrive_whole(
    talk: Callable[..., Any], harness: Any, serve: Callable[..., str], model_server: ChatServer
) -> None:
    model_server.pieces = RICH
    checked = ModelAnswerer(OpenAICompatible(model_server.url, "key", "tiny"))
    (turn,) = talk(serve(harness.app(answerer=checked)) + PATH, RICH_QUESTION)["turns"]
    assert (turn["status"], turn["error"]) == ("ready", None)
    assert CODE in said(turn)
    assert TABLE in said(turn)
    assert len(parts(turn, "source-url")) == 2


def test_an_answer_that_breaks_off_keeps_what_came(
    talk: Callable[..., Any], slow: str, model_server: ChatServer
) -> None:
    model_server.pieces, model_server.breaks_after = ["Open ", "the ", "x"], 2
    (turn,) = talk(slow, KEYS)["turns"]
    assert turn["status"] == "error"
    assert turn["error"]
    assert said(turn) == "Open the"


def test_after_a_stop_the_conversation_goes_on(
    talk: Callable[..., Any], slow: str, model_server: ChatServer
) -> None:
    model_server.pause_seconds = 0.03
    first, second = talk(slow, KEYS, "And what else?", stop=True)["turns"]
    assert (first["status"], second["status"]) == ("ready", "ready")
    assert said(first).startswith("word")
    assert len(second["messages"]) == 4


def test_an_answer_is_regenerated_in_its_thread(
    talk: Callable[..., Any], slow: str, model_server: ChatServer
) -> None:
    model_server.pause_seconds = 0
    replies = iter([Reply("First words."), Reply("Other words."), Reply("Last words.")])
    model_server.rules = [Rule(lambda _: True, lambda _: next(replies))]
    first, again = talk(slow, KEYS, regenerate=True)["turns"]
    assert (again["status"], again["error"]) == ("ready", None)
    assert [message["role"] for message in again["messages"]] == ["user", "assistant"]
    assert (said(first), said(again)) == ("First words.", "Other words.")
    (finished,) = again["finished"]
    assert finished["metadata"]["threadId"] == first["messages"][-1]["metadata"]["threadId"]
    seen = "\n".join(turn.text for turn in model_server.conversations[-1].messages)
    assert "First words." not in seen


def test_tool_parts_are_shown_and_may_be_sent_back(
    talk: Callable[..., Any], harness: Any, serve: Callable[..., str], model_server: ChatServer
) -> None:
    model = OpenAICompatible(model_server.url, "key", "tiny")
    answerer = ModelAnswerer(model, AnswerOptions(falls_back=False, suggests=False))
    url = serve(harness.app(answerer=answerer)) + PATH
    search = Call("search_documentation", {"query": "API key"})
    model_server.rules = [
        Rule(lambda said: not said.used, Reply(calls=(search,))),
        Rule(lambda _: True, Reply("Some words.")),
    ]
    first, second = talk(url, KEYS, "And what else?")["turns"]
    assert (first["error"], second["error"]) == (None, None)
    (tool,) = parts(first, "tool-search_documentation")
    assert (tool["state"], tool["input"]) == ("output-available", {"query": "API key"})
    assert tool["output"]["pages"] == [f"{SITE}/guides/keys"]
    assert len(parts(second, "tool-search_documentation")) == 1


def test_a_refusal_is_reported(
    talk: Callable[..., Any], harness: Any, serve: Callable[..., str]
) -> None:
    url = serve(harness.app()) + PATH
    (turn,) = talk(url, KEYS, body={"currentPath": "/" * 201})["turns"]
    assert turn["status"] == "error"
    assert "currentPath" in json.loads(turn["error"])["error"]


def test_a_limit_is_reported_with_the_time_until_the_next_question(
    talk: Callable[..., Any], harness: Any, serve: Callable[..., str]
) -> None:
    url = serve(harness.app(limits={"assistant-organization": 1})) + PATH
    answer = talk(url, KEYS, KEYS)
    first, second = answer["turns"]
    assert [each["status"] for each in answer["log"]] == [200, 429]
    assert (first["status"], second["status"]) == ("ready", "error")
    assert "1 request" in json.loads(second["error"])["error"]
    assert said({"messages": second["messages"][:2]}) == said(first)  # it is still there


def test_a_switched_off_assistant_says_so(
    talk: Callable[..., Any], harness: Any, serve: Callable[..., str]
) -> None:
    url = serve(harness.app(features=replace(ALL_FEATURES, assistant=False))) + PATH
    (turn,) = talk(url, KEYS)["turns"]
    assert turn["status"] == "error"
    assert "assistant" in json.loads(turn["error"])["error"]


def test_a_contradicted_sentence_is_data_and_the_text_is_whole(
    talk: Callable[..., Any], harness: Any, serve: Callable[..., str], judging_answerer: Answerer
) -> None:
    [turn] = talk(serve(harness.app(answerer=judging_answerer)) + PATH, KEYS)["turns"]
    assert (turn["status"], turn["error"]) == ("ready", None)
    assert said(turn).endswith("Hand it to everybody.")
    [found] = [each["data"] for each in parts(turn, "data-contradicted")]
    assert found["sentence"] == "Hand it to everybody."
    assert found["url"] == f"{SITE}/guides/keys#create-a-key"
