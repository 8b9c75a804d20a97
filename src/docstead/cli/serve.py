"""`serve`: the service in the foreground."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from rich.console import Console

from docstead.app import Services, configure_logging, create_service, open_services
from docstead.base.errors import Conflict
from docstead.settings import Settings, load_settings

_GRACE_SECONDS = 5


def run(*, host: str | None, port: int | None) -> None:
    settings = load_settings(host=host, port=port)
    check_port(settings)
    configure_logging(settings.log_level)
    with open_services(settings) as services:
        serve(services, lambda: _greet(settings))


def serve(services: Services, ready: Callable[[], None]) -> None:
    """Serve until interrupted; `ready` is called once connections are accepted."""
    settings = services.settings
    config = uvicorn.Config(
        create_service(services),
        host=settings.host,
        port=settings.port,
        log_level="warning" if settings.log_level == "info" else settings.log_level,
        access_log=False,
        server_header=False,
        # The client's address is told by our own rule, from trusted proxies alone.
        proxy_headers=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    # The server raises the interrupt again once it has ended everything.
    with suppress(KeyboardInterrupt):
        _Server(config, ready).run()


def check_port(settings: Settings) -> None:
    """Raises Conflict where the port is taken, before anything else is done."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise Conflict(
                f"cannot listen on {settings.host}:{settings.port} ({error.strerror}); "
                f"choose another port, for example DOCSTEAD_PORT={settings.port + 1}"
            ) from error


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def _greet(settings: Settings) -> None:
    Console(stderr=True, highlight=False).print(
        f"Docstead serves on {settings.public_url}. Ctrl-C stops it.\n"
        f"Dashboard: {settings.public_url}/dashboard (docstead sign-in prints a one-time link)"
    )
