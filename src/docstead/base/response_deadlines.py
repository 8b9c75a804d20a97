"""Deadline of responses for clients of httpx, whose timeouts limit single reads only.

A host that sends a byte of its headers now and then would hold a request for hours.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import httpcore
import httpx

from docstead.base.vetted_connections import RequestDeadline, TimedStream


def limit_response_time(client: httpx.Client, seconds: float) -> None:
    """Limit the time from a request's last byte to the end of its response."""
    backend = _DeadlineBackend(seconds)
    for transport in (client._transport, *client._mounts.values()):  # httpx has no setting for it
        if isinstance(transport, httpx.HTTPTransport):
            transport._pool._network_backend = backend


class _DeadlineBackend(httpcore.NetworkBackend):
    """Opens connections with a deadline for each response."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._backend = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        connected = self._backend.connect_tcp(host, port, timeout, local_address, socket_options)
        return _ResponseStream(connected, self._seconds)


class _ResponseStream(TimedStream):
    """A connection whose reads end some seconds after the last write."""

    def __init__(self, stream: httpcore.NetworkStream, seconds: float) -> None:
        super().__init__(stream, _in(seconds))
        self._seconds = seconds

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, timeout)
        self._deadline = _in(self._seconds)

    def _around(self, stream: httpcore.NetworkStream) -> httpcore.NetworkStream:
        return _ResponseStream(stream, self._seconds)


def _in(seconds: float) -> RequestDeadline:
    return RequestDeadline(time.monotonic() + seconds)
