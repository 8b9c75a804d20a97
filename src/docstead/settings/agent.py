"""Settings of agent jobs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator
from pydantic_settings import NoDecode

from docstead.settings.values import (
    DECODE_JSON,
    Networks,
)


class ForgeCredential(BaseModel):
    """Entry of `forge_credentials`: a token, an ssh key, or a GitHub App."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    token: SecretStr = SecretStr("")
    username: str = Field(default="", pattern=r"^[^\x00-\x1f:]*$")
    api_url: str = Field(default="", pattern=r"^(https?://\S+)?$")
    app_id: str = ""
    private_key: SecretStr = SecretStr("")
    private_key_file: Path | None = None
    installation_id: int | None = None
    ssh_key_file: Path | None = None
    organizations: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _from_token(cls, value: object) -> object:
        return {"token": value} if isinstance(value, str) else value

    @field_validator("token")
    @classmethod
    def _printable(cls, value: SecretStr) -> SecretStr:
        if not value.get_secret_value().isprintable():
            raise ValueError("must have no line breaks")
        return value

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        has_key = bool(self.private_key.get_secret_value() or self.private_key_file)
        has_token = bool(self.token.get_secret_value())
        if (has_token and self.app_id) or not (has_token or self.app_id or self.ssh_key_file):
            raise ValueError("must have either a token or an app_id, or an ssh_key_file")
        if bool(self.app_id) != has_key:
            raise ValueError("must have both app_id and private_key (or private_key_file)")
        return self


class AgentRepository(BaseModel):
    """Entry of `agent_repositories`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    address: str = Field(min_length=1)
    credential: str = ""
    organizations: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _from_address(cls, value: object) -> object:
        return {"address": value} if isinstance(value, str) else value

    @field_validator("address")
    @classmethod
    def _without_password(cls, value: str) -> str:
        is_https = re.fullmatch(r"https://[^/@\s]+/\S+", value)
        if is_https or re.fullmatch(r"ssh://\S+|[^/:@\s]+@[^/:@\s]+:\S+", value):
            return value
        raise ValueError("must be an https URL without a user, or an ssh URL")


class AgentSettings(BaseModel, defer_build=True):
    """Settings of agent jobs."""

    agent_max_steps: int = Field(default=200, ge=2)
    """Calls of the model in one turn of an agent job; the last one asks for an end."""

    agent_max_tokens: int = Field(default=2_000_000, ge=1_000)
    """Tokens of one turn, read and written."""

    agent_max_cost: float = Field(default=5.0, gt=0)
    """Cost of one turn, counted in the models' prices."""

    agent_max_seconds: int = Field(default=3_600, ge=10)
    """Working time of one turn; time that the service was down does not count."""

    agent_answer_seconds: int = Field(default=3_600, ge=1)
    """Longest wait for an answer to a question of the agent, or for the approval of its plan."""

    agent_jobs_at_once: int = Field(default=4, ge=1, le=200)
    """Turns that one process runs at a time."""

    agent_prompt_characters: int = Field(default=50_000, ge=100)
    """Longest instruction; a longer one gets 400."""

    agent_review_memory: int = Field(default=10, ge=0, le=100)
    """Comments of reviewers in earlier jobs that the model is given; 0 is none."""

    agent_author: str = Field(
        default="Docstead <agent@docstead.invalid>",
        pattern=r"^[^<>\s][^<>\n]* <[^<>\s]+@[^<>\s]+>$",
    )
    """Author of the commits of agent jobs, as `Name <email>`."""

    agent_signing_key_file: Path | None = None
    """File with the private SSH key that signs commits of agent jobs and merges of reviews."""

    agent_archive_days: int = Field(default=30, ge=1, le=36_500)
    """Days without activity after which a job that has ended is archived."""

    agent_webhook_networks: Networks = ()
    """Former name of `webhook_networks`; webhooks may reach the networks of both."""

    forge_credentials: Annotated[dict[str, ForgeCredential], NoDecode, DECODE_JSON] = Field(
        default_factory=dict
    )
    """Tokens and GitHub Apps for agent jobs, by the name under which projects choose them (JSON in
    the environment)."""

    agent_repositories: Annotated[tuple[AgentRepository, ...], NoDecode, DECODE_JSON] = ()
    """Further repositories that agent jobs may read; owners choose among them (JSON in the
    environment)."""

    git_networks: Networks = ()
    """Networks (CIDR, comma-separated) that git may reach for further repositories, and by
    redirects, although they are private."""
