"""Search with questions that a model rewrites."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from chat_server import ChatServer, Reply, Rule, held
from docstead.assistant import model_search
from docstead.assistant.answer_parts import found_for

Ask = Callable[..., Any]
RETRIES = "[1] Webhooks › Retries"


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Event that is set when the first search has ended."""
    done = Event()

    def search(*arguments: Any) -> Any:
        found = found_for(*arguments)
        done.set()
        return found

    monkeypatch.setattr(model_search, "found_for", search)
    return done


@pytest.mark.parametrize(
    ("texts", "rules"),
    [
        (
            ("What do webhooks do?", "They tell you.", "And how often?"),
            'Write the reader\'s last question in the language "en"',
        ),
        (
            ("Wie oft wird ein Webhook wiederholt, der fehlschlägt?",),
            'Write the reader\'s question in the language "en"',
        ),
    ],
)
def test_the_question_is_searched_for_while_the_model_rewrites_it(
    ask_model: Ask,
    model_server: ChatServer,
    searched: Event,
    texts: tuple[str, ...],
    rules: str,
) -> None:
    rewritten = Reply("How often is a webhook retried?")
    model_server.rules = [
        Rule(lambda said: said.messages[0].text.startswith(rules), held(searched, rewritten)),
        Rule("", Reply("It is retried eight times over one day.")),
    ]
    ask_model(*texts)
    asked = model_server.last_messages[-1]["content"]
    assert RETRIES in asked
    assert asked.endswith(f"Question: {texts[-1]}")


def test_a_rewriting_that_is_not_covered_does_not_count(
    ask_model: Ask, model_server: ChatServer
) -> None:
    model_server.rules = [
        Rule("Last question", Reply("Which fish live in the sea?")),
        Rule("", Reply("Eight times.")),
    ]
    ask_model("What do webhooks do?", "They tell you.", "How often is a webhook retried?")
    assert RETRIES in model_server.last_messages[-1]["content"]


def test_thanks_are_not_rewritten(ask_model: Ask, model_server: ChatServer) -> None:
    model_server.pieces = ["You are welcome!"]
    ask_model("What do webhooks do?", "They tell you.", "Thanks!")
    assert len(model_server.requests) == 1


def test_the_outline_stands_behind_the_rules(ask_model: Ask, model_server: ChatServer) -> None:
    model_server.pieces = ["Copy the key."]
    ask_model("How do I create an API key?")
    system = model_server.last_messages[0]["content"]
    assert "<outline>\n- Labels: /v2/labels\n</outline>" in system
    assert "v1/labels" not in system
