"""Every setting of the service: one typed object, from `DOCSTEAD_*` and `docstead.toml`.

The environment wins over the file; the file is `docstead.toml` in the working
directory, or the one that `DOCSTEAD_CONFIG` names. Only the composition root and the
commands read this object; the rooms take plain values.
"""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from docstead.base.errors import InvalidRequest
from docstead.base.networks import parsed_networks
from docstead.base.sandbox import SandboxMode
from docstead.base.toml_files import read_toml
from docstead.base.units import DAY_SECONDS, GIB, KIB, MIB, MINUTE_SECONDS
from docstead.base.validation_texts import validation_text

_PREFIX = "DOCSTEAD_"
_FILE_VARIABLE = "DOCSTEAD_CONFIG"
TypeName = Literal["cloud", "client-hosted", "air-gapped"]
_SHORT_CUTOFF = 0.7  # keys without our prefix have fewer letters in common
_EVERY_ADDRESS = ("", "0.0.0.0", "::")  # noqa: S104 - which nothing is bound to here
_UNION_MEMBER = re.compile(r"constrained-\w+|literal\[.*\]")  # pydantic's names of types
_WEB_URL = re.compile(r"https?://[^\s/]")
_SITES_HOST = r"^(\*(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+)?$"


class ForgeCredential(BaseModel):
    """One entry of `forge_credentials`: a token, a key for ssh, or a GitHub App."""

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
    def _token_alone(cls, value: object) -> object:
        return {"token": value} if isinstance(value, str) else value

    @field_validator("token")
    @classmethod
    def _printable(cls, value: SecretStr) -> SecretStr:
        if not value.get_secret_value().isprintable():
            raise ValueError("a token has no line breaks")
        return value

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        has_key = bool(self.private_key.get_secret_value() or self.private_key_file)
        has_token = bool(self.token.get_secret_value())
        if (has_token and self.app_id) or not (has_token or self.app_id or self.ssh_key_file):
            raise ValueError("give either a token or an app_id, or an ssh_key_file")
        if bool(self.app_id) != has_key:
            raise ValueError("app_id and private_key (or private_key_file) belong together")
        return self


class AgentRepository(BaseModel):
    """One entry of `agent_repositories`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    address: str = Field(min_length=1)
    credential: str = ""
    organizations: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _address_alone(cls, value: object) -> object:
        return {"address": value} if isinstance(value, str) else value

    @field_validator("address")
    @classmethod
    def _without_password(cls, value: str) -> str:
        is_https = re.fullmatch(r"https://[^/@\s]+/\S+", value)
        if is_https or re.fullmatch(r"ssh://\S+|[^/:@\s]+@[^/:@\s]+:\S+", value):
            return value
        raise ValueError("an https URL without a user, or an ssh URL")


class ModelSettings(BaseModel):
    """A table `[models.NAME]`: how a chat model is reached, and what it costs."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    provider: Literal["openai", "anthropic"] = "openai"
    """The protocol it speaks; other servers speak these, too."""

    base_url: str = ""
    """Its address; empty is the provider's own."""

    model: str = Field(min_length=1)
    """What the provider calls it."""

    api_key: SecretStr = SecretStr("")
    """Key sent to it."""

    api_key_env: str = ""
    """Environment variable that has the key, so that it need not stand in the file."""

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
        """The key, wherever it stands."""
        given = self.api_key.get_secret_value()
        return given or (os.environ.get(self.api_key_env, "") if self.api_key_env else "")


