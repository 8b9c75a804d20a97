"""The `docstead` program with its commands, in the order of `--help`."""

from __future__ import annotations

from typing import Annotated

import typer

from docstead import __version__
from docstead.cli.deployments import commands as deployments
from docstead.cli.errors import CommandGroup, report_unknown_variables
from docstead.cli.key_commands import commands as keys
from docstead.cli.organizations import commands as organizations
from docstead.cli.secret import commands as secret
from docstead.cli.service_commands import ask, demo, dev, doctor, host, search, serve, sign_in
from docstead.cli.source_commands import check, export, pdf, publish

app = typer.Typer(
    name="docstead",
    cls=CommandGroup,
    help="Publish a documentation repository as a site with an assistant, and as a static bundle."
    "\n\nStart with: docstead demo",
    no_args_is_help=True,
    rich_markup_mode="markdown",  # paragraphs are wrapped to the terminal's width
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(keys, name="keys")
app.add_typer(organizations, name="organizations")
app.add_typer(deployments, name="deployments")
app.add_typer(secret, name="secret")
for _command in (serve, host, demo, dev, publish, export, pdf, check, ask, search, doctor):
    app.command()(_command)
app.command("sign-in")(sign_in)


@app.callback(invoke_without_command=True)
def docstead(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    strict_settings: Annotated[
        bool,
        typer.Option(
            "--strict-settings",
            help="Fail instead of warning on DOCSTEAD_* variables that are not settings.",
        ),
    ] = False,
) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit
    if strict_settings:
        report_unknown_variables(strict=True)
