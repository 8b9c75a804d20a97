"""The `organizations` commands: list, and change plans."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from docstead.accounts.plans import OrganizationPlan
from docstead.base.errors import InvalidRequest, NotFound
from docstead.cli.errors import exit_on_errors

if TYPE_CHECKING:  # commands without storage start without its libraries
    from docstead.accounts.tenancy import Organization, Tenancy

commands = typer.Typer(
    help="List organizations and change their plans.",
    no_args_is_help=True,
)


@commands.command("list")
def list_all(
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """Print id, name and plan of each organization."""
    from docstead.app.accounts import open_accounts
    from docstead.cli.installation import account_settings

    with exit_on_errors(), open_accounts(account_settings()) as accounts:
        organizations = accounts.tenancy.organizations()
    if as_json:
        known = [{"id": each.id, "name": each.name, "plan": each.plan} for each in organizations]
        typer.echo(json.dumps(known))
        return
    for each in organizations:
        typer.echo(f"{each.id}  {each.name}  {each.plan}")


@commands.command("plan")
def set_plan(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name or id of an organization.")],
    plan: Annotated[
        OrganizationPlan, typer.Argument(metavar="PLAN", help="community, pro or enterprise.")
    ],
) -> None:
    """Change the plan of an organization. A running service applies it immediately."""
    from docstead.app.accounts import open_accounts
    from docstead.cli.installation import account_settings

    with exit_on_errors(), open_accounts(account_settings()) as accounts:
        found = _organization(accounts.tenancy, name)
        accounts.tenancy.set_plan(found.id, plan)
    typer.echo(f"{found.name}: the plan is {plan}.", err=True)


def _organization(tenancy: Tenancy, name: str) -> Organization:
    """Return the organization with this name or id.

    Raises:
        NotFound: there is none.
        InvalidRequest: several organizations have the name.
    """
    known = tenancy.organizations()
    found = [each for each in known if name in (each.id, each.name)]
    if not found:
        names = ", ".join(each.name for each in known) or "none"
        raise NotFound(f"NAME: there is no organization {name!r}; there are: {names}")
    if len(found) > 1:
        ids = ", ".join(each.id for each in found)
        raise InvalidRequest(f"NAME: several organizations are called {name!r}; use an id: {ids}")
    return found[0]
