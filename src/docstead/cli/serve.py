"""`serve`: the service in the foreground."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console

from docstead.app.service import create_service
from docstead.app.services import Services, open_services
from docstead.cli.logs import configure_logging
from docstead.cli.server import check_port, run_server
from docstead.settings import Settings, load_settings


def run(*, host: str | None, port: int | None) -> None:
    settings = load_settings(host=host, port=port)
    check_port(settings)
    configure_logging(settings.log_level)
    with open_services(settings) as services:
        serve(services, lambda: _greet(settings))


def serve(services: Services, ready: Callable[[], None]) -> None:
    """Serve until interrupted; `ready` is called once connections are accepted."""
    run_server(create_service(services), services.settings, ready)


def _greet(settings: Settings) -> None:
    Console(stderr=True, highlight=False).print(
        f"Docstead serves on {settings.public_url}. Ctrl-C stops it.\n"
        f"Dashboard: {settings.public_url}/dashboard (docstead sign-in prints a one-time link)"
    )
