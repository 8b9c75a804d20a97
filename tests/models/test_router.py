"""Fall-back order, attempts and rests, over real clients of scripted servers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from chat_server import ChatServer, Reply, Rule, chat_server
from docstead.base.errors import (
    InvalidRequest,
    ModelError,
    ModelMisconfigured,
    ModelRateLimited,
    ModelUnreachable,
)
from docstead.models.catalog import ModelCatalog, ModelEntry, ModelPrices
from docstead.models.chat import ChatMessage, ChatModel, ChatRole, ModelUsage
from docstead.models.completion import Completion, complete
from docstead.models.openai_compatible import OpenAICompatible
from docstead.models.router import RetryPolicy, Router

QUESTION = (ChatMessage(ChatRole.USER, "Hello?"),)
DOWN = Reply(status=500, error="down")


@pytest.fixture
def second() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def router(server: ChatServer, second: ChatServer, waits: list[float]) -> Router:
    server.pieces, second.pieces = ["first"], ["second"]

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    models = [OpenAICompatible(each.url, "key", "tiny") for each in (server, second)]
    return Router(models, RetryPolicy(), sleep)


def catalog_of(*servers: ChatServer) -> ModelCatalog:
    return ModelCatalog(
        [
            ModelEntry(f"m{position}", "openai", server.url, "tiny", prices=ModelPrices(2, 10))
            for position, server in enumerate(servers, 1)
        ]
    )


def answered(model: ChatModel) -> Completion:
    async def ask() -> Completion:
        try:
            return await complete(model, QUESTION)
        finally:
            await model.close()

    return asyncio.run(ask())


def script(server: ChatServer, *replies: Reply) -> None:
    server.rules = [Rule("", reply, times=1) for reply in replies]


def test_the_first_model_answers(router: Router, second: ChatServer) -> None:
    assert answered(router).text == "first"
    assert not second.requests


def test_a_model_that_stumbles_is_asked_again(
    router: Router, server: ChatServer, waits: list[float]
) -> None:
    script(server, DOWN, Reply())
    assert answered(router).text == "first"
    assert len(server.requests) == 3
    assert 0 < waits[0] < waits[1] < 2


def test_a_model_that_is_down_gives_way_and_rests(
    router: Router, server: ChatServer, second: ChatServer
) -> None:
    script(server, DOWN, DOWN, DOWN)
    assert answered(router).text == "second"
    assert len(server.requests) == 3
    assert answered(router).text == "second"
    assert len(server.requests) == 3


def test_models_that_rest_are_asked_when_no_other_is_left(
    router: Router, server: ChatServer, second: ChatServer
) -> None:
    script(server, DOWN, DOWN, DOWN)
    answered(router)
    script(second, DOWN, DOWN, DOWN)
    assert answered(router).text == "first"


@pytest.mark.parametrize("status", [400, 401, 402])
def test_what_would_fail_again_is_not_tried_again(
    router: Router, server: ChatServer, status: int
) -> None:
    script(server, Reply(status=status, error="no"))
    assert answered(router).text == "second"
    assert len(server.requests) == 1


def test_a_refusal_says_nothing_of_the_models_health(router: Router, server: ChatServer) -> None:
    script(server, Reply("I ", finish="content_filter"))
    with pytest.raises(ModelError):
        answered(router)
    assert answered(router).text == "first"


def test_the_provider_says_how_long_to_wait(
    router: Router, server: ChatServer, waits: list[float]
) -> None:
    script(server, Reply(status=429, error="slow", headers={"retry-after": "3"}))
    assert answered(router).text == "first"
    assert waits == [3]


def test_nobody_waits_for_long(router: Router, server: ChatServer, waits: list[float]) -> None:
    script(server, Reply(status=429, error="slow", headers={"retry-after": "300"}))
    assert answered(router).text == "second"
    assert waits == []


def test_an_answer_that_has_begun_is_not_begun_again(
    router: Router, server: ChatServer, second: ChatServer
) -> None:
    script(server, Reply("half", "of", "it", breaks_after=1))
    with pytest.raises(ModelError):
        answered(router)
    assert not second.requests


def test_when_all_fail_the_last_error_is_reported(
    router: Router, server: ChatServer, second: ChatServer
) -> None:
    script(server, Reply(status=401, error="wrong key"))
    script(second, DOWN, DOWN, DOWN)
    with pytest.raises(ModelUnreachable):
        answered(router)


class TestCatalog:
    def test_models_stand_in_for_each_other_in_the_order_given(
        self, server: ChatServer, second: ChatServer
    ) -> None:
        second.pieces = ["second"]
        script(server, Reply(status=401, error="wrong key"))
        model = catalog_of(server, second).model("m1", "m2")
        assert model is not None
        assert model.name == "m1"
        assert answered(model).text == "second"

    def test_an_unknown_name_is_reported(self, server: ChatServer) -> None:
        with pytest.raises(InvalidRequest, match=r"no model 'big' \(m1\)"):
            catalog_of(server).model("big")

    def test_no_name_is_no_model(self, server: ChatServer) -> None:
        assert catalog_of(server).model() is None

    def test_the_usage_names_the_model_that_was_paid(
        self, server: ChatServer, second: ChatServer
    ) -> None:
        script(server, Reply(status=402, error="no credit"))
        script(second, Reply("second", usage=(1_000_000, 100_000)))
        catalog = catalog_of(server, second)
        usage = answered(catalog.model("m1", "m2")).usage
        assert usage == ModelUsage(1_000_000, 100_000, model="m2")
        assert catalog.cost(usage) == 3.0

    def test_remembered_input_costs_less_where_it_does(self) -> None:
        usage = ModelUsage(1_000_000, 0, cached_tokens=500_000)
        entry = ModelEntry("m", "openai", "http://x", "m", prices=ModelPrices(2))
        assert entry.prices.cost(usage) == 2.0
        cheap = ModelEntry("m", "openai", "http://x", "m", prices=ModelPrices(2, cached=0.2))
        assert cheap.prices.cost(usage) == 1.1
        written = ModelUsage(1_000_000, 0, written_tokens=500_000)
        assert ModelPrices(2, written=2.5).cost(written) == 2.25


@pytest.mark.parametrize("times", [0, 1])
def test_attempts_are_counted(times: int) -> None:
    retries = RetryPolicy(times=times)
    assert (retries.wait_seconds(0, ModelUnreachable()) is not None) == bool(times)
    assert retries.wait_seconds(times, ModelUnreachable()) is None
    assert retries.wait_seconds(0, ModelMisconfigured()) is None
    late = ModelRateLimited(retry_after_seconds=60)
    assert retries.wait_seconds(0, late) is None
