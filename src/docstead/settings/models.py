"""Settings of chat models."""

from __future__ import annotations

import os
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr
from pydantic_settings import NoDecode

from docstead.settings.values import (
    SPLIT_COMMAS,
    CommaSeparated,
    WebUrl,
)

ModelProvider = Literal["openai", "openai-responses", "anthropic"]


class ModelSettings(BaseModel):
    """Table `[models.NAME]`: connection and prices of a chat model."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    provider: ModelProvider = "openai"
    """The protocol it speaks; other servers speak these, too."""

    base_url: str = ""
    """Its URL; the provider's own by default."""

    model: str = Field(min_length=1)
    """Name of the model at its provider."""

    api_key: SecretStr = SecretStr("")
    """Key sent to it."""

    api_key_env: str = ""
    """Environment variable with the key, so that the file does not contain it."""

    max_output_tokens: int | None = Field(default=None, ge=1)
    """Most tokens of one answer."""

    context_tokens: int | None = Field(default=None, ge=1_000)
    """Tokens of its context window; by default those of the built-in table of models."""

    inputs: tuple[Literal["image", "pdf"], ...] | None = None
    """Kinds of files that it takes; by default those of the built-in table of models."""

    input_price: float | None = Field(default=None, ge=0)
    """Price of a million input tokens; by default that of the built-in table of models."""

    output_price: float | None = Field(default=None, ge=0)
    """Price of a million output tokens; by default that of the built-in table of models."""

    cached_price: float | None = Field(default=None, ge=0)
    """Price of a million input tokens read from the provider's cache."""

    cache_write_price: float | None = Field(default=None, ge=0)
    """Price of a million input tokens written to the provider's cache."""

    connect_seconds: float = Field(default=5.0, gt=0)
    """Longest wait for a connection."""

    first_seconds: float = Field(default=60.0, gt=0)
    """Longest wait for the first word."""

    silence_seconds: float = Field(default=60.0, gt=0)
    """Longest pause in an answer."""

    total_seconds: float = Field(default=600.0, gt=0)
    """Longest answer."""

    options: dict[str, Any] = {}
    """Sent with every request as it is: temperature, reasoning effort and the like."""

    @property
    def key(self) -> str:
        """Return the key from the setting or the environment."""
        given = self.api_key.get_secret_value()
        return given or (os.environ.get(self.api_key_env, "") if self.api_key_env else "")


class ChatModelSettings(BaseModel, defer_build=True):
    """Settings of chat models."""

    model_base_url: WebUrl = ""
    """URL of a chat model; without any model, answers quote the documentation."""

    model_provider: ModelProvider = "openai"
    """The protocol which that model speaks."""

    model_api_key: SecretStr = SecretStr("")
    """Key sent to the chat model."""

    model_name: str = ""
    """Name of the chat model; needed with `model_base_url`."""

    model_context_tokens: int | None = Field(default=None, ge=1_000)
    """Tokens of its context window; by default those of the built-in table of models."""

    model_inputs: Annotated[tuple[Literal["image", "pdf"], ...] | None, NoDecode, SPLIT_COMMAS] = (
        None
    )
    """Kinds of files that it takes; by default those of the built-in table of models."""

    models: dict[str, ModelSettings] = {}
    """Several models, as tables `[models.NAME]`; the one above is named `default`."""

    assistant_models: CommaSeparated = ()
    """Models that answer readers, each as the fallback of the previous one.

    All of them by default, except `assistant_judge`, which answers only if there is no other.
    """

    agent_models: CommaSeparated = ()
    """Models that do agent jobs, in the same way."""

    deployment_models: dict[str, tuple[str, ...]] = {}
    """Models that answer readers of one deployment, by its domain; an empty list only quotes."""

    model_retries: int = Field(default=2, ge=0, le=10)
    """Further calls of a model that failed, before the next model is called."""

    model_tokens_per_day: int = Field(default=0, ge=0)
    """Tokens that chat models may cost per day (UTC) in all; 0 is no limit."""

    model_tokens_per_organization: int = Field(default=0, ge=0)
    """The same for each organization."""

    model_fallback: Literal["quotes", "error"] = "quotes"
    """Answer when no model can answer, or a budget is spent: quotes, or an error."""
