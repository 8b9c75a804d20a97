"""Which models the settings name, and who is answered by which."""

from __future__ import annotations

import pytest

from docstead.app.models import agent_models, assistant_models, catalog_of
from docstead.base.errors import InvalidRequest
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


def test_tables_make_more_and_know_their_providers_address() -> None:
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
        catalog_of(Settings(**given))  # type: ignore[arg-type]
