"""The installation that commands work on: its data folder and its running service."""

from __future__ import annotations

from pathlib import Path

import typer

from docstead.app.databases import database_file
from docstead.base.errors import Conflict, NotFound
from docstead.cli.service_client import is_answered, running_service
from docstead.cli.tenants import NOTHING_PUBLISHED
from docstead.settings import Settings, load_settings


def loaded_settings() -> Settings:
    """Return the settings, with the URL of the service that uses the data folder.

    Raises:
        Conflict: another service answers, and a second installation would be created.
    """
    settings = load_settings()
    if not settings.data.exists():
        _check_other_service(settings)
        typer.echo(f"New data folder {settings.data}", err=True)
    running = running_service(settings)
    return settings.model_copy(update={"base_url": running.public_url}) if running else settings


def published_settings() -> Settings:
    """Return the settings of commands that only read, which create no data folder.

    Raises:
        NotFound: the data folder has no database.
        Conflict: as for `loaded_settings`.
    """
    settings = load_settings()
    file = database_file(settings)
    if file is not None and not file.exists():
        _check_other_service(settings)
        raise NotFound(NOTHING_PUBLISHED)
    return loaded_settings()


def account_settings() -> Settings:
    """Return the settings of commands about keys, deployments and organizations.

    Raises:
        Conflict: as for `loaded_settings`, unless the database is no file of the data folder.
    """
    settings = load_settings()
    return settings if database_file(settings) is None else loaded_settings()


def _check_other_service(settings: Settings) -> None:
    """Raise Conflict if a service answers but the data folder is a new default."""
    is_default = settings.data == Path(Settings.model_fields["data"].default).absolute()
    if is_default and is_answered(settings.public_url):
        raise Conflict(
            f"the service at {settings.public_url} does not use the data folder {settings.data}; "
            "set DOCSTEAD_DATA to its folder (publish can name the service instead: --server "
            f"{settings.public_url})"
        )


def warn_if_not_running(settings: Settings) -> None:
    """Warn on standard error if no service answers yet."""
    if running_service(settings) is None:
        typer.echo(not_answered(settings), err=True)


def not_answered(settings: Settings) -> str:
    return f"Nothing answers at {settings.public_url} yet; start it: docstead serve"
