"""A playground's proxy: slow servers, floods, headers beyond ASCII, and other hosts."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
import pytest

import in_process
from docstead.api.client_address import ClientAddress
from docstead.base.errors import Unavailable
from docstead.base.networks import parsed_networks
from docstead.base.outbound import OutboundClient
from docstead.hosting.application import HostingApp
from docstead.hosting.options import ClientPolicy
from docstead.limits import policies
from docstead.limits.address_limits import AddressLimits
from docstead.reference.common.playground import playground_button
from handmade_sites import HandmadeSites

ALLOWED = parsed_networks(["127.0.0.0/8"])
SITES = ("slow", "quick", "open", "path")


class Upstream(ThreadingHTTPServer):
    """Answers at once; a request for `/v1/hold` waits until it is released."""

    request_queue_size = 100

    def __init__(self) -> None:
        self.seen: list[tuple[str, str | None]] = []
        self.arrived = threading.Semaphore(0)
        self.released = threading.Event()
        super().__init__(("127.0.0.1", 0), _SlowHandler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _SlowHandler(BaseHTTPRequestHandler):
    server: Upstream

    def do_GET(self) -> None:
        self.server.seen.append((self.path, self.headers.get("X-Name")))
        self.server.arrived.release()
        if "hold" in self.path:
            self.server.released.wait(120)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    with Upstream() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.released.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def hosting(sqlite_backend: Any, tmp_path: Path, clock: Any, upstream: Upstream) -> HostingApp:
    """Four sites whose pages name these servers."""
    sites = HandmadeSites(sqlite_backend.database, sqlite_backend.objects, tmp_path, clock)
    servers = {"open": "https:", "path": f"{upstream.url}/v1"}
    for name in SITES:
        server = servers.get(name, upstream.url)
        path = "/hold" if name == "slow" else "/users/{id}"
        button = playground_button("GET", path, [server], [], [], label="Try it")
        deployment = sites.deployment(name, f"{name}.test")
        sites.publish(deployment, ("index",), title=button)
    limits, policy = AddressLimits(lambda: 0.0), policies.playground_request(30)
    client_address = ClientAddress()
    return sites.hosting(
        outbound=OutboundClient(ALLOWED, total_seconds=20),
        clients=ClientPolicy(
            admit_playground=lambda connection: limits.spend(policy, client_address.of(connection))
        ),
    )


async def send(
    hosting: HostingApp, site: str, url: str, headers: Any = (), peer: str = "192.0.2.1"
) -> httpx.Response:
    body = {"page": "/", "method": "GET", "url": url, "headers": list(headers), "body": ""}
    host = f"http://{site}.test"
    headers = {"Origin": host}
    return await in_process.send(
        hosting, "POST", f"{host}/_docs/api/request", json=body, headers=headers, client_ip=peer
    )


def test_a_site_whose_servers_are_slow_delays_no_other(
    hosting: HostingApp, upstream: Upstream
) -> None:
    async def run() -> tuple[list[int], int]:
        slow = [
            asyncio.create_task(send(hosting, "slow", f"{upstream.url}/hold")) for _ in range(17)
        ]
        for _ in range(8):
            await asyncio.to_thread(upstream.arrived.acquire)
        quick = await send(hosting, "quick", f"{upstream.url}/users/7")
        for refused in islice(asyncio.as_completed(slow), 9):
            await refused
        upstream.released.set()
        return [(await each).status_code for each in slow], quick.status_code

    statuses, quick = asyncio.run(run())
    assert quick == 200
    assert (statuses.count(200), statuses.count(429)) == (8, 9)


def test_the_shares_are_given_back(hosting: HostingApp, upstream: Upstream) -> None:
    async def run() -> list[int]:
        url = f"{upstream.url}/users/7"
        return [(await send(hosting, "quick", url)).status_code for _ in range(12)]

    assert asyncio.run(run()) == [200] * 12


def test_an_answer_has_a_total_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        stopped = threading.Event()

        def drip() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                while not stopped.wait(0.05):
                    connection.sendall(b"x")

        thread = threading.Thread(target=drip)
        thread.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        with pytest.raises(Unavailable, match="in time"):
            read_all(OutboundClient(ALLOWED, total_seconds=1), url)
        stopped.set()
        thread.join()


def read_all(outbound: OutboundClient, url: str) -> None:
    with outbound.get(url) as answer:
        for _ in answer.blocks:
            pass


def test_an_ip_address_sends_so_many_requests_a_minute(
    hosting: HostingApp, upstream: Upstream
) -> None:
    async def run(peer: str) -> list[int]:
        url = f"{upstream.url}/users/7"
        return [(await send(hosting, "quick", url, peer=peer)).status_code for _ in range(32)]

    statuses = asyncio.run(run("2001:db8::1"))
    assert set(statuses[:30]) == {200}
    assert statuses[31] == 429
    assert asyncio.run(run("2001:db8::2"))[0] == 429  # of the same /64
    assert asyncio.run(run("2001:db8:0:1::2"))[0] == 200


def test_header_values_beyond_ascii(hosting: HostingApp, upstream: Upstream) -> None:
    url = f"{upstream.url}/users/7"
    sent = asyncio.run(send(hosting, "quick", url, [["X-Name", "Zoë"]]))
    assert (sent.status_code, upstream.seen) == (200, [("/users/7", "Zoë")])
    refused = asyncio.run(send(hosting, "quick", url, [["X-Name", "Łódź"]]))
    assert (refused.status_code, list(refused.json())) == (400, ["error"])


@pytest.mark.parametrize(
    ("site", "url"),
    [
        ("open", "https://example.com/users/7"),
        ("open", "{upstream}/users/7"),
        ("path", "{upstream}/v1/../users/7"),
        ("path", "{upstream}/v1/users/%2e%2e/admin"),
        ("path", "{upstream}/v1/users/.."),
        ("path", "{upstream}/v1/users/..;a"),
        ("path", "{upstream}/v1/other"),
        ("path", "{upstream}/users/7"),
    ],
)
def test_other_hosts_are_not_asked(
    hosting: HostingApp, upstream: Upstream, site: str, url: str
) -> None:
    answer = asyncio.run(send(hosting, site, url.replace("{upstream}", upstream.url)))
    assert (answer.status_code, "at one of its servers" in answer.text) == (403, True)
    assert upstream.seen == []


def test_a_url_with_two_ports_is_none(hosting: HostingApp, upstream: Upstream) -> None:
    answer = asyncio.run(send(hosting, "path", f"{upstream.url}:80/v1/users/7"))
    assert (answer.status_code, "port is not valid" in answer.text) == (400, True)
    assert upstream.seen == []
