"""Bodies that break off, and a process without descriptors: lines in the log, no floods."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from attacked_service import call
from running_service import Service
from served import Served, read_all, served

POSTS = ["/discovery/v1/search/{}", "/v1/static-export/jobs", "/_docs/api/v1/e", "/mcp",
         "/_docs/api/request", "/dashboard/sign-in"]  # fmt: skip


@pytest.mark.parametrize("path", POSTS)
def test_a_broken_body_is_one_line(small_service: Service, path: str) -> None:
    kind = "assistantKey" if "discovery" in path else "adminKey"
    path = path.replace("{}", small_service.facts["domain"])
    before = len(small_service.log().splitlines())
    with socket.create_connection(("127.0.0.1", small_service.port)) as connection:
        connection.sendall(
            f"POST {path} HTTP/1.1\r\nHost: localhost:{small_service.port}\r\n"
            f"Origin: http://localhost:{small_service.port}\r\n"
            f"Accept: application/json, text/event-stream\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
            f"Authorization: Bearer {small_service.facts[kind]}\r\n"
            'Content-Length: 1000\r\n\r\n{"query": "'.encode()
        )
        connection.shutdown(socket.SHUT_WR)
        read_all(connection)
    call(small_service, "admin", "GET", "/healthz")  # the service has dealt with it
    lines = small_service.log().splitlines()[before:]
    assert "Traceback" not in "\n".join(lines)
    assert len(lines) <= 2, lines


@pytest.fixture
def starved(tmp_path: Path) -> Iterator[Served]:
    """A host with few descriptors; `ulimit` also bounds what the process may raise itself to."""
    limited = ("bash", "-c", 'ulimit -n 64; exec "$@"', "limited")
    with served("host", tmp_path, prefix=limited) as found:
        yield found


def test_full_descriptors_are_one_line_a_minute(starved: Served) -> None:
    connections = [starved.connect() for _ in range(200)]
    time.sleep(0.5)  # the flood came within the first tenth of a second
    log = starved.log()
    for each in connections:
        each.close()
    assert len(log) < 10_000, log[:2000]
    assert log.count("\n") < 20
    deadline = time.monotonic() + 120
    while b"200 OK" not in _asked(starved):
        assert time.monotonic() < deadline


def _asked(host: Served) -> bytes:
    return host.say(b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
