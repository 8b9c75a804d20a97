"""Dispatch of requests to surfaces: hosting, API, dashboard and MCP."""

from __future__ import annotations

import re

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from docstead.api.mcp.surface import is_for_mcp
from docstead.hosting.application import HostingApp

_API_PATHS = (
    "/discovery",
    "/v1/agent",
    "/v1/analytics",
    "/v1/project",
    "/v1/publishing",
    "/v1/static-export",
    "/v2/agent",
    "/_files",
    "/_docs/widget.js",
    "/openapi.json",
    "/healthz",
    "/livez",
    "/readyz",
)
_API_VERSIONS = ("/v1/", "/v2/")
_DASHBOARD = "/dashboard"
_CHANGE = re.compile(r"/changes/chg_[0-9a-f]{16}")  # exact: sites may have such pages


class SurfaceRouter:
    """Dispatches requests to the surface that answers them.

    A host with its own site serves only that site and its MCP server, because its pages may have
    any path.
    """

    def __init__(
        self, *, api: FastAPI, dashboard: ASGIApp, hosting: HostingApp, mcp: ASGIApp
    ) -> None:
        self._api = api
        self._mcp = mcp
        self._dashboard = dashboard
        self._hosting = hosting

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        surface = await self._surface(scope)
        await surface(scope, receive, send)

    async def _surface(self, scope: Scope) -> ASGIApp:
        host = Headers(scope=scope).get("host", "")  # decoded as all surfaces do
        path = scope["path"]
        if is_for_mcp(scope):
            return self._mcp
        if await self._hosting.has_host_to_itself(host):
            return self._hosting
        if _is_below(path, _DASHBOARD) or _CHANGE.fullmatch(path):
            return self._dashboard
        return self._api if _is_for_api(scope) else self._hosting


def _is_for_api(scope: Scope) -> bool:
    """Report whether a request is for the API; sites may have pages below `/v1/` as well."""
    path, headers = scope["path"], dict(scope["headers"])
    if any(_is_below(path, each) for each in _API_PATHS):
        return True
    has_key = headers.get(b"authorization", b"").lower().startswith(b"bearer ")
    is_call = has_key or scope["method"] not in ("GET", "HEAD")
    return is_call and path.startswith(_API_VERSIONS)


def _is_below(path: str, top: str) -> bool:
    return path == top or path.startswith(f"{top}/")
