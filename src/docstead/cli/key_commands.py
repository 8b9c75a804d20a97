"""The `keys` commands and their options; `docstead.cli.keys` runs them."""

from __future__ import annotations

from typing import Annotated

import typer

from docstead.cli.errors import exit_on_errors

_MOST_DAYS = 36_500

commands = typer.Typer(
    help="Create, list and revoke API keys.\n\n"
    "Admin keys (svc_…) are secret and work on the whole organization; assistant keys "
    "(svc_dsc_…) may be used in a browser and work on one deployment.",
    no_args_is_help=True,
)


@commands.command("create")
def create_key(
    kind: Annotated[
        str, typer.Argument(metavar="admin|assistant", help="Kind of key.", show_default=False)
    ],
    domain: Annotated[
        str | None,
        typer.Option(
            help="Domain of the deployment, for an assistant key; the only one by default."
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="Purpose of the key.")] = "command line",
    expires_in_days: Annotated[
        int | None,
        typer.Option(min=1, max=_MOST_DAYS, help="Days until the key expires; never by default."),
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            help="read or write, for admin keys (both by default); groups, for assistant keys "
            "of servers that read pages for groups. Repeat the option for several."
        ),
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            help="IP address or network (CIDR) that may use the key; any by default. Repeat the "
            "option for several."
        ),
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            help="Origin of web pages that may use an assistant key, such as "
            "https://example.com; any by default. Repeat the option for several."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print id and key as JSON.")] = False,
) -> None:
    """Create a key and show it once.

    Example: docstead keys create admin --name CI --scope write
    """
    from docstead.cli.keys import create

    with exit_on_errors():
        create(
            kind,
            domain=domain,
            name=name,
            expires_in_days=expires_in_days,
            scopes=scope,
            allowlist=allow,
            origins=origin,
            as_json=as_json,
        )


@commands.command("list")
def list_keys(
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """List all keys. Their secret values are not stored and cannot be shown."""
    from docstead.cli.keys import list_all

    with exit_on_errors():
        list_all(as_json=as_json)


@commands.command("rotate-site")
def rotate_site_key(
    domain: Annotated[
        str | None, typer.Option(help="Domain of the deployment; the only one by default.")
    ] = None,
) -> None:
    """Replace the key in the pages of a site. The previous one stays valid until it is revoked."""
    from docstead.cli.keys import rotate_site

    with exit_on_errors():
        rotate_site(domain)


@commands.command("rotate-webhook")
def rotate_webhook_secret(
    domain: Annotated[
        str | None, typer.Option(help="Domain of the deployment; the only one by default.")
    ] = None,
) -> None:
    """Replace the secret of the forge's webhook for a project, and print the new one."""
    from docstead.cli.keys import rotate_webhook

    with exit_on_errors():
        rotate_webhook(domain)


@commands.command("revoke")
def revoke_key(
    key_id: Annotated[
        str, typer.Argument(metavar="ID", help="Id of the key, as docstead keys list shows it.")
    ],
) -> None:
    """Revoke a key immediately."""
    from docstead.cli.keys import revoke

    with exit_on_errors():
        revoke(key_id)
