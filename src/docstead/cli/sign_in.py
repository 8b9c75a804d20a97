"""`sign-in`: a one-time link to the dashboard."""

from __future__ import annotations

import typer

from docstead.app.services import open_services
from docstead.cli.tenants import organization
from docstead.settings import load_settings


def run() -> None:
    with open_services(load_settings()) as services:
        link = services.owners.new_sign_in_link(organization(services).id)
        typer.echo(f"{services.settings.public_url}{link}")
    typer.echo("Good for one sign-in within a day; the service must be running.", err=True)
