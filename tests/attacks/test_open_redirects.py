"""Redirects to a host of the reader's choice, ways out of the dashboard, pages that ask MCP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp

from docstead.app.service import create_service
from docstead.app.services import open_services
from docstead.content.config import Redirect
from docstead.dashboard.sign_in import inside
from docstead.repository.redirects import RedirectTable, patterns
from docstead.settings import Settings
from handmade_sites import HandmadeSites

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize(
    ("source", "destination", "path"),
    [
        ("/go*", "https://ok.example*", "/go.evil.test/x"),
        ("/to/:host", "https://:host/x", "/to/evil.test"),
        ("/to/:host/:rest*", "HTTPS://:host.example:8080/:rest*", "/to/evil.test%23/x"),
        ("/as/:user*", "https://:user*@ok.example/", "/as/evil.test/"),
    ],
)
def test_no_path_chooses_a_host(source: str, destination: str, path: str) -> None:
    redirect = Redirect(source, destination)
    assert RedirectTable([redirect]).match(path) is None
    assert list(patterns([redirect])) == []


def test_wildcards_behind_the_host_stay() -> None:
    redirect = Redirect("/go/:rest*", "https://ok.example:8080/:rest*")
    found = RedirectTable([redirect]).match("/go/a/b")
    assert found is not None
    assert found.destination == "https://ok.example:8080/a/b"
    assert len(list(patterns([redirect]))) == 1


@pytest.mark.parametrize(
    "url", ["/dashboard/..//x", "/dashboard/../x", "/dashboard//evil.test", "/dashboard/.."]
)
def test_only_pages_of_the_dashboard_follow_a_sign_in(url: str) -> None:
    assert inside(url) == "/dashboard"


@pytest.mark.parametrize("url", ["/dashboard", "/dashboard/org_1/acme"])
def test_pages_of_the_dashboard_are_kept(url: str) -> None:
    assert inside(url) == url


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ASGIApp]:
    with open_services(Settings(data=tmp_path / "data", base_url="http://service.test")) as opened:
        sites = HandmadeSites(opened.database, opened.objects, tmp_path, opened.clock)
        sites.publish(sites.deployment("acme", "docs.acme.test"), ("index",))
        yield create_service(opened)


async def initialized(service: ASGIApp, host: str, path: str, **headers: str) -> int:
    sent = {"accept": "application/json, text/event-stream", "host": host, **headers}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(service)) as client:
        answer: Any = await client.post(f"http://any{path}", json=INITIALIZE, headers=sent)
    return int(answer.status_code)


@pytest.mark.anyio
async def test_pages_of_other_hosts_do_not_ask_the_mcp_server(service: ASGIApp) -> None:
    below = "/_sites/acme/mcp"
    assert await initialized(service, "service.test", below) == 200
    assert await initialized(service, "cluster-name:8080", below) == 200
    assert (
        await initialized(service, "docs.acme.test", "/mcp", origin="https://docs.acme.test") == 200
    )
    for host, path, origin in (
        ("service.test", below, "http://evil.test"),
        ("service.test", below, "null"),
        ("rebound.test:8080", below, "http://rebound.test:8080"),
        ("docs.acme.test", "/mcp", "http://service.test"),
    ):
        assert await initialized(service, host, path, origin=origin) == 403, origin
