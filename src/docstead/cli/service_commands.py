"""Commands that start or query a service."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docstead.cli.errors import exit_on_errors


def serve(
    host: Annotated[str | None, typer.Option(help="IP address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
) -> None:
    """Start the service: sites, HTTP API and dashboard.

    Settings come from DOCSTEAD_* and docstead.toml (docs: reference/settings).
    Ctrl-C stops the service after the answers in progress.
    """
    from docstead.cli.serve import run

    with exit_on_errors():
        run(host=host, port=port)


def host(
    config: Annotated[
        Path,
        typer.Option(help="Configuration file, such as deployment.yaml."),
    ],
    host: Annotated[str | None, typer.Option(help="IP address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    rollback: Annotated[
        bool, typer.Option("--rollback", help="Roll back to the previous bundle and exit.")
    ] = False,
) -> None:
    """Serve an exported bundle without the service that exported it.

    Downloads staticExport.bundleUrl, checks and unpacks it, and replaces the live bundle in
    one step. A changed configuration takes effect without an interruption. If a new bundle
    fails, the old one stays live. /readyz reports the state.
    """
    from docstead.cli.host import restore_previous, run

    with exit_on_errors():
        if rollback:
            restore_previous(config)
        else:
            run(config, host=host, port=port)


def demo(
    source: Annotated[str, typer.Argument(help="Repository to publish.")] = "docs",
) -> None:
    """Start the service with everything embedded, and print example commands.

    Publishes SOURCE and creates an admin key, an assistant key and a one-time sign-in link.
    demo.json in the data folder holds the same values. A second run reuses the data.
    """
    from docstead.cli.demo import run

    with exit_on_errors():
        run(source)


def dev(
    source: Annotated[Path, typer.Argument(help="Folder that contains docs.json.")] = Path(),
    host: Annotated[str, typer.Option(help="IP address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on, or the next free one.")] = 3000,
) -> None:
    """Preview a folder while you edit it.

    Open pages reload on every change, and new diagnostics are printed. No database is needed.
    """
    from docstead.cli.dev import run

    with exit_on_errors():
        run(source, host=host, port=port)


def ask(
    question: Annotated[str, typer.Argument(help="Question to answer.", show_default=False)],
    domain: Annotated[
        str | None, typer.Option(help="Deployment to ask; the only one by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Answer a question from a published deployment, with its sources.

    The question is not recorded: it appears neither in conversations nor in gaps.
    """
    from docstead.cli.ask import run

    with exit_on_errors():
        run(question, domain=domain, as_json=as_json)


def search(
    words: Annotated[list[str], typer.Argument(help="Search query.", show_default=False)],
    domain: Annotated[
        str | None, typer.Option(help="Deployment to search; the only one by default.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=50, help="Sections to show.")] = 5,
    version: Annotated[str | None, typer.Option(help="Only pages of this version.")] = None,
    language: Annotated[str | None, typer.Option(help="Only pages in this language.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """Find sections of a published deployment, with the same search as readers and assistant."""
    from docstead.cli.search import run

    with exit_on_errors():
        run(words, domain=domain, limit=limit, version=version, language=language, as_json=as_json)


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """Check this machine and the settings. Exit with status 1 if a check failed."""
    from docstead.cli.doctor import run

    with exit_on_errors():
        run(as_json=as_json)


def sign_in() -> None:
    """Print a one-time link to the dashboard, for the first sign-in or a forgotten password."""
    from docstead.cli.sign_in import run

    with exit_on_errors():
        run()
