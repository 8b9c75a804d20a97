"""The `/mcp` endpoint of every site, at its own host and below `/_sites/{domain}`."""

from __future__ import annotations

import re
from collections.abc import Callable

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from docstead.api.admission_by_address import Admit, everyone
from docstead.api.body import LimitedBody
from docstead.api.client_address import ClientAddress
from docstead.api.errors import CatchUnexpected, error_response
from docstead.api.mcp.tools import Finder, McpTools
from docstead.base.errors import DocsteadError, Forbidden
from docstead.base.units import MIB

_PATH = re.compile(r"(/_sites/[^/]+)?/mcp/?")
_READ = ("GET", "HEAD")


def is_for_mcp(scope: Scope) -> bool:
    """Report whether a request is for the MCP server; browsers get a page instead."""
    if scope["type"] != "http" or not _PATH.fullmatch(scope["path"]):
        return False
    accepted = dict(scope["headers"]).get(b"accept", b"")
    return scope["method"] not in _READ or b"text/event-stream" in accepted


class McpSurface:
    """ASGI application for requests for which `is_for_mcp` is true."""

    def __init__(
        self,
        mcp_tools: McpTools,
        find: Finder,
        client_address: ClientAddress,
        max_body_bytes: int = MIB,
        admit: Admit = everyone,
        *,
        knows: Callable[[str], bool],
    ) -> None:
        """Initialize; `knows` reports whether a Host header belongs to the service or a site."""
        self._knows = knows
        self._mcp_tools = mcp_tools
        self._find = find
        self._client_address = client_address
        self._admit = admit
        self._guarded = CatchUnexpected(LimitedBody(self._answer, max_bytes=max_body_bytes))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._guarded(scope, receive, send)

    def _check_origin(self, origin: str, host: str) -> None:
        """Check the origin of requests from web pages, as protection against DNS rebinding.

        Raises:
            Forbidden: the page belongs to another host.
        """
        if origin.partition("://")[2] != host or not self._knows(host):
            raise Forbidden("Only programs and pages of this site may send this request.")

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        if request.method != "POST":  # without sessions there are no messages to stream
            refusal = JSONResponse({"error": "use POST"}, 405, {"Allow": "POST"})
            await refusal(scope, receive, send)
            return
        client_ip = self._client_address.of(request)
        try:
            self._admit(request)
            await self._mcp_tools.admit(client_ip)
            host = request.headers.get("host", "")
            if "origin" in request.headers:
                await to_thread.run_sync(self._check_origin, request.headers["origin"], host)
            deployment = await to_thread.run_sync(self._find, host, scope["path"])
        except DocsteadError as error:
            await error_response(error)(scope, receive, send)
            return
        from docstead.api.mcp.server import serve

        await serve(scope, receive, send, self._mcp_tools, deployment, client_ip)
