"""The `sign-in` command: prints a one-time link to the dashboard."""

from __future__ import annotations

import typer

from docstead.app.accounts import open_accounts
from docstead.cli.installation import (
    loaded_settings,
    warn_if_not_running,
)
from docstead.cli.tenants import organization


def run() -> None:
    settings = loaded_settings()
    with open_accounts(settings) as accounts:
        link = accounts.owners.new_sign_in_link(organization(accounts).id)
        typer.echo(f"{settings.public_url}{link}")
    typer.echo("Valid for one sign-in within a day.", err=True)
    warn_if_not_running(settings)
