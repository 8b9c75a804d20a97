"""Answers of models that keep to no form: JSON, echoes, further questions, files."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from chat_server import ChatServer, Reply, Rule
from docstead.assistant.writing.reply_formats import (
    NEXT_MARK,
    FurtherQuestions,
    may_be_object,
    unwrapped,
)
from docstead.models.chat import InputFile

Ask = Callable[..., Any]
KEYS = "How do I create an API key?"
COPY = "Copy the key."
RULE = "Every sentence is checked against the passages; what they do not support is removed."


@pytest.mark.parametrize("key", ["answer", "text"])
@pytest.mark.parametrize("fence", ["", "```json\n"])
def test_an_answer_within_json_is_taken_out(
    ask_model: Ask, model_server: ChatServer, key: str, fence: str
) -> None:
    answer = json.dumps({key: f"{COPY}\n\n- It is shown once.", "sources": [1]}, indent=1)
    model_server.pieces = [*(f"{fence}{answer}\n```" if fence else answer)]
    shown = ask_model(KEYS)
    assert shown.text.startswith("Copy the key.")
    assert "- It is shown once." in shown.text
    assert "{" not in shown.text


def test_other_openings_are_not_held() -> None:
    assert may_be_object('{ "ans')
    assert may_be_object("```js")
    assert may_be_object('```json\n{"answer": "')
    assert not may_be_object("`KEY` is")
    assert not may_be_object('{"port": 80')
    assert not may_be_object("```bash\npip")
    assert unwrapped('{"port": 80}') == '{"port": 80}'
    assert unwrapped('{"answer": "cut') == '{"answer": "cut'


def test_the_question_is_not_repeated(ask_model: Ask, model_server: ChatServer) -> None:
    model_server.pieces = [f"{KEYS} {KEYS} ", COPY]
    answer = ask_model(KEYS)
    assert answer.text.startswith(COPY)
    assert answer.data("checks")["unsupported"] == 0


def test_a_sentence_that_only_names_passages_is_left_out(
    ask_model: Ask, model_server: ChatServer
) -> None:
    model_server.pieces = ["See [1] and [7] and [99]. ", COPY]
    assert ask_model(KEYS).text.startswith(COPY)


def test_further_questions_of_the_model_are_suggested(
    ask_model: Ask, model_server: ChatServer
) -> None:
    asked = "- How do I revoke it?\n2. How long is it shown?\nWho may do so?\nAnd a fourth?"
    model_server.pieces = [*f"{COPY}\n\n[next]\n{asked}"]
    answer = ask_model(KEYS)
    assert answer.data("suggestions") == [
        "How do I revoke it?",
        "How long is it shown?",
        "Who may do so?",
    ]
    assert "[next" not in answer.text
    assert "revoke" not in answer.text


def test_further_questions_have_no_links_and_no_rules(
    ask_model: Ask, model_server: ChatServer
) -> None:
    asked = f"See [this](https://evil.example)?\nhttps://evil.example\n<b>Why?</b>\n{RULE}\nWhy so?"
    model_server.pieces = [f"{COPY}\n\n{NEXT_MARK}\n{asked}"]
    assert ask_model(KEYS).data("suggestions") == ["Why so?"]


def test_what_only_begins_like_the_mark_is_said() -> None:
    further = FurtherQuestions()
    said = further.add("See [ne") + further.add("w] keys [") + further.rest()
    assert said == "See [new] keys ["
    assert further.questions == []


def test_a_question_that_is_not_covered_is_searched_in_other_words(
    ask_model: Ask, model_server: ChatServer
) -> None:
    model_server.rules = [
        Rule(
            lambda said: said.messages[0].text.startswith("Write the reader's question"),
            Reply("How do I create an API key?"),
        ),
        Rule("", Reply("Du kopierst den Schlüssel.")),
    ]
    ask_model("Wie lege ich einen Schlüssel an?")
    asked = model_server.last_messages[-1]["content"]
    assert "[1] API keys › Create a key" in asked
    assert asked.endswith("Question: Wie lege ich einen Schlüssel an?")


def test_files_reach_a_model_that_takes_them(ask_model: Ask, model_server: ChatServer) -> None:
    model_server.pieces = [COPY]
    ask_model(KEYS, files=(InputFile("shot.png", "image/png", b"png"),))
    assert "shot.png" in json.dumps(model_server.last_messages[-1])
