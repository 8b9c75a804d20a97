"""HTTP server in the foreground, for a command's application."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from urllib.parse import urlsplit

import uvicorn
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docstead.accounts.site_hosts import is_loopback
from docstead.base.errors import Conflict
from docstead.base.machine import check_address_space, check_descriptors
from docstead.base.texts import logged_path
from docstead.cli.descriptors import (
    connections_below,
    log_exhaustion_once_a_minute,
    raise_descriptor_limit,
)
from docstead.cli.http_limits import ConnectionLimits, LimitedConfig
from docstead.settings import Settings

_log = logging.getLogger(__name__)
_GRACE_SECONDS = 5
# The default of 5 ms lets a thread that stores answers delay the event loop by as much each
# time it sends a word, which is noticeable with 1,000 streams.
_SWITCH_SECONDS = 0.0005


def _nothing() -> None:
    return


def run_server(
    app: ASGIApp,
    settings: Settings,
    ready: Callable[[], None],
    ending: Callable[[], None] = _nothing,
) -> None:
    """Serve until interrupted; `ready` is called once connections are accepted.

    `ending` is called on an interrupt, before open requests are completed.

    Raises:
        Exception: the error that ended the application's startup.
    """
    started = _StartupFailure(app)
    config = LimitedConfig(
        _LoggedDisconnects(started),
        _limits(settings),
        host=settings.host,
        port=settings.port,
        log_level="warning" if settings.log_level == "info" else settings.log_level,
        access_log=False,
        server_header=False,
        headers=_headers(settings),
        # The client address is determined by our own rules, from trusted proxies only.
        proxy_headers=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    sys.setswitchinterval(_SWITCH_SECONDS)
    # The server raises the interrupt again after its shutdown.
    with suppress(KeyboardInterrupt), started.reported():
        _Server(config, ready, ending).run()


def _headers(settings: Settings) -> list[tuple[str, str]]:
    if not settings.hsts_seconds:
        return []
    return [("Strict-Transport-Security", f"max-age={settings.hsts_seconds}")]


def check_port(settings: Settings) -> None:
    """Check the port before the service starts.

    Raises:
        Conflict: the port is in use.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            is_taken = error.errno in (errno.EADDRINUSE, errno.EACCES)
            instead = f"port, for example DOCSTEAD_PORT={settings.port + 1}"
            raise Conflict(
                f"cannot listen on {settings.host}:{settings.port} ({error.strerror}); choose "
                f"another {instead if is_taken else 'IP address with --host or DOCSTEAD_HOST'}"
            ) from error


def check_machine() -> None:
    """Check the limits of this process.

    Raises:
        MachineTooSmall: a limit is too low for a service.
    """
    check_address_space()
    check_descriptors(raise_descriptor_limit())


def browser_url(settings: Settings, name: str) -> str:
    """Return the URL for a browser on this machine, with its own host below `localhost`.

    Cookies are not separated by port, so `127.0.0.1` would share those of other services.
    """
    url = settings.public_url
    is_local = is_loopback(urlsplit(url).hostname or "")
    return f"http://{name}.localhost:{settings.port}" if is_local else url


def _limits(settings: Settings) -> ConnectionLimits:
    return ConnectionLimits(
        connections=connections_below(raise_descriptor_limit(), settings.max_connections),
        header_bytes=settings.max_header_bytes,
        receive_seconds=settings.receive_seconds,
    )


class _StartupFailure:
    """Stores the error that ended an application's startup, which the server only logs.

    An application without lifespan support raises before it receives anything, which the server
    handles.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._error: Exception | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await self._app(scope, receive, send)
            return
        is_starting = has_started = False

        async def begin() -> Message:
            nonlocal is_starting
            is_starting = True
            return await receive()

        async def intercept(message: Message) -> None:
            nonlocal has_started
            has_started = has_started or message["type"] == "lifespan.startup.complete"
            if message["type"] != "lifespan.startup.failed":
                await send(message)

        try:
            await self._app(scope, begin, intercept)
        except Exception as error:
            if has_started or not is_starting:
                raise
            self._error = error
            await send({"type": "lifespan.startup.failed", "message": ""})

    @contextmanager
    def reported(self) -> Iterator[None]:
        """Raise the stored error instead of the server's exit."""
        try:
            yield
        finally:
            if self._error is not None:
                raise self._error


class _LoggedDisconnects:
    """Middleware that logs a client's disconnection within a request body, without traceback."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except ClientDisconnect:
            _log.info(
                "%s %s: the client disconnected while sending the body",
                scope["method"],
                logged_path(scope["path"]),
            )


class _Server(uvicorn.Server):
    def __init__(
        self, config: uvicorn.Config, ready: Callable[[], None], ending: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._ready = ready
        self._ending = ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._ending()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        log_exhaustion_once_a_minute(asyncio.get_running_loop())
        await super().startup(sockets)
        if self.started:
            # Objects that exist now are permanent; scanning them repeatedly would delay requests.
            gc.collect()
            gc.freeze()
            self._ready()
