"""Commands that start or query a service."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docstead.cli.errors import exit_on_errors
from docstead.cli.source_options import RootOption

HostOption = Annotated[
    str | None,
    typer.Option(help="IP address to listen on; DOCSTEAD_HOST, or 127.0.0.1 by default."),
]
_LAST_PORT = 65_535
PortOption = Annotated[
    int | None,
    typer.Option(
        min=1, max=_LAST_PORT, help="Port to listen on; DOCSTEAD_PORT, or 8080 by default."
    ),
]


def serve(
    host: HostOption = None,
    port: PortOption = None,
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
    host: HostOption = None,
    port: PortOption = None,
    rollback: Annotated[
        bool, typer.Option("--rollback", help="Roll back to the previous bundle and exit.")
    ] = False,
) -> None:
    """Serve an exported bundle without the service that exported it.

    Downloads staticExport.bundleUrl, checks and unpacks it, and replaces the live bundle in
    one step. A changed configuration takes effect without an interruption. If a new bundle
    fails, the old one stays live. /readyz reports the state.

    Example: docstead host --config deployment.yaml
    """
    from docstead.cli.host import restore_previous, run

    with exit_on_errors():
        if rollback:
            restore_previous(config)
        else:
            run(config, host=host, port=port)


def demo(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="Folder or git URL to publish.")
    ] = "docs",
) -> None:
    """Start the service with everything embedded, and print example commands.

    Publishes SOURCE and creates an admin key, an assistant key and a one-time sign-in link.
    demo.json in the data folder holds the same values. A second run reuses the data.
    DOCSTEAD_PORT sets another port than 8080.
    """
    from docstead.cli.demo import run

    with exit_on_errors():
        run(source)


def dev(
    source: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="Folder that contains docs.json.")
    ] = Path(),
    root: RootOption = "",
    host: Annotated[str, typer.Option(help="IP address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            min=1, max=_LAST_PORT, help="Port to listen on; the next free one if it is taken."
        ),
    ] = 3000,
) -> None:
    """Preview a folder while you edit it.

    Open pages reload on every change, and new diagnostics are printed. No database is needed.
    """
    from docstead.cli.dev import run

    with exit_on_errors():
        run(source / root, host=host, port=port)


def ask(
    question: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION", help="Question to answer, in quotes.", show_default=False
        ),
    ],
    domain: Annotated[
        str | None, typer.Option(help="Domain of the deployment; the only one by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Answer a question from a published deployment, with its sources.

    The question is not recorded: it appears neither in conversations nor in gaps.

    Example: docstead ask "How do I export the site?" --domain handbook
    """
    from docstead.cli.ask import run

    with exit_on_errors():
        run(question, domain=domain, as_json=as_json)


def search(
    words: Annotated[
        list[str],
        typer.Argument(metavar="WORD", help="Search query.", show_default=False),
    ],
    domain: Annotated[
        str | None, typer.Option(help="Domain of the deployment; the only one by default.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=50, help="Sections to show.")] = 5,
    version: Annotated[
        str | None, typer.Option(help="Only pages of this version, such as 2.0.")
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="Only pages in this language, such as fr.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """Find sections of a published deployment, with the same search as readers and assistant.

    Example: docstead search rotate keys --domain handbook --limit 3
    """
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
