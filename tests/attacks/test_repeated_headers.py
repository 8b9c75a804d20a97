"""Header fields that a request has twice: surfaces that read different ones mix up sites."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from docstead.hosting.application import HostingApp, create_hosting
from docstead.hosting.options import SiteOptions
from docstead.hosting.site_matching import SiteMatcher
from docstead.publishing.editions import EditionStore
from handmade_sites import HandmadeSites
from running_service import Service

HTML, MARKDOWN = "text/html", "text/markdown"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def hosting(sqlite_backend: Any, tmp_path: Path, clock: Any) -> HostingApp:
    sites = HandmadeSites(sqlite_backend.database, sqlite_backend.objects, tmp_path, clock)
    for domain in ("attacker", "victim"):
        deployment = sites.deployment(domain, f"{domain}.test")
        sites.publish(deployment, ("index",), title=f"Site of the {domain}")
    return create_hosting(
        SiteMatcher(sites.tenancy, ["service.test"]),
        EditionStore(sites.database, sites.objects, tmp_path / "cache", fresh_seconds=60),
        sites.objects,
        SiteOptions(lambda deployment: f"https://{deployment.hostname}"),
    )


async def get(hosting: HostingApp, *headers: tuple[str, str]) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(hosting)) as client:
        client.headers.clear()
        return await client.get("http://any/", headers=list(headers))


@pytest.mark.anyio
@pytest.mark.parametrize("host", ["victim.test", "service.test"])
async def test_a_page_of_one_site_is_not_kept_for_the_host_of_another(
    hosting: HostingApp, host: str
) -> None:
    for hosts in (("attacker.test", host), (host, "attacker.test")):
        await get(hosting, *(("host", each) for each in hosts))
        page = await get(hosting, ("host", host))
        assert "Site of the attacker" not in page.text


@pytest.mark.anyio
async def test_markdown_is_not_kept_for_browsers(hosting: HostingApp) -> None:
    for types in ((MARKDOWN, HTML), (HTML, MARKDOWN)):
        await get(hosting, ("host", "victim.test"), *(("accept", each) for each in types))
        page = await get(hosting, ("host", "victim.test"), ("accept", HTML))
        assert page.headers["content-type"].startswith(HTML)


@pytest.mark.anyio
async def test_compressed_pages_are_not_kept_for_clients_without_compression(
    hosting: HostingApp,
) -> None:
    for codings in (("gzip", "identity"), ("identity", "gzip")):
        coded = (("accept-encoding", each) for each in codings)
        await get(hosting, ("host", "victim.test"), *coded)
        page = await get(hosting, ("host", "victim.test"), ("accept-encoding", "identity"))
        assert "content-encoding" not in page.headers


@pytest.mark.parametrize(
    "hosts",
    [
        "Host: attacker.localhost\r\nHost: 127.0.0.1\r\n",
        "Host: 127.0.0.1\r\nhost: 127.0.0.1\r\n",
    ],
)
def test_requests_with_two_hosts_are_refused(small_service: Service, hosts: str) -> None:
    """RFC 9112, section 3.2: a server answers 400."""
    assert status_of(small_service, f"GET / HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n") == 400


def test_requests_without_a_host_are_refused(small_service: Service) -> None:
    """RFC 9112, section 3.2, for HTTP/1.1; clients of HTTP/1.0 need not name one."""
    assert status_of(small_service, "GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n") == 400
    assert status_of(small_service, "GET /livez HTTP/1.0\r\n\r\n") == 200


def status_of(service: Service, request: str) -> int:
    with socket.create_connection(("127.0.0.1", service.port), timeout=120) as connection:
        connection.sendall(request.encode())
        with connection.makefile("rb") as answer:
            return int(answer.readline().split()[1])
