"""The `serve` command: runs the service in the foreground."""

from __future__ import annotations

import logging
from collections.abc import Callable

from rich.console import Console

from docstead.accounts.site_hosts import is_loopback
from docstead.app.databases import database_url
from docstead.app.service import create_service
from docstead.app.services import AppServices, open_services
from docstead.base.heap import limit_fragmentation
from docstead.base.sandbox import SandboxMode, supported
from docstead.cli.announcement import announced
from docstead.cli.logs import configure_logging
from docstead.cli.server import check_machine, check_port, run_server
from docstead.jobs.library import check_unused
from docstead.settings import Settings, load_settings

_log = logging.getLogger(__name__)


def run(*, host: str | None, port: int | None) -> None:
    settings = load_settings(host=host, port=port)
    check_machine()
    limit_fragmentation()
    check_port(settings)
    check_unused(database_url(settings))
    configure_logging(settings.log_level)
    with open_services(settings) as services:
        serve(services, lambda: _greet(settings))


def serve(services: AppServices, ready: Callable[[], None]) -> None:
    """Serve until interrupted; `ready` is called once connections are accepted."""
    settings = services.settings
    _warn_without_sandbox(settings.sandbox)
    _warn_without_base_url(settings)
    with announced(settings) as announce:

        def started() -> None:
            announce()
            ready()

        run_server(create_service(services), settings, started)


def _warn_without_base_url(settings: Settings) -> None:
    if not settings.base_url and not is_loopback(settings.host):
        _log.warning("DOCSTEAD_BASE_URL is not set; links use %s", settings.public_url)


def _warn_without_sandbox(mode: SandboxMode) -> None:
    layers = supported()
    if mode == SandboxMode.OFF:
        _log.warning("the sandbox is off: pages are rendered without Landlock and seccomp")
    elif not layers.is_complete:
        _log.warning("the sandbox is incomplete; this machine has %s", layers)


def _greet(settings: Settings) -> None:
    behind = f", listening on {settings.host} port {settings.port}" if settings.base_url else ""
    Console(stderr=True, highlight=False, soft_wrap=True).print(
        f"Docstead serves on {settings.public_url}{behind}. Ctrl-C stops it.\n"
        f"Dashboard: {settings.public_url}/dashboard (docstead sign-in prints a one-time link)"
    )
