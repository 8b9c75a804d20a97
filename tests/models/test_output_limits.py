"""The limit of an answer has two names among servers of OpenAI's protocol."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from chat_server import ChatRequest, ChatServer, Reply, Rule, chat_server
from docstead.base.errors import ModelMisconfigured
from docstead.models.chat import ChatMessage, ChatRole
from docstead.models.completion import CompletionClient
from docstead.models.openai_compatible import OpenAICompatible

NEWER, OLDER = "max_completion_tokens", "max_tokens"
QUESTION = (ChatMessage(ChatRole.USER, "Hello?"),)
# platform.openai.com/docs/api-reference/chat, `max_tokens`: "not compatible with o-series models"
REASONING = (
    "Unsupported parameter: 'max_tokens' is not supported with this model. "
    "Use 'max_completion_tokens' instead."
)
UNRECOGNIZED = "Unrecognized request argument supplied: max_completion_tokens"
EXTRA = "[{'loc': ('body', 'max_completion_tokens'), 'msg': 'Extra inputs are not permitted'}]"
TOO_LARGE = "max_completion_tokens is too large: 90000. This model supports at most 16384 tokens."


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


def asked(server: ChatServer, times: int = 1, **more: Any) -> list[str]:
    """The names of the limit in the requests of a model that is asked so many times."""
    model = CompletionClient(OpenAICompatible(server.url, "key", "tiny", **more))
    try:
        for _ in range(times):
            model.complete(QUESTION, max_output_tokens=50)
    finally:
        model.close()
    return [name for request in server.requests for name in (NEWER, OLDER) if name in request]


def test_a_reasoning_model_refuses_nothing(server: ChatServer) -> None:
    def reply(_: ChatRequest) -> Reply:
        is_refused = OLDER in server.requests[-1]
        return Reply(status=400, error=REASONING) if is_refused else Reply("Hello")

    server.rules = [Rule("", reply)]
    assert asked(server, 3) == [NEWER] * 3


@pytest.mark.parametrize(("status", "words"), [(400, UNRECOGNIZED), (422, EXTRA)])
def test_a_server_that_refuses_the_newer_name_gets_the_older_one(
    server: ChatServer, status: int, words: str
) -> None:
    server.rules = [Rule("", Reply(status=status, error=words), times=1)]
    assert asked(server, 3) == [NEWER, OLDER, OLDER, OLDER]
    assert server.requests[1][OLDER] == 50


def test_a_server_that_ignores_the_newer_name_gets_the_older_one(server: ChatServer) -> None:
    server.rules = [Rule("", Reply("So long", usage=(9, 51)), times=1)]
    assert asked(server, 3) == [NEWER, OLDER, OLDER]


def test_pieces_count_where_the_server_counts_no_tokens(server: ChatServer) -> None:
    server.rules = [Rule("", Reply(*["word "] * 51), times=1)]
    assert asked(server, 3) == [NEWER, OLDER, OLDER]


def test_an_answer_within_the_limit_changes_no_name(server: ChatServer) -> None:
    server.rules = [Rule("", Reply("Short", usage=(9, 50)))]
    assert asked(server, 2) == [NEWER, NEWER]


def test_a_limit_that_is_too_large_is_not_sent_again(server: ChatServer) -> None:
    server.rules = [Rule("", Reply(status=400, error=TOO_LARGE))]
    with pytest.raises(ModelMisconfigured) as failure:
        asked(server)
    assert "too large" in failure.value.detail
    assert len(server.requests) == 1


def test_an_option_replaces_the_limit(server: ChatServer) -> None:
    assert asked(server, options={OLDER: 7}) == [OLDER]
    assert server.requests[0][OLDER] == 7
