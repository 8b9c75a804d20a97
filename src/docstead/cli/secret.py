"""The `secret` commands: rotate, retire and reset the secret that encrypts the keyring."""

from __future__ import annotations

from typing import Annotated

import typer

from docstead.cli.errors import exit_on_errors

commands = typer.Typer(
    help="Rotate the secret that encrypts the keys of the service.", no_args_is_help=True
)


@commands.command()
def rotate() -> None:
    """Create a new secret. API keys, site keys and stored secrets stay valid.

    If the secret is a setting, its new value is printed.
    """
    import json

    from docstead.app.accounts import open_accounts
    from docstead.app.keys import root_secrets_of
    from docstead.cli.installation import account_settings
    from docstead.secrets import RootSecretFile, new_secret

    with exit_on_errors(), open_accounts(account_settings()) as accounts:
        root_secrets = root_secrets_of(accounts.settings)
        if isinstance(root_secrets, RootSecretFile):
            root_secrets.add()
            accounts.keyring.open()
            typer.echo(f"{root_secrets.location} begins with a new secret.", err=True)
        else:
            renewed = json.dumps([new_secret(), *root_secrets.read()])
            typer.echo(f"{root_secrets.location}={renewed}")
            typer.echo("Set this on every node and restart the nodes one by one.", err=True)
        typer.echo("The previous secret is valid until: docstead secret retire", err=True)


@commands.command()
def retire() -> None:
    """Retire all secrets except the newest. Download links that they signed stop working."""
    from docstead.app.accounts import open_accounts
    from docstead.app.keys import root_secrets_of
    from docstead.cli.installation import account_settings
    from docstead.secrets import RootSecretFile

    with exit_on_errors(), open_accounts(account_settings()) as accounts:
        root_secrets = root_secrets_of(accounts.settings)
        if isinstance(root_secrets, RootSecretFile):
            root_secrets.keep_newest()
        accounts.keyring.retire()
        typer.echo("Only the newest secret is valid now.", err=True)


@commands.command()
def reset(
    yes: Annotated[
        bool, typer.Option("--yes", help="Confirm that API keys and stored secrets are lost.")
    ] = False,
) -> None:
    """Start with a new secret after the old one was lost.

    All API keys, site keys and download links become invalid. Webhooks, and credentials in
    source URLs, are removed.
    """
    from docstead.app.secret_reset import reset_keyring
    from docstead.base.errors import InvalidRequest
    from docstead.cli.installation import account_settings

    with exit_on_errors():
        if not yes:
            raise InvalidRequest(
                "this invalidates all API keys, site keys and download links, and removes "
                "webhooks and source credentials; to proceed: docstead secret reset --yes"
            )
        reset_keyring(account_settings())
        typer.echo("A new secret was created. Create new keys: docstead keys create", err=True)
