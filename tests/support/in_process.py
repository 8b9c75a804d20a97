"""Requests to an application in this process, without a server."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
from starlette.types import ASGIApp


def ask(app: ASGIApp, method: str, url: str, **options: Any) -> httpx.Response:
    """Send a request and wait for its answer; `options` are those of `send`."""
    return asyncio.run(send(app, method, url, **options))


async def send(
    app: ASGIApp,
    method: str,
    url: str,
    *,
    base_url: str = "",
    client_ip: str = "192.0.2.1",
    **options: Any,
) -> httpx.Response:
    """Send a request, with the options of a request of httpx."""
    transport = httpx.ASGITransport(app, client=(client_ip, 1))
    async with httpx.AsyncClient(transport=transport, base_url=base_url) as client:
        return await client.request(method, url, **options)