class DeploymentSettings(BaseModel):
    """A table `[deployments.DOMAIN]`: the features of one deployment and of its bundles."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    deployment_type: TypeName | None = None
    """Deployment type of the site; by default that of the service."""

    features: tuple[str, ...] = ()
    """Features of the site that the type leaves open; by default those of the service."""

    export_deployment_type: TypeName | None = None
    """Deployment type of its bundles; by default that of the site."""

    export_features: tuple[str, ...] = ()
    """Features of its bundles."""

    @field_validator("features", "export_features", mode="before")
    @classmethod
    def _split_commas(cls, value: object) -> object:
        return _without_commas(value)


class Settings(BaseSettings):
    """The settings, each documented in `docs/reference/settings.mdx` under its own name."""

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX, extra="forbid", frozen=True, protected_namespaces=()
    )

    data: Path = Path(".docstead")
    """Folder for everything embedded: SQLite, objects, caches, generated secrets."""

    host: str = "127.0.0.1"
    """Address that the service listens on."""

    port: int = Field(default=8080, ge=1, le=65535)
    """Port that the service listens on."""

    base_url: str = ""
    """Address under which clients reach the service; empty is `http://{host}:{port}`."""

    server: str = ""
    """Address of a service on another machine, to which `docstead publish` sends folders."""

    admin_key: SecretStr = SecretStr("")
    """Admin key that `docstead publish` sends to that service."""

    hsts_seconds: int = Field(default=0, ge=0)
    """Time for which browsers use https only, in seconds (`Strict-Transport-Security`); 0 sends no
    such header."""

    database_url: str = ""
    """SQLAlchemy address of the database; empty is SQLite in the data folder."""

    s3_bucket: str = ""
    """Bucket for editions and bundles; empty keeps objects in the data folder."""

    s3_endpoint: str = ""
    """Address of an S3-compatible server; empty is the provider's own for the region."""

    s3_region: str = "us-east-1"
    """Region of the bucket."""

    s3_access_key_id: str = ""
    """Access key of the bucket; empty uses the machine's own credentials."""

    s3_secret_access_key: SecretStr = SecretStr("")
    """Secret of that access key."""

    secret: Annotated[tuple[SecretStr, ...], NoDecode] = ()
    """Secret that encrypts the keys of the service, the same on every node; or a list (JSON in the
    environment), newest first. Empty makes one in the data folder."""

    node_id: str = ""
    """Stable, unique name of this node; empty makes one in the data folder."""

    trusted_proxies: Annotated[tuple[str, ...], NoDecode] = ()
    """Networks (CIDR, comma-separated) whose `X-Forwarded-For` is believed."""

    plan: Literal["community", "pro", "enterprise"] = "enterprise"
    """Plan of organizations when commands create them; static export needs `enterprise`, agent jobs
    `pro` or `enterprise`. `docstead organizations plan` changes it."""

    default_domain: str = ""
    """Deployment shown at the service's own address; empty is the only deployment there is."""

    sites_host: str = Field(default="", pattern=_SITES_HOST)
    """Wildcard host of sites, such as `*.docs.example.org`: each site is shown at its domain below
    it. Use another registrable domain than the dashboard's."""

    bundle_link_seconds: int = Field(default=DAY_SECONDS, ge=MINUTE_SECONDS, le=7 * DAY_SECONDS)
    """Life of an export's download link, in seconds; at most seven days."""

    exports_kept: Annotated[int, Field(ge=0)] | Literal["all"] = 10
    """Newest exports kept for each deployment, or `all`; 0 leaves it to their age."""

    exports_kept_days: int = Field(default=1, ge=1, le=36_500)
    """Days after their end for which exports are kept, however many there are."""

    editions_kept: int = Field(default=10, ge=2)
    """Editions kept of each project, the current one and the one before it among them."""

    deployment_type: TypeName = "client-hosted"
    """Deployment type of sites and their bundles: decides which features they may have."""

    features: Annotated[tuple[str, ...], NoDecode] = ()
    """Features that the type leaves open, such as `analytics=off`. On the service they are on
    unless named; in bundles the assistant and analytics are off unless named."""

    export_deployment_type: TypeName | None = None
    """Deployment type of exported bundles, where it is another than that of the sites."""

    export_features: Annotated[tuple[str, ...], NoDecode] = ()
    """Features of exported bundles, where they are others than those of the sites."""

    deployments: dict[str, DeploymentSettings] = {}
    """The same four settings for one deployment, as tables `[deployments.DOMAIN]` (JSON in the
    environment)."""

    render_workers: int = Field(default=2, ge=1, le=64)
    """Engine processes that render pages while something is published."""

    source_bytes: int = Field(default=GIB, ge=MIB)
    """Most bytes that the commit of a git source unpacks to."""

    source_pack_bytes: int = Field(default=2 * GIB, ge=MIB)
    """Most bytes of a file that git writes while it fetches a source, such as a pack."""

    source_files: int = Field(default=100_000, ge=1)
    """Most files of a source, of a folder without those that are ignored."""

    source_depth: int = Field(default=64, ge=1)
    """Most folders within each other in a source."""

    sandbox: SandboxMode = SandboxMode.AUTO
    """Walls around processes that work on repositories: `required`, `auto` or `off`."""

    build_seconds: int = Field(default=300, ge=1)
    """Time in which a small repository is read and built; each five files add a second."""

    build_memory_mb: int = Field(default=2_048, ge=64)
    """Memory of the process that reads and builds a repository."""

    max_body_bytes: int = Field(default=MIB, ge=1024)
    """Largest request body accepted; a larger one gets 413. Assistant messages have limits of their
    own."""

    max_header_bytes: int = Field(default=64 * KIB, ge=4 * KIB)
    """Largest request line and headers, in bytes; larger ones get 431."""

    receive_seconds: float = Field(default=10.0, gt=0)
    """Longest time for the headers of a request; bodies must bring 240 bytes a second."""

    max_connections: int = Field(default=10_000, ge=16)
    """Most open connections; kept below the limit of open files. Further ones get 503."""

    address_requests_per_hour: int = Field(default=100_000, ge=1)
    """Public calls of one address (IPv6: of its /64) that this process answers in an hour, in
    addition to the limits of the interface."""

    limits: dict[str, Annotated[int, Field(ge=1)]] = {}
    """Other limits than the documented ones, by their names (JSON in the environment)."""

    playground_requests_per_minute: int = Field(default=60, ge=1)
    """Requests that API playgrounds send for one address in a minute."""

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

    model_base_url: str = ""
    """Address of a chat model; without any model, answers quote the documentation."""

    model_provider: Literal["openai", "anthropic"] = "openai"
    """The protocol which that model speaks."""

    model_api_key: SecretStr = SecretStr("")
    """Key sent to the chat model."""

    model_name: str = ""
    """Name of the chat model; needed with `model_base_url`."""

    model_context_tokens: int | None = Field(default=None, ge=1_000)
    """Tokens of its context window; by default those of the built-in table of models."""

    model_inputs: Annotated[tuple[Literal["image", "pdf"], ...] | None, NoDecode] = None
    """Kinds of files that it takes; by default those of the built-in table of models."""

    models: dict[str, ModelSettings] = {}
    """Several models, as tables `[models.NAME]`; the one above is named `default` beside them."""

    assistant_models: Annotated[tuple[str, ...], NoDecode] = ()
    """Models that answer readers, each standing in for the one before it; empty is all of them."""

    agent_models: Annotated[tuple[str, ...], NoDecode] = ()
    """Models that do agent jobs, in the same way; empty is all of them."""

    deployment_models: dict[str, tuple[str, ...]] = {}
    """Models that answer readers of one deployment, by its domain; an empty list only quotes."""

    model_retries: int = Field(default=2, ge=0, le=10)
    """How often a model that failed is asked again before the next one is."""

    model_tokens_per_day: int = Field(default=0, ge=0)
    """Tokens that chat models may cost per day (UTC) in all; 0 is no limit."""

    model_tokens_per_organization: int = Field(default=0, ge=0)
    """The same for each organization."""

    model_fallback: Literal["quotes", "error"] = "quotes"
    """What readers get when no model can answer, or a budget is spent: quotes, or an error."""

    assistant_check: Literal["drop", "flag", "off"] = "drop"
    """What happens to a model's sentences that have unknown facts or contradict a passage."""

    assistant_judge: str = ""
    """Model that decides on citations which the built-in check is unsure of; empty is none."""

    assistant_answer_characters: int = Field(default=100_000, ge=1_000)
    """Characters that a model may write for one answer, its thinking included; then it is cut."""

    assistant_tool_calls: int = Field(default=6, ge=0, le=30)
    """Tools that a model may use for one answer; then it answers from what it has."""

    assistant_link_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    """Hosts beside the site's own to which answers may link, such as `*.example.com`."""

    assistant_support: str = ""
    """Email address or link that is shown where the documentation holds no answer."""

    deployment_support: dict[str, str] = {}
    """The same for one deployment, by its domain."""

    agent_max_steps: int = Field(default=60, ge=2)
    """Calls of the model in one turn of an agent job; the last is told to wrap up."""

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

    agent_author: str = Field(
        default="Docstead <agent@docstead.invalid>",
        pattern=r"^[^<>\s][^<>\n]* <[^<>\s]+@[^<>\s]+>$",
    )
    """Author of the commits of agent jobs, as `Name <address>`."""

    agent_archive_days: int = Field(default=30, ge=1)
    """Days without activity after which a job that has ended is archived."""

    agent_webhook_networks: Annotated[tuple[str, ...], NoDecode] = ()
    """Networks (CIDR, comma-separated) that webhooks may reach although they are private."""

    specification_networks: Annotated[tuple[str, ...], NoDecode] = ()
    """Networks (CIDR, comma-separated) that OpenAPI files may be fetched from although they are
    private."""

    playground_networks: Annotated[tuple[str, ...], NoDecode] = ()
    """Networks (CIDR, comma-separated) that requests of API playgrounds may reach although they are
    private."""

    forge_credentials: Annotated[dict[str, ForgeCredential], NoDecode] = Field(default_factory=dict)
    """Tokens and GitHub Apps for agent jobs, by the name under which projects choose them (JSON in
    the environment)."""

    agent_repositories: Annotated[tuple[AgentRepository, ...], NoDecode] = ()
    """Further repositories that agent jobs may read; owners choose among them (JSON in the
    environment)."""

    git_networks: Annotated[tuple[str, ...], NoDecode] = ()
    """Networks (CIDR, comma-separated) that git may reach for further repositories, and by
    redirects, although they are private."""

    search_by_meaning: bool = True
    """Whether search also compares meanings; when off, words alone count."""

    embedding_base_url: str = ""
    """OpenAI-compatible address of an embeddings model; empty uses the one that comes along."""

    embedding_api_key: SecretStr = SecretStr("")
    """Key sent to the embeddings model."""

    embedding_model: str = ""
    """Name of the embeddings model; needed with `embedding_base_url`."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """How much the service tells on standard error."""

    @field_validator(
        "trusted_proxies",
        "features",
        "export_features",
        "assistant_models",
        "agent_models",
        "model_inputs",
        "assistant_link_hosts",
        "agent_webhook_networks",
        "playground_networks",
        "specification_networks",
        "git_networks",
        mode="before",
    )
    @classmethod
    def _split_commas(cls, value: object) -> object:
        return _without_commas(value)

    @field_validator("base_url", "server", "s3_endpoint", "model_base_url", "embedding_base_url")
    @classmethod
    def _web_url(cls, value: str) -> str:
        if value and not _WEB_URL.match(value):
            raise ValueError(f"must begin with http:// or https://, not {value!r}")
        return value

    @field_validator(
        "agent_webhook_networks", "playground_networks", "specification_networks", "git_networks"
    )
    @classmethod
    def _networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        try:
            parsed_networks(value)
        except InvalidRequest as error:
            raise ValueError(error.message) from error
        return value

    @field_validator("secret", mode="before")
    @classmethod
    def _one_or_several(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        try:
            several = json.loads(value) if value.startswith("[") else None
        except ValueError:
            several = None  # a secret may begin with a bracket, too
        return several if isinstance(several, list) else tuple(filter(None, [value]))

    @field_validator("forge_credentials", "agent_repositories", mode="before")
    @classmethod
    def _decode_json(cls, value: object) -> object:
        return json.loads(value) if isinstance(value, str) else value

    @property
    def public_url(self) -> str:
        """The service's address, without a slash at the end.

        Without a base URL, a service that listens on every address is named as this machine.
        """
        host = "127.0.0.1" if self.host in _EVERY_ADDRESS else self.host
        host = f"[{host}]" if ":" in host else host
        return (self.base_url or f"http://{host}:{self.port}").rstrip("/")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the hook's signature
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings, env_settings, _SettingsFile(settings_cls, _settings_file()))


def _without_commas(value: object) -> object:
    """Return the parts of a comma-separated string, and other values as they are."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


