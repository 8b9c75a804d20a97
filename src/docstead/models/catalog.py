"""Catalog of configured models by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docstead.base.errors import InvalidRequest
from docstead.models.anthropic_messages import AnthropicMessages
from docstead.models.chat import ChatModel, ModelUsage
from docstead.models.inputs import InputKind
from docstead.models.openai_compatible import OpenAICompatible
from docstead.models.openai_responses import OpenAIResponses
from docstead.models.remote import RemoteModel
from docstead.models.router import RetryPolicy, Router
from docstead.models.timeouts import ModelTimeouts

_KINDS: Mapping[str, type[RemoteModel]] = {
    "openai": OpenAICompatible,
    "openai-responses": OpenAIResponses,
    "anthropic": AnthropicMessages,
}
_MILLION = 1_000_000
_LOW_TEMPERATURE = 0.2


@dataclass(frozen=True, slots=True)
class ModelPrices:
    """Prices per million tokens, in the operator's currency. None means the price of input."""

    input: float = 0.0
    output: float = 0.0
    cached: float | None = None  # input read from the provider's cache
    written: float | None = None  # input written to it

    def cost(self, usage: ModelUsage) -> float:
        """Return the cost of a call."""
        cached = self.input if self.cached is None else self.cached
        written = self.input if self.written is None else self.written
        plain = usage.input_tokens - usage.cached_tokens - usage.written_tokens
        paid = plain * self.input + usage.cached_tokens * cached + usage.written_tokens * written
        return (paid + usage.output_tokens * self.output) / _MILLION


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """Connection and prices of a model. `provider` is its protocol."""

    name: str
    provider: str  # key of `_KINDS`
    base_url: str
    model: str  # the provider's name
    api_key: str = ""
    max_output_tokens: int | None = None
    context_tokens: int = 128_000  # context window
    prices: ModelPrices = ModelPrices()
    timeouts: ModelTimeouts = field(default_factory=ModelTimeouts)
    options: Mapping[str, Any] = field(default_factory=dict)
    inputs: frozenset[InputKind] = frozenset()  # supported input files
    has_temperature: bool = False


class ModelCatalog:
    """Creates models, each once. `order` is the order of preference, by default all models."""

    def __init__(self, entries: Sequence[ModelEntry], retries: RetryPolicy | None = None) -> None:
        self._entries = {entry.name: entry for entry in entries}
        self._retries = retries
        self._models = {entry.name: _made(entry) for entry in entries}
        self._cool_models = {entry.name: _made(entry, _LOW_TEMPERATURE) for entry in entries}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._entries)

    def entry(self, name: str) -> ModelEntry:
        """Return the model's entry.

        Raises:
            InvalidRequest: the name is unknown; the message lists the known ones.
        """
        if name not in self._entries:
            known = ", ".join(self._entries) or "none is configured"
            raise InvalidRequest(f"models: there is no model {name!r} ({known})")
        return self._entries[name]

    def model(self, *names: str) -> ChatModel | None:
        """Return the models with these names as a fallback chain, or None if there are none."""
        return self._routed(self._models, names)

    def answering_model(self, *names: str) -> ChatModel | None:
        """Return the same with a low temperature, for answers from passages."""
        return self._routed(self._cool_models, names)

    def _routed(self, models: Mapping[str, ChatModel], names: Sequence[str]) -> ChatModel | None:
        chosen = [models[self.entry(name).name] for name in names]
        return Router(chosen, self._retries) if chosen else None

    def model_of(self, usage: ModelUsage) -> str:
        """Return the provider's name of the model used by a call."""
        entry = self._entries.get(usage.model)
        return entry.model if entry else usage.model

    def cost(self, usage: ModelUsage) -> float:
        """Return the cost of a call; 0 without a price or configured model."""
        entry = self._entries.get(usage.model)
        return entry.prices.cost(usage) if entry else 0.0


def _made(entry: ModelEntry, temperature: float | None = None) -> ChatModel:
    return _KINDS[entry.provider](
        entry.base_url,
        entry.api_key,
        entry.model,
        name=entry.name,
        timeouts=entry.timeouts,
        max_output_tokens=entry.max_output_tokens,
        options=entry.options,
        inputs=entry.inputs,
        temperature=temperature if entry.has_temperature else None,
    )
