"""The `deployments` commands: list, roll back, remove, rename, hostname, auto-export."""

from __future__ import annotations

import getpass
import json
import os
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docstead.cli.errors import exit_on_errors

if TYPE_CHECKING:  # commands without storage start without its libraries
    from docstead.accounts.tenancy import Deployment
    from docstead.app.services import AppServices

commands = typer.Typer(
    help="List, roll back, remove and rename deployments, and change their hostnames "
    "and automatic exports.",
    no_args_is_help=True,
)


class OnOff(StrEnum):
    """On or off."""

    ON = "on"
    OFF = "off"


@commands.command("list")
def list_all(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON array, also with project ids.")
    ] = False,
) -> None:
    """Print domain, hostname, type, features and automatic export of each deployment."""
    from docstead.app.services import open_services
    from docstead.cli.installation import account_settings

    with exit_on_errors(), open_services(account_settings()) as services:
        deployments = services.tenancy.deployments()
        if as_json:
            typer.echo(json.dumps([_wire(services, each) for each in deployments]))
            return
        if not deployments:
            publish = "docstead publish SOURCE --domain NAME"
            typer.echo(f"There are no deployments. Publish one: {publish}", err=True)
        for each in deployments:
            profile = services.features.of(each)
            on = [name for name, is_on in profile.features.by_name().items() if is_on]
            facts = (
                each.domain,
                each.hostname,
                f"{profile.type}: {', '.join(on) or 'no features'}",
                f"automatic export: {_auto_export(services, each)}",
            )
            typer.echo("  ".join(facts))


@commands.command("auto-export")
def auto_export(
    domain: Annotated[str, typer.Argument(metavar="DOMAIN", help="Domain of a deployment.")],
    switch: Annotated[OnOff, typer.Argument(metavar="on|off", help="on or off.")],
) -> None:
    """Turn automatic exports of a deployment on or off.

    The running service makes the bundle; `docstead deployments list` shows its state.
    """
    from docstead.app.accounts import open_accounts
    from docstead.cli.installation import account_settings
    from docstead.cli.tenants import named_deployment

    with exit_on_errors(), open_accounts(account_settings()) as accounts:
        found = named_deployment(accounts.tenancy, domain)
        accounts.tenancy.set_auto_export(found.id, is_on=switch is OnOff.ON)
    typer.echo(f"{domain}: automatic export is {switch}.", err=True)


@commands.command("hostname")
def change_hostname(
    domain: Annotated[str, typer.Argument(metavar="DOMAIN", help="Domain of a deployment.")],
    hostname: Annotated[
        str, typer.Argument(metavar="HOSTNAME", help="New hostname, such as docs.example.com.")
    ],
) -> None:
    """Change the hostname under which readers find a deployment.

    A running service uses the new name within seconds. The previous one answers 404.
    """
    from docstead.app.accounts import open_accounts
    from docstead.cli.installation import account_settings
    from docstead.cli.tenants import named_deployment

    with exit_on_errors(), open_accounts(account_settings()) as accounts:
        found = named_deployment(accounts.tenancy, domain)
        changed = accounts.tenancy.set_hostname(found.id, hostname)
    typer.echo(f"{domain} is served at {changed.hostname}.", err=True)


@commands.command("rename")
def rename(
    domain: Annotated[str, typer.Argument(metavar="DOMAIN", help="Domain of a deployment.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="New domain, such as handbook.")],
) -> None:
    """Change the domain of a deployment.

    The previous domain redirects readers and works for API clients, until another deployment
    takes it.
    """
    from docstead.app.accounts import open_accounts
    from docstead.cli.installation import account_settings
    from docstead.cli.tenants import named_deployment

    with exit_on_errors(), open_accounts(account_settings()) as accounts:
        found = named_deployment(accounts.tenancy, domain)
        renamed = accounts.renames.rename(found.id, new)
        is_default = accounts.settings.default_domain == domain
    typer.echo(f"{domain} is now {renamed.domain}, served at {renamed.hostname}.", err=True)
    if is_default:
        typer.echo(f"Set DOCSTEAD_DEFAULT_DOMAIN to {renamed.domain}.", err=True)


@commands.command("rollback")
def rollback(
    domain: Annotated[str, typer.Argument(metavar="DOMAIN", help="Domain of a deployment.")],
) -> None:
    """Roll a deployment back to its previous edition.

    A running service shows it within seconds. The next update will publish the source again.
    """
    from docstead.app.services import open_services
    from docstead.cli.installation import account_settings
    from docstead.cli.tenants import named_deployment
    from docstead.publishing.updates import COMMAND

    with exit_on_errors(), open_services(account_settings()) as services:
        found = named_deployment(services.tenancy, domain)
        done = services.rollbacks.rollback(found, origin=COMMAND, actor=_operator())
    typer.echo(f"{domain}: {done.summary}.", err=True)


@commands.command("remove")
def remove(
    domain: Annotated[str, typer.Argument(metavar="DOMAIN", help="Domain of a deployment.")],
    confirm: Annotated[
        str,
        typer.Option(metavar="DOMAIN", help="The domain again, to skip the confirmation prompt."),
    ] = "",
) -> None:
    """Remove a deployment with its keys, conversations and exports. This cannot be undone.

    Removing the last deployment of a project also removes its editions, updates and agent jobs.
    """
    from docstead.app.services import open_services
    from docstead.base.errors import InvalidRequest
    from docstead.cli.installation import account_settings
    from docstead.cli.tenants import named_deployment

    with exit_on_errors(), open_services(account_settings()) as services:
        found = named_deployment(services.tenancy, domain)
        question = f"Type {domain} to remove it"
        typed = confirm or typer.prompt(question, default="", show_default=False, err=True)
        if typed != domain:
            raise InvalidRequest(f"--confirm: is not {domain}; nothing was removed")
        services.removal.remove(found)
    typer.echo(f"{domain} is removed.", err=True)


def _operator() -> str:
    """Return the name of the user who runs the command."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # containers may have no name for the user
        return f"user {os.getuid()}"


def _wire(services: AppServices, deployment: Deployment) -> dict[str, Any]:
    profile = services.features.of(deployment)
    return {
        "domain": deployment.domain,
        "hostname": deployment.hostname,
        "projectId": deployment.project_id,
        "type": profile.type.value,
        "features": profile.features.by_name(),
        "autoExport": deployment.auto_export,
    }


def _auto_export(services: AppServices, deployment: Deployment) -> str:
    if not deployment.auto_export:
        return "off"
    last = services.exports.last_automatic(deployment.id)
    if last is None:
        return "on, after the next publish"
    reason = f": {last.error}" if last.error else ""
    return f"on, {last.id} {last.status}{reason}"