class _SettingsFile(TomlConfigSettingsSource):
    def _read_file(self, file_path: Path) -> dict[str, Any]:  # type: ignore[override]  # ours is a path
        return read_toml(file_path)


def _settings_file() -> Path:
    named = os.environ.get(_FILE_VARIABLE)
    if not named:
        return Path("docstead.toml")
    path = Path(named).expanduser()
    if not path.is_file():
        raise InvalidRequest(f"{_FILE_VARIABLE}: there is no file {path}; correct the path")
    return path


def unknown_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Map variables with our prefix that are no setting to the most similar setting, or ""."""
    known = [_FILE_VARIABLE, *(f"{_PREFIX}{name.upper()}" for name in Settings.model_fields)]
    unknown = [name for name in environment if name.upper().startswith(_PREFIX)]
    return {
        name: _most_similar(name.upper(), known)
        for name in sorted(unknown)
        if name.upper() not in known
    }


def _most_similar(name: str, known: Iterable[str], cutoff: float = 0.8) -> str:
    return next(iter(difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)), "")


def load_settings(**overrides: object) -> Settings:
    """The settings of this process.

    Raises:
        InvalidRequest: a setting has a wrong value, or the settings file cannot be used; the
            message names each.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        settings = Settings(**given)  # type: ignore[arg-type]  # values are checked by the model
    except ValidationError as error:
        raise InvalidRequest("; ".join(_faults(error.errors(), given))) from error
    except SettingsError as error:
        raise InvalidRequest(_json_fault(error)) from error
    # Git and workers run in folders of their own, where a relative path leads elsewhere.
    return settings.model_copy(update={"data": settings.data.expanduser().absolute()})


