"""All settings of the service as one object, and their sources."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pydantic import ValidationInfo, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from docstead.base.errors import InvalidRequest
from docstead.base.toml_files import read_toml
from docstead.settings.agent import AgentSettings
from docstead.settings.assistant import AssistantSettings
from docstead.settings.models import ChatModelSettings
from docstead.settings.publishing import PublishingSettings
from docstead.settings.server import ServerSettings
from docstead.settings.stores import StoreSettings

PREFIX = "DOCSTEAD_"
FILE_VARIABLE = "DOCSTEAD_CONFIG"
_MOST = 10**15
_MOST_SECONDS = 10**9
_WILDCARD_HOSTS = ("", "0.0.0.0", "::")  # noqa: S104 - which nothing is bound to here


class Settings(
    AgentSettings,
    ChatModelSettings,
    AssistantSettings,
    PublishingSettings,
    StoreSettings,
    ServerSettings,
    BaseSettings,
):
    """All settings, documented in `docs/reference/settings.mdx` under their names.

    Its bases build no validators of their own (`defer_build`), which would take a sixth of its
    import.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="forbid", frozen=True, protected_namespaces=()
    )

    @field_validator("*", mode="after")
    @classmethod
    def _is_bounded(cls, value: object, info: ValidationInfo) -> object:
        """Reject numbers beyond the range of timers, processes and columns."""
        most = _MOST_SECONDS if str(info.field_name).endswith("_seconds") else _MOST
        if isinstance(value, int | float) and value > most:
            raise ValueError(f"must be at most {most}")
        return value

    @property
    def public_url(self) -> str:
        """URL of the service, without a trailing slash.

        Without a base URL, a service that listens on all IP addresses has this machine's name.
        """
        host = "127.0.0.1" if self.host in _WILDCARD_HOSTS else self.host
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
        return (init_settings, env_settings, _SettingsFile(settings_cls, settings_file()))


class _SettingsFile(TomlConfigSettingsSource):
    def _read_file(self, file_path: Path) -> dict[str, Any]:  # type: ignore[override]  # ours is a path
        return read_toml(file_path)


def settings_file() -> Path:
    """Return the path of the settings file.

    Raises:
        InvalidRequest: the file that `DOCSTEAD_CONFIG` names does not exist.
    """
    named = os.environ.get(FILE_VARIABLE)
    if not named:
        return Path("docstead.toml")
    path = Path(named).expanduser()
    if not path.is_file():
        raise InvalidRequest(f"{FILE_VARIABLE}: there is no file {path}; correct the path")
    return path
