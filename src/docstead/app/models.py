"""Configured chat models, and the selection for each task."""

from __future__ import annotations

from docstead.base.errors import InvalidRequest
from docstead.models.catalog import ModelCatalog, ModelEntry, ModelPrices
from docstead.models.known_models import KnownModel, known_model
from docstead.models.router import RetryPolicy
from docstead.models.timeouts import ModelTimeouts
from docstead.settings import ModelSettings, Settings

SIMPLE = "default"  # name of the model that is configured without a table

_PROVIDER_URLS = {
    "openai": "https://api.openai.com/v1",
    "openai-responses": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
}


def catalog_of(settings: Settings) -> ModelCatalog:
    """Return all configured models, the one without a table first.

    Raises:
        InvalidRequest: a list names an unknown model, or a setting is missing.
    """
    tables = dict(settings.models)
    if settings.model_base_url or settings.model_name:
        tables = {SIMPLE: _simple(settings), **tables}
    catalog = ModelCatalog(
        [_entry(name, table) for name, table in tables.items()],
        RetryPolicy(times=settings.model_retries),
    )
    _check_names(settings, catalog)
    return catalog


def assistant_models(
    settings: Settings, catalog: ModelCatalog, domain: str = ""
) -> tuple[str, ...]:
    """Return the models that answer readers of a deployment, in order of preference."""
    if domain in settings.deployment_models:
        return settings.deployment_models[domain]
    return settings.assistant_models or _unlisted(settings, catalog)


def agent_models(settings: Settings, catalog: ModelCatalog) -> tuple[str, ...]:
    """Return the models for agent jobs, in order of preference."""
    return settings.agent_models or _unlisted(settings, catalog)


def _unlisted(settings: Settings, catalog: ModelCatalog) -> tuple[str, ...]:
    """Return the models to use without a list: all but the judge, unless it is the only one."""
    others = tuple(name for name in catalog.names if name != settings.assistant_judge)
    return others or catalog.names


def _simple(settings: Settings) -> ModelSettings:
    if SIMPLE in settings.models:
        raise InvalidRequest(
            f"settings: DOCSTEAD_MODELS: {SIMPLE!r} is the model of DOCSTEAD_MODEL_NAME; "
            "rename the table or remove that setting"
        )
    if not settings.model_name:
        raise InvalidRequest("settings: DOCSTEAD_MODEL_NAME: needed with DOCSTEAD_MODEL_BASE_URL")
    if not settings.model_base_url:
        raise InvalidRequest("settings: DOCSTEAD_MODEL_BASE_URL: needed with DOCSTEAD_MODEL_NAME")
    return ModelSettings(
        provider=settings.model_provider,
        base_url=settings.model_base_url,
        model=settings.model_name,
        api_key=settings.model_api_key,
        context_tokens=settings.model_context_tokens,
        inputs=settings.model_inputs,
    )


def _entry(name: str, table: ModelSettings) -> ModelEntry:
    known = known_model(table.provider, table.model)
    return ModelEntry(
        name=name,
        provider=table.provider,
        base_url=table.base_url or _PROVIDER_URLS[table.provider],
        model=table.model,
        api_key=table.key,
        max_output_tokens=table.max_output_tokens or _output_tokens(table, known),
        context_tokens=table.context_tokens or known.context_tokens,
        prices=_prices(table, known),
        timeouts=ModelTimeouts(
            connect_seconds=table.connect_seconds,
            first_seconds=table.first_seconds,
            silence_seconds=table.silence_seconds,
            total_seconds=table.total_seconds,
        ),
        options=table.options,
        inputs=known.inputs if table.inputs is None else frozenset(table.inputs),
        has_temperature=known.has_temperature,
    )


def _output_tokens(table: ModelSettings, known: KnownModel) -> int | None:
    """Return the output token limit if the protocol requires one."""
    return known.output_tokens if table.provider == "anthropic" else None


def _prices(table: ModelSettings, known: KnownModel) -> ModelPrices:
    """Return the configured prices, or those of the built-in table if none is configured."""
    if table.input_price is None and table.output_price is None:
        return ModelPrices(
            known.input_price,
            known.output_price,
            known.cached_price if table.cached_price is None else table.cached_price,
            known.written_price if table.cache_write_price is None else table.cache_write_price,
        )
    return ModelPrices(
        table.input_price or 0.0,
        table.output_price or 0.0,
        table.cached_price,
        table.cache_write_price,
    )


def _check_names(settings: Settings, catalog: ModelCatalog) -> None:
    lists = {
        "ASSISTANT_MODELS": settings.assistant_models,
        "AGENT_MODELS": settings.agent_models,
        "ASSISTANT_JUDGE": (settings.assistant_judge,) if settings.assistant_judge else (),
        **{
            f"DEPLOYMENT_MODELS: {domain}": names
            for domain, names in settings.deployment_models.items()
        },
    }
    for setting, names in lists.items():
        for name in names:
            if name not in catalog.names:
                known = ", ".join(catalog.names) or "none is configured"
                raise InvalidRequest(
                    f"settings: DOCSTEAD_{setting}: there is no model {name!r} ({known})"
                )