def _json_fault(error: SettingsError) -> str:
    """Return a sentence about a variable that must be JSON; the library names only its field."""
    field = re.search(r'field "(\w+)"', str(error))
    name = f"{_PREFIX}{field[1].upper()}" if field else "settings"
    return f"{name}: not valid JSON: {error.__cause__}"


def _faults(faults: Iterable[ErrorDetails], overrides: Mapping[str, object]) -> list[str]:
    """Return a sentence for each wrong setting, with its name as it was set."""
    texts: dict[str, list[str]] = {}
    for fault in faults:
        names = [str(each) for each in fault["loc"] if not _UNION_MEMBER.fullmatch(str(each))]
        texts.setdefault(_set_name(names, overrides), []).append(_fault_text(fault, names))
    return [f"{name}{' or '.join(found)}" for name, found in texts.items()]


def _set_name(names: list[str], overrides: Mapping[str, object]) -> str:
    """Return the start of a sentence: the variable or the line of the file that holds a value."""
    first, *rest = names
    variable = f"{_PREFIX}{first.upper()}"
    if first in overrides or variable in map(str.upper, os.environ):
        return f"{': '.join([variable, *rest])}: "
    return f"{_settings_file()}: {'.'.join(names)} "


def _fault_text(fault: ErrorDetails, names: list[str]) -> str:
    """One wrong setting. Only a settings file can have unknown keys that are in no table."""
    if fault["type"] != "extra_forbidden":
        return validation_text(fault)
    if len(names) > 1:
        return "is not a key of this table; correct or remove it"
    similar = _most_similar(names[0], Settings.model_fields, _SHORT_CUTOFF)
    return f"is not a setting; {f'did you mean {similar}?' if similar else 'remove it'}"
