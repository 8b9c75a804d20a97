"""Unusual questions and unusual answers, with a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chat_server import ChatServer, Reply, Rule

Ask = Callable[..., Any]
KEYS = "How do I create an API key?"
LIMITS = "What are the rate limits?"
TABLE = (
    "| Operation | Limit |\n| --- | --- |\n"
    "| Send parcel | 100 per minute |\n| List parcels | 600 per minute |\n"
)
ZONE = "An error: The zone does not exist."


def test_numbers_of_passages_that_were_not_given_are_no_sources(
    ask_model: Ask, model_server: ChatServer
) -> None:
    model_server.pieces = ["Copy the key [42]. It is shown once [7, 99]."]
    answer = ask_model(KEYS)
    assert answer.text.startswith("Copy the key. [1](https://")
    assert "42" not in answer.text
    assert answer.locations == ["https://parcelo.example.com/guides/keys#create-a-key"]


def test_an_answer_in_several_languages_stays(ask_model: Ask, model_server: ChatServer) -> None:
    model_server.pieces = ["Copy the key [1]. Kopieren Sie den Schlüssel [1]. 复制密钥 [1]。"]
    answer = ask_model(KEYS)
    for sentence in ("Copy the key.", "Kopieren Sie den Schlüssel.", "复制密钥"):
        assert sentence in answer.text


def test_a_table_that_comes_cell_by_cell_is_whole(ask_model: Ask, model_server: ChatServer) -> None:
    wrong = "| Weigh parcel | 700 per minute |\n"
    model_server.pieces = [f"{each}|" for each in f"{TABLE}{wrong}\n".split("|")[:-1]] + ["\n\n"]
    answer = ask_model(LIMITS)
    assert TABLE in answer.text
    assert "700" not in answer.text


@pytest.mark.parametrize("answer", [Reply(reasoning=("Copy the key.",)), Reply("<think>Copy it.")])
def test_an_answer_within_the_reasoning_is_replaced_by_quotes(
    ask_model: Ask, model_server: ChatServer, answer: Reply
) -> None:
    model_server.rules = [Rule("", answer)]
    assert ask_model(KEYS).text.startswith("Quoted from the documentation:")


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        (
            "".join(f"2026-11-25 10:00:{n % 60:02} INFO step {n} done\n" for n in range(1_000))
            + f"422 {ZONE}\nWhat does this error mean?",
            ZONE,
        ),
        ("422", ZONE),
        (
            "hwo cna I craete an API kye adn wehre are teh settigns adn hte kyes fro it",
            "Open **Settings** and choose *Keys*.",
        ),
    ],
    ids=["log of 40,000 characters", "error code", "twelve slips"],
)
def test_the_model_gets_the_passage_for_an_unusual_question(
    ask_model: Ask, model_server: ChatServer, question: str, passage: str
) -> None:
    model_server.pieces = ["It is described there."]
    answer = ask_model(question)
    asked = model_server.last_messages[-1]["content"]
    assert passage in asked.partition("</documentation>")[0]
    assert asked.endswith(f"Question: {question}")
    assert answer.is_finished


def test_of_a_question_of_megabytes_the_model_gets_both_ends(
    ask_model: Ask, model_server: ChatServer
) -> None:
    """Its tokens were paid, and each sentence of the answer was compared with all of it."""
    model_server.pieces = ["It is described there."]
    answer = ask_model(f"The log: {'INFO step done. ' * 100_000}What does the error 422 mean?")
    _, _, asked = model_server.last_messages[-1]["content"].partition("Question: ")
    assert len(asked) == 64_001
    assert asked.startswith("The log: INFO")
    assert asked.endswith("What does the error 422 mean?")
    assert answer.is_finished
