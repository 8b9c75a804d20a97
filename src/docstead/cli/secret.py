"""`secret`: rotate, retire and reset the secret that opens the keyring."""

from __future__ import annotations

from typing import Annotated

import typer

from docstead.cli.errors import told

commands = typer.Typer(
    help="Rotate the secret that encrypts the keys of the service.", no_args_is_help=True
)


@commands.command()
def rotate() -> None:
    """Make a new secret. API keys, site keys and stored secrets stay valid.

    Where the secret is a setting, the new value of the setting is printed.
    """
    import json

    from docstead.app.accounts import open_accounts
    from docstead.app.keys import root_secrets_of
    from docstead.secrets import RootSecretFile, new_secret
    from docstead.settings import load_settings

    with told(), open_accounts(load_settings()) as accounts:
        root_secrets = root_secrets_of(accounts.settings)
        if isinstance(root_secrets, RootSecretFile):
            root_secrets.add()
            accounts.keyring.open()
            typer.echo(f"{root_secrets.place} begins with a new secret.", err=True)
        else:
            renewed = json.dumps([new_secret(), *root_secrets.read()])
            typer.echo(f"{root_secrets.place}={renewed}")
            typer.echo("Set this on every node and restart one after the other.", err=True)
        typer.echo("The older secret stays valid until: docstead secret retire", err=True)


@commands.command()
def retire() -> None:
    """End all secrets but the newest, and the download links that were signed before it."""
    from docstead.app.accounts import open_accounts
    from docstead.app.keys import root_secrets_of
    from docstead.secrets import RootSecretFile
    from docstead.settings import load_settings

    with told(), open_accounts(load_settings()) as accounts:
        root_secrets = root_secrets_of(accounts.settings)
        if isinstance(root_secrets, RootSecretFile):
            root_secrets.keep_newest()
        accounts.keyring.retire()
        typer.echo("Only the newest secret is valid now.", err=True)


@commands.command()
def reset(
    yes: Annotated[
        bool, typer.Option("--yes", help="Do it: API keys and stored secrets are lost.")
    ] = False,
) -> None:
    """Begin with a new secret because the old one is lost.

    Every API key, site key and download link ends. Webhooks are removed, and credentials in
    the URLs of sources too.
    """
    from docstead.app.secret_reset import reset_keyring
    from docstead.base.errors import InvalidRequest
    from docstead.settings import load_settings

    with told():
        if not yes:
            raise InvalidRequest(
                "this ends every API key, site key and download link, and removes webhooks and "
                "the credentials of sources; to do it: docstead secret reset --yes"
            )
        reset_keyring(load_settings())
        typer.echo("There is a new secret. Make new keys: docstead keys create", err=True)
