"""Models named by the settings, and the readers that each of them answers."""

from __future__ import annotations

from typing import Any

import pytest

from docstead.app.models import agent_models, assistant_models, catalog_of
from docstead.base.errors import InvalidRequest
from docstead.models.catalog import ModelPrices
from docstead.models.chat import ModelUsage
from docstead.settings import ModelSettings, Settings

LOCAL = ModelSettings(base_url="http://localhost:1/v1", model="tiny")
LARGE = ModelSettings(provider="anthropic", model="large")


def test_without_settings_there_is_no_model() -> None:
    assert catalog_of(Settings()).names == ()


def test_the_simple_settings_make_one_model() -> None:
    catalog = catalog_of(Settings(model_base_url="http://localhost:1/v1", model_name="tiny"))
    entry = catalog.entry("default")
    assert (entry.provider, entry.base_url, entry.model) == (
        "openai",
        "http://localhost:1/v1",
        "tiny",
    )


def test_tables_make_more_and_know_their_providers_url() -> None:
    settings = Settings(
        model_base_url="http://localhost:1/v1",
        model_name="tiny",
        models={"local": LOCAL, "large": LARGE},
    )
    catalog = catalog_of(settings)
    assert catalog.names == ("default", "local", "large")
    assert catalog.entry("large").base_url == "https://api.anthropic.com"
    assert assistant_models(settings, catalog) == agent_models(settings, catalog) == catalog.names


def test_deployments_may_have_models_of_their_own() -> None:
    settings = Settings(
        models={"local": LOCAL, "large": LARGE},
        assistant_models=("large", "local"),
        agent_models=("large",),
        deployment_models={"internal": ("local",), "quotes": ()},
    )
    catalog = catalog_of(settings)
    assert assistant_models(settings, catalog, "public") == ("large", "local")
    assert assistant_models(settings, catalog, "internal") == ("local",)
    assert assistant_models(settings, catalog, "quotes") == ()
    assert agent_models(settings, catalog) == ("large",)


@pytest.mark.parametrize("names", [("large", "judge"), ("judge", "large")])
def test_the_judge_is_no_fallback(names: tuple[str, ...]) -> None:
    settings = Settings(models=dict.fromkeys(names, LOCAL), assistant_judge="judge")
    catalog = catalog_of(settings)
    assert assistant_models(settings, catalog) == agent_models(settings, catalog) == ("large",)


def test_a_judge_answers_where_it_is_listed_or_the_only_model() -> None:
    only = Settings(models={"judge": LOCAL}, assistant_judge="judge")
    assert assistant_models(only, catalog_of(only)) == ("judge",)
    assert agent_models(only, catalog_of(only)) == ("judge",)
    listed = Settings(
        models={"large": LARGE, "judge": LOCAL},
        assistant_models=("large", "judge"),
        agent_models=("judge",),
        assistant_judge="judge",
    )
    assert assistant_models(listed, catalog_of(listed)) == ("large", "judge")
    assert agent_models(listed, catalog_of(listed)) == ("judge",)


@pytest.mark.parametrize(
    ("given", "setting"),
    [
        ({"model_base_url": "http://x/v1"}, "MODEL_NAME"),
        ({"model_name": "tiny"}, "MODEL_BASE_URL"),
        ({"models": {"local": LOCAL}, "assistant_models": ("lokal",)}, "ASSISTANT_MODELS"),
        ({"models": {"local": LOCAL}, "agent_models": ("lokal",)}, "AGENT_MODELS"),
        ({"assistant_judge": "local"}, "ASSISTANT_JUDGE"),
        ({"deployment_models": {"docs": ("local",)}}, "DEPLOYMENT_MODELS"),
        (
            {"model_base_url": "http://x", "model_name": "m", "models": {"default": LOCAL}},
            "MODELS",
        ),
    ],
)
def test_settings_that_do_not_fit_are_named(given: dict[str, object], setting: str) -> None:
    with pytest.raises(InvalidRequest, match=f"DOCSTEAD_{setting}"):
        catalog_of(Settings(**given))


def test_windows_limits_and_prices_of_known_models_need_no_setting() -> None:
    tables: dict[str, Any] = {
        "claude": {"provider": "anthropic", "model": "claude-sonnet-4-5-20250929"},
        "new": {"provider": "anthropic", "model": "claude-next-9"},
        "gateway": {"base_url": "http://localhost:1/v1", "model": "openai/gpt-5-mini"},
        "own": {"base_url": "http://localhost:1/v1", "model": "house-model"},
        "set": {"model": "gpt-4o", "context_tokens": 9_000, "input_price": 1.0},
    }
    catalog = catalog_of(Settings(models=tables))
    claude = catalog.entry("claude")
    assert (claude.context_tokens, claude.max_output_tokens) == (200_000, 64_000)
    assert claude.prices.cost(ModelUsage(2_000_000, 0, 1_000_000)) == pytest.approx(3.3)
    assert catalog.entry("new").context_tokens == 200_000
    gateway = catalog.entry("gateway")
    assert (gateway.context_tokens, gateway.max_output_tokens) == (400_000, None)
    assert gateway.prices.output == 2.0
    own = catalog.entry("own")
    assert (own.context_tokens, own.prices) == (128_000, ModelPrices())
    chosen = catalog.entry("set")
    assert (chosen.context_tokens, chosen.prices) == (9_000, ModelPrices(1.0))


def test_the_window_of_the_one_model_can_be_set() -> None:
    settings = Settings(
        model_base_url="http://localhost:1/v1", model_name="tiny", model_context_tokens=8_000
    )
    assert catalog_of(settings).entry("default").context_tokens == 8_000
