"""A second request hidden in the first, and hosts and paths that lead to the dashboard."""

from __future__ import annotations

import socket

import pytest

from running_service import Service

HOST = "Host: 127.0.0.1\r\n"
SECOND = f"GET /dashboard HTTP/1.1\r\n{HOST}\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n"
LAST_CHUNK = "0\r\n\r\n"
NO_PAGE = (
    [b"HTTP/1.1 404 Not Found"],
    [b"HTTP/1.1 307 Temporary Redirect", b"location: /"],  # to the start of the site
)


def answers(service: Service, request: str) -> list[bytes]:
    """The status lines of a connection, with their Location."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=120) as connection:
        connection.sendall(request.encode("latin-1"))
        with connection.makefile("rb") as answer:
            lines = answer.read().split(b"\r\n")
    return [line for line in lines if line.startswith((b"HTTP/1.1 ", b"location:"))]


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        (f"Content-Length: 4\r\n{CHUNKED}", LAST_CHUNK),
        (f"{CHUNKED}Content-Length: {5 + len(SECOND)}\r\n", LAST_CHUNK),
        (f"{CHUNKED}Transfer-Encoding: identity\r\n", LAST_CHUNK),
        ("Transfer-Encoding: xchunked\r\nContent-Length: 5\r\n", LAST_CHUNK),
        ("Transfer-Encoding : chunked\r\nContent-Length: 5\r\n", LAST_CHUNK),
        (f"Content-Length: 0\r\nContent-Length: {len(SECOND)}\r\n", ""),
        ("Content-Length: +0\r\n", ""),
        ("Content-Length: 0, 0\r\n", ""),
        ("Content-Length: -1\r\n", ""),
        ("Content-Length: 0x0\r\n", ""),
        ("Content-Length : 0\r\n", ""),
        ("X-A: b\r\n Content-Length: 0\r\n", ""),
        ("X-A: b\rContent-Length: 0\r\n", ""),
        ("X-A: b\0\r\n", ""),
    ],
)
def test_a_request_of_two_lengths_is_refused(
    small_service: Service, headers: str, body: str
) -> None:
    sent = f"POST /v1/static-export/jobs HTTP/1.1\r\n{HOST}{headers}\r\n{body}{SECOND}"
    assert answers(small_service, sent) == [b"HTTP/1.1 400 Bad Request"]


@pytest.mark.parametrize("host", ["{}.localhost", "{}.LOCALHOST", "{}.localhost.:1"])
def test_no_spelling_of_a_sites_host_shows_the_dashboard(small_service: Service, host: str) -> None:
    host = host.replace("{}", small_service.facts["domain"])
    forwarded = "X-Forwarded-Host: 127.0.0.1\r\nX-Original-URL: /dashboard\r\n"
    for target in ("/dashboard", "http://127.0.0.1/dashboard"):
        sent = f"GET {target} HTTP/1.1\r\nHost: {host}\r\n{forwarded}Connection: close\r\n\r\n"
        assert answers(small_service, sent) in NO_PAGE


@pytest.mark.parametrize(
    "path",
    [
        "/..;/dashboard",
        "/_sites/{}/../../dashboard",
        "/_sites/{}/%2e%2e/%2e%2e/dashboard",
        "/_sites/{}/..%2f..%2fdashboard",
        "/_sites/{}//attacker.test/",
        "//attacker.test/%2f..",
        "/%5cattacker.test/",
        "/%0d%0aLocation:%20https://attacker.test/",
    ],
)
def test_no_path_leads_out_of_a_site(small_service: Service, path: str) -> None:
    path = path.replace("{}", small_service.facts["domain"])
    sent = f"GET {path} HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n"
    assert answers(small_service, sent) in NO_PAGE
