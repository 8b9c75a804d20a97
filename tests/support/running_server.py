"""Real servers in a thread of the test's process."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI


class _ThreadedServer(uvicorn.Server):
    """A server that closes connections that it accepted during its shutdown, too."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)  # in which they are closed


@contextmanager
def running_server(app: FastAPI, listener: socket.socket) -> Iterator[None]:
    """Serve an application on a listening socket, from the first request until the end."""
    server = _ThreadedServer(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        _wait_until_started(server)
        yield
    finally:
        server.should_exit = True
        thread.join(120)


def _wait_until_started(server: uvicorn.Server) -> None:
    deadline = time.monotonic() + 120
    while not server.started:
        assert time.monotonic() < deadline, "the server did not start"
        time.sleep(0.01)
