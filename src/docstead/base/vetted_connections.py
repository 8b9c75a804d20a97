"""Connections to vetted addresses, with a total deadline."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpcore
from httpcore import ConnectionPool

from docstead.base.errors import InvalidRequest, Unavailable

__all__ = [
    "ConnectionPool",
    "RequestDeadline",
    "TimedStream",
    "VettedBackend",
    "guarded",
    "own_errors",
]


class RequestDeadline:
    """Deadline of a request."""

    def __init__(self, at: float) -> None:  # of `time.monotonic()`
        self._at = at

    def within(self, timeout: float | None) -> float:
        """Return the timeout for one operation. Raises ReadTimeout if no time is left."""
        left = self._at - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout
        return left if timeout is None else min(left, timeout)


class TimedStream(httpcore.NetworkStream):
    """A connection whose operations end at the deadline."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: RequestDeadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.within(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.within(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        within = self._deadline.within(timeout)
        secured = self._stream.start_tls(ssl_context, server_hostname, within)
        return self._around(secured)

    def _around(self, stream: httpcore.NetworkStream) -> httpcore.NetworkStream:
        return TimedStream(stream, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class VettedBackend(httpcore.NetworkBackend):
    """Connects to vetted addresses; TLS uses the hostname."""

    def __init__(
        self,
        vetted_addresses: Callable[..., list[str]],
        deadline: RequestDeadline,
        *,
        is_plain: bool,
    ) -> None:
        self._vetted_addresses = vetted_addresses
        self._deadline = deadline
        self._is_plain = is_plain
        self._backend = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        failure: Exception = httpcore.ConnectError("the host has no address")
        for address in self._vetted_addresses(host, port, is_plain=self._is_plain):
            try:
                connected = self._backend.connect_tcp(
                    address, port, self._deadline.within(timeout), local_address, socket_options
                )
                return TimedStream(connected, self._deadline)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure


def guarded(host: str, blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the blocks of a body, converting errors to Docstead errors."""
    with own_errors(host):
        yield from blocks


@contextmanager
def own_errors(host: str) -> Iterator[None]:
    """Convert the library's errors to `Unavailable` and `InvalidRequest`."""
    try:
        yield
    except httpcore.TimeoutException as error:
        raise Unavailable(f"{host} did not answer in time") from error
    except (httpcore.NetworkError, httpcore.ProtocolError, ssl.SSLError, OSError) as error:
        raise Unavailable(f"{host} cannot be reached: {error or type(error).__name__}") from error
    except httpcore.UnsupportedProtocol as error:
        raise InvalidRequest(f"{host}: {error}") from error
