"""Limits of HTTP connections: size and memory of headers, time to send, idle time, number.

uvicorn limits headers only in its Python parser (`h11_max_incomplete_event_size`), not in the C
parser, and has no timeout for requests. This module adds the limits to the protocol of the C parser
by overriding its callbacks. They are internals of uvicorn: a test names the version that was
checked.
"""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import dataclass
from enum import Enum, auto
from http import HTTPStatus
from typing import Any

import uvicorn
from starlette.responses import JSONResponse
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from docstead.base.bodies import RequestMemory
from docstead.base.throttled_log import ThrottledLog
from docstead.base.units import KIB, MIB
from docstead.cli.unframed_responses import UnframedResponses

_log = logging.getLogger(__name__)
_UNCOUNTED = 8 * KIB  # of the headers of each connection: large ones never block ordinary ones
_SEPARATORS = 4  # ": " and the line break of a header field
_TOO_LARGE = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits of each connection, and of the number of connections."""

    connections: int = 10_000
    header_bytes: int = 64 * KIB
    header_fields: int = 200
    header_memory_bytes: int = 32 * MIB  # of all connections, beyond 8 KiB of each
    receive_seconds: float = 10.0  # for all headers, and for each chunk of a body
    body_bytes_per_second: int = 240  # minimum transfer rate of bodies
    send_seconds: float = 60.0  # without the peer reading from a response


class LimitedConfig(uvicorn.Config):
    """Server configuration with connection limits, for HTTP only."""

    def __init__(self, app: ASGIApp, limits: ConnectionLimits, **options: Any) -> None:
        super().__init__(app, http=LimitedHttpProtocol, ws="none", **options)
        self.limits = limits
        self.refusals = ThrottledLog(_log)
        self.header_memory = RequestMemory(limits.header_memory_bytes)


class _RequestPhase(Enum):
    IDLE = auto()
    HEADERS = auto()
    BODY = auto()


class LimitedHttpProtocol(HttpToolsProtocol):
    """uvicorn's protocol with the limits of `LimitedConfig`."""

    # With these in its dictionary, a connection would take a fifth more memory.
    __slots__ = (
        "_body_bytes",
        "_header_bytes",
        "_header_fields",
        "_limits",
        "_phase",
        "_receive_timer",
        "_send_timer",
        "_taken",
        "_unparsed_bytes",
        "_unsent_bytes",
    )

    config: LimitedConfig

    def __init__(
        self,
        config: LimitedConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limits = config.limits
        self._phase = _RequestPhase.IDLE
        self._header_bytes = 0
        self._header_fields = 0
        self._unparsed_bytes = 0  # received since the parser last completed something
        self._taken = 0  # of the memory for headers
        self._body_bytes = 0  # received since the last check of the rate
        self._receive_timer: asyncio.TimerHandle | None = None
        self._send_timer: asyncio.TimerHandle | None = None
        self._unsent_bytes = 0

    # Connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        if len(self.connections) > self._limits.connections:
            self.config.refusals.warning(
                "%d connections are open; more are refused", self._limits.connections
            )
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections; try again later")
        else:
            self._start_receive_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_receive_timer()
        self._stop_send_timer()
        self._release_memory()
        super().connection_lost(exc)

    # Receiving

    def data_received(self, data: bytes) -> None:
        self._unparsed_bytes += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._unparsed_bytes > self._limits.header_bytes:
            self._refuse(_TOO_LARGE, self._too_large_message())
        elif not self._take_memory():
            busy = "too many large requests are being received; try again"
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, busy)
        elif self._receive_timer is None and (
            self._phase is not _RequestPhase.IDLE or self._is_unused()
        ):
            self._start_receive_timer()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._phase = _RequestPhase.HEADERS
        self._header_bytes = self._header_fields = 0

    def on_url(self, url: bytes) -> None:
        self._header_bytes += len(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._header_bytes += len(name) + len(value) + _SEPARATORS
        self._header_fields += 1
        # Trailers of a body do not count as headers.
        if self._phase is _RequestPhase.HEADERS and not self._has_large_headers():
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        app = self.app
        self.app = self._refusal() or app
        if self.parser.get_http_version() == "1.0":
            self.app = unframed = UnframedResponses(self.app)
            super().on_headers_complete()
            unframed.cycle = self.cycle
        else:
            super().on_headers_complete()
        self.app = app
        self._enter(_RequestPhase.BODY)

    def on_body(self, body: bytes) -> None:
        self._unparsed_bytes = 0
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._enter(_RequestPhase.IDLE)

    def _enter(self, phase: _RequestPhase) -> None:
        self._phase = phase
        self._unparsed_bytes = self._body_bytes = 0
        self._release_memory()
        self._stop_receive_timer()

    def _take_memory(self) -> bool:
        """Reserve memory for what the parser holds; return False if there is none."""
        more = self._unparsed_bytes - _UNCOUNTED - self._taken
        if more > 0:
            if not self.config.header_memory.take(more):
                return False
            self._taken += more
        return True

    def _release_memory(self) -> None:
        self.config.header_memory.release(self._taken)
        self._taken = 0

    # Rejections

    def _refusal(self) -> ASGIApp | None:
        """Return the application that rejects this request, or None to accept it."""
        if self._has_large_headers():
            return _refusing(_TOO_LARGE, self._too_large_message())
        if self._get_upgrade() == b"websocket":
            return _refusing(HTTPStatus.BAD_REQUEST, "WebSocket connections are not supported")
        hosts = sum(name == b"host" for name, _ in self.headers)  # RFC 9112, section 3.2
        if hosts > 1:
            return _refusing(HTTPStatus.BAD_REQUEST, "the request has more than one Host header")
        if not hosts and self.parser.get_http_version() == "1.1":
            return _refusing(HTTPStatus.BAD_REQUEST, "the request has no Host header")
        return None

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's text
        """Refuse what the parser rejects; it also rejects URLs of 64 KiB before we see them."""
        if self._has_large_headers():
            self._refuse(_TOO_LARGE, self._too_large_message())
        else:
            self._refuse(HTTPStatus.BAD_REQUEST, "the request is not valid HTTP")

    def _has_large_headers(self) -> bool:
        limits = self._limits
        is_large = self._header_bytes > limits.header_bytes
        return is_large or self._header_fields > limits.header_fields

    def _too_large_message(self) -> str:
        limits = self._limits
        return (
            f"URL and headers are larger than {limits.header_bytes} bytes "
            f"or have more than {limits.header_fields} fields"
        )

    def _unsupported_upgrade_warning(self) -> None:
        """Do nothing: upgrade requests are answered without an upgrade, as HTTP allows."""

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        """Send an error if no response has started, and close the connection."""
        if self._is_unused() or not self.cycle.response_started:
            self.transport.write(_raw_response(status, message))
        self._close()

    def _close(self) -> None:
        # Before the next connection is read: all that are waiting may have large headers.
        self.parser = None  # type: ignore[assignment]  # as after the connection is lost
        self.headers = []
        self._release_memory()
        if self.transport.get_write_buffer_size():
            self.transport.abort()  # a peer that does not read would keep the connection open
        else:
            self.transport.close()

    def _is_unused(self) -> bool:
        """Report whether no request is in progress."""
        return self.cycle is None or self.cycle.response_complete

    # Receive timeout

    def _start_receive_timer(self) -> None:
        self._body_bytes = 0
        seconds = self._limits.receive_seconds
        self._receive_timer = self.loop.call_later(seconds, self._check_receiving)

    def _stop_receive_timer(self) -> None:
        if self._receive_timer is not None:
            self._receive_timer.cancel()
            self._receive_timer = None

    def _check_receiving(self) -> None:
        self._receive_timer = None
        if self.transport.is_closing():
            return
        if self._is_waiting_for_us() or self._is_fast_enough():
            self._start_receive_timer()
        elif self._phase is _RequestPhase.IDLE:
            self._close()  # no request is pending, so no response is expected
        else:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "the request was not sent in time")

    def _is_waiting_for_us(self) -> bool:
        """Report whether the peer is waiting for the service."""
        if self._phase is _RequestPhase.BODY:
            return self.flow.read_paused or self.cycle.waiting_for_100_continue
        return not self._is_unused()

    def _is_fast_enough(self) -> bool:
        limits = self._limits
        least = limits.body_bytes_per_second * limits.receive_seconds
        return self._phase is _RequestPhase.BODY and self._body_bytes >= least

    # Send timeout

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_sending()

    def resume_writing(self) -> None:
        self._stop_send_timer()
        super().resume_writing()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.get_write_buffer_size():
            self._watch_sending()

    def _watch_sending(self) -> None:
        if self._send_timer is None:
            self._unsent_bytes = self.transport.get_write_buffer_size()
            self._send_timer = self.loop.call_later(self._limits.send_seconds, self._check_sending)

    def _stop_send_timer(self) -> None:
        if self._send_timer is not None:
            self._send_timer.cancel()
            self._send_timer = None

    def _check_sending(self) -> None:
        self._send_timer = None
        unsent = self.transport.get_write_buffer_size()
        if unsent >= self._unsent_bytes > 0:
            self.transport.abort()
        elif unsent:
            self._watch_sending()


def _refusing(status: HTTPStatus, message: str) -> ASGIApp:
    return JSONResponse({"error": message}, status, {"Connection": "close"})


def _raw_response(status: HTTPStatus, message: str) -> bytes:
    body = json.dumps({"error": message})
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return (head + body).encode("ascii")
