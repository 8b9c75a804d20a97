"""Other websites in the same browser cannot read the preview of a folder."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from starlette.responses import PlainTextResponse

from docstead.hosting.bundle.local_requests import LocalRequests


def status(host: str, **headers: str) -> int:
    sent = {"Host": host, **{name.replace("_", "-"): value for name, value in headers.items()}}

    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(LocalRequests(PlainTextResponse("unpublished")))
        async with httpx.AsyncClient(transport=transport, base_url="http://a") as client:
            return await client.get("/_docs/search/records.js", headers=sent)

    return asyncio.run(asked()).status_code


@pytest.mark.parametrize(
    "host",
    ["evil.test", "evil.test:3000", "localhost.evil.test", "127.0.0.1.evil.test", "notlocalhost",
     "", "[", "localhost@evil.test:80:80"],
)  # fmt: skip
def test_names_of_other_websites_are_refused(host: str) -> None:
    """DNS rebinding: the name leads to 127.0.0.1, and the pages count as that website's."""
    assert status(host) == 403


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:3000", "site.localhost:3000", "127.0.0.1:3000", "[::1]:3000",
     "192.168.1.5:3000"],
)  # fmt: skip
def test_names_of_this_machine_are_served(host: str) -> None:
    assert status(host) == 200


@pytest.mark.parametrize("mode", ["no-cors", "cors", "websocket"])
def test_other_websites_cannot_load_files(mode: str) -> None:
    """Search records are scripts, which every website may run, and read."""
    host = "localhost:3000"
    assert status(host, sec_fetch_site="cross-site", sec_fetch_mode=mode) == 403
    assert status(host, sec_fetch_site="same-origin", sec_fetch_mode=mode) == 200


def test_links_of_other_websites_work() -> None:
    assert status("localhost", sec_fetch_site="cross-site", sec_fetch_mode="navigate") == 200
