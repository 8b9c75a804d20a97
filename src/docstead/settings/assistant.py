"""Settings of answers, search and analytics."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field, SecretStr

from docstead.settings.values import (
    CommaSeparated,
    WebUrl,
)


class AssistantSettings(BaseModel, defer_build=True):
    """Settings of answers, search and analytics."""

    assistant_enabled: bool | None = None
    """Another name of the feature `assistant`."""

    thread_key_required: bool = False
    """Whether continuing a thread needs the key from `X-Thread-Key` as well as its id."""

    thread_must_exist: bool = False
    """Whether an unknown `threadId` gets 404; otherwise a new thread begins."""

    analytics_enabled: bool | None = None
    """Another name of the feature `analytics`: views of pages, searches and readers' thumbs."""

    conversation_days: int = Field(default=365, ge=0, le=36_500)
    """Days after which conversations, searches, views and feedback are removed; 0 keeps them."""

    assistant_check: Literal["drop", "flag", "off"] = "drop"
    """Treatment of a model's sentences that have unknown facts or contradict a passage."""

    assistant_judge: str = ""
    """Model that is asked whether passages contradict a sentence; rules only by default."""

    assistant_answer_characters: int = Field(default=100_000, ge=1_000)
    """Characters that a model may write for one answer, its thinking included; then it is cut."""

    assistant_tool_calls: int = Field(default=6, ge=0, le=30)
    """Number of tool calls for one answer; then the model answers from what it has."""

    assistant_link_hosts: CommaSeparated = ()
    """Hosts other than the site's own to which answers may link, such as `*.example.com`."""

    assistant_support: str = ""
    """Email address or link that is shown where the documentation holds no answer."""

    deployment_support: dict[str, str] = {}
    """The same for one deployment, by its domain."""

    search_by_meaning: bool = True
    """Whether search also compares meanings; when off, it compares only words."""

    embedding_base_url: WebUrl = ""
    """OpenAI-compatible URL of an embeddings model; empty uses the one that comes along."""

    embedding_api_key: SecretStr = SecretStr("")
    """Key sent to the embeddings model."""

    embedding_model: str = ""
    """Name of the embeddings model; needed with `embedding_base_url`."""
