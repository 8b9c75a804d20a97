"""The `docstead` program with its commands, in the order of `--help`.

A command's own module is imported, and its options are read, only if it is run or for `--help`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from docstead import __version__
from docstead.cli.errors import report_unknown_variables

_GROUPS = {
    "keys": "key_commands",
    "organizations": "organizations",
    "deployments": "deployments",
    "secret": "secret",
}
_COMMANDS = {
    **dict.fromkeys(("serve", "host", "demo", "dev"), "service_commands"),
    **dict.fromkeys(("publish", "export", "pdf", "check"), "source_commands"),
    **dict.fromkeys(("ask", "search", "doctor", "sign-in"), "service_commands"),
}


class CommandGroup(TyperGroup):
    """Group whose commands refuse values of options in the product's words."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except TyperException as error:
            if error.__cause__ is not None:
                error.message = _refusal(error.__cause__) or error.message
            raise


def _refusal(cause: BaseException) -> str | None:
    from pydantic import ValidationError

    from docstead.base.validation_texts import validation_text

    return validation_text(dict(cause.errors()[0])) if isinstance(cause, ValidationError) else None


def program(arguments: Sequence[str] = ()) -> typer.Typer:
    """Return the program, with all commands unless the arguments begin with the name of one."""
    app = typer.Typer(
        name="docstead",
        cls=CommandGroup,
        help="Publish a documentation repository as a site with an assistant, and as a static "
        "bundle.\n\nStart with: docstead demo",
        no_args_is_help=True,
        rich_markup_mode="markdown",  # paragraphs are wrapped to the terminal's width
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(docstead)
    named = arguments[0] if arguments and arguments[0] in {*_GROUPS, *_COMMANDS} else None
    for name, module in _GROUPS.items():
        if named in (name, None):
            app.add_typer(_imported(module, "commands"), name=name)
    for name, module in _COMMANDS.items():
        if named in (name, None):
            app.command(name)(_imported(module, name.replace("-", "_")))
    return app


def _imported(module: str, name: str) -> Any:
    return getattr(import_module(f"docstead.cli.{module}"), name)


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
