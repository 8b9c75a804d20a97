"""The memory of request bodies, which all requests share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from docstead.api.body import LimitedBody
from docstead.base.bodies import RequestMemory
from docstead.base.units import KIB, MIB


def test_large_bodies_wait_for_each_other_and_small_ones_for_none() -> None:
    assert asyncio.run(_statuses()) == {
        "first": 200,
        "second": 503,
        "streamed": 503,
        "small": 200,
        "after the first": 200,
    }


async def _statuses() -> dict[str, int]:
    arrived, may_end = asyncio.Event(), asyncio.Event()

    async def read(request: Request) -> Response:
        await request.body()
        arrived.set()
        if request.url.path == "/first":
            await may_end.wait()
        return Response("read")

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield bytes(10 * KIB)

    limited = Middleware(LimitedBody, max_bytes=MIB, memory=RequestMemory(200 * KIB))
    routes = [Route("/{path:path}", read, methods=["POST"])]
    transport = httpx.ASGITransport(Starlette(routes=routes, middleware=[limited]))
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:

        async def status(path: str, content: bytes | AsyncIterator[bytes]) -> int:
            return (await client.post(path, content=content)).status_code

        first = asyncio.create_task(status("/first", bytes(200 * KIB)))
        await arrived.wait()
        found = {
            "second": await status("/", bytes(200 * KIB)),
            "streamed": await status("/", pieces()),
            "small": await status("/", bytes(60 * KIB)),
        }
        may_end.set()
        found["first"] = await first
        found["after the first"] = await status("/", bytes(200 * KIB))
    return found
