"""A request to become a WebSocket, on any URL."""

from __future__ import annotations

import socket

import pytest

from running_service import Service
from served import read_all

UPGRADE = (
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
PATHS = ["/", "/discovery/v1/search/x", "/v1/static-export/jobs", "/dashboard", "/mcp", "/livez"]


@pytest.mark.parametrize("path", PATHS)
def test_web_sockets_are_refused(small_service: Service, path: str) -> None:
    with socket.create_connection(("127.0.0.1", small_service.port)) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n".encode() + UPGRADE)
        answer = read_all(connection)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'{"error":"WebSocket connections are not supported"}' in answer
    assert "Traceback" not in small_service.log()


def test_other_upgrades_are_answered_without_one(small_service: Service) -> None:
    answer = small_service.get("/livez", headers={"Connection": "Upgrade", "Upgrade": "h2c"})
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
