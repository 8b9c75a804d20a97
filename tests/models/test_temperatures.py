"""Answers from passages are written at a low temperature, by the models that take one."""

from __future__ import annotations

from typing import Any

import pytest

from chat_server import ChatRequest, ChatServer, Reply, Rule
from docstead.base.errors import ModelMisconfigured
from docstead.models.catalog import ModelCatalog, ModelEntry
from docstead.models.chat import ChatMessage, ChatRole
from docstead.models.completion import CompletionClient
from docstead.models.known_models import known_model

QUESTION = (ChatMessage(ChatRole.USER, "Hello?"),)
OPENAI = "Unsupported value: 'temperature' does not support 0.2 with this model."
ANTHROPIC = "`temperature` is deprecated for this model."


def temperatures(
    server: ChatServer, provider: str, *, is_answer: bool = True, **more: Any
) -> list[float | None]:
    """The temperatures in the requests of a model that is asked twice."""
    url = server.url if provider == "openai" else server.anthropic_url
    entry = ModelEntry("own", provider, url, "tiny", **{"has_temperature": True, **more})
    catalog = ModelCatalog([entry])
    model = catalog.answering_model("own") if is_answer else catalog.model("own")
    assert model is not None
    completions = CompletionClient(model)
    try:
        for _ in range(2):
            completions.complete(QUESTION)
    finally:
        completions.close()
    return [request.get("temperature") for request in server.requests]


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_answers_have_a_low_one_and_other_work_none(server: ChatServer, provider: str) -> None:
    assert temperatures(server, provider) == [0.2, 0.2]
    server.requests.clear()
    assert temperatures(server, provider, is_answer=False) == [None, None]


@pytest.mark.parametrize(
    ("options", "sent"),
    [({"temperature": 0.7}, 0.7), ({"thinking": {"type": "adaptive"}}, None), ({"top_p": 1}, None)],
)
def test_options_decide(server: ChatServer, options: dict[str, Any], sent: float | None) -> None:
    assert temperatures(server, "anthropic", options=options) == [sent, sent]


@pytest.mark.parametrize(("provider", "words"), [("openai", OPENAI), ("anthropic", ANTHROPIC)])
def test_a_model_that_refuses_it_is_asked_without_one(
    server: ChatServer, provider: str, words: str
) -> None:
    def reply(_: ChatRequest) -> Reply:
        is_refused = "temperature" in server.requests[-1]
        return Reply(status=400, error=words) if is_refused else Reply("Hello")

    server.rules = [Rule("", reply)]
    assert temperatures(server, provider) == [0.2, None, None]


def test_other_refusals_are_not_tried_again(server: ChatServer) -> None:
    server.rules = [Rule("", Reply(status=400, error="The model does not exist."))]
    with pytest.raises(ModelMisconfigured):
        temperatures(server, "openai")
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("provider", "model", "takes_one"),
    [
        ("openai", "gpt-4.1-mini", True),
        ("openai", "gpt-5-mini-2025-08-07", False),
        ("openai", "gpt-5-chat-latest", True),
        ("openai", "o3-2025-04-16", False),
        ("openai", "google/gemini-3-pro", False),
        ("openai", "llama3.3", True),
        ("anthropic", "claude-sonnet-4-5", True),
        ("anthropic", "claude-opus-4-7", False),
        ("anthropic", "claude-sonnet-9", False),
        ("anthropic", "other", False),
    ],
)
def test_the_table_knows_who_takes_one(provider: str, model: str, takes_one: bool) -> None:
    assert known_model(provider, model).has_temperature is takes_one
