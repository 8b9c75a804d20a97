"""Interpretation of a request by its path and headers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.types import Scope

from docstead.base.errors import Forbidden

_MARKDOWN_TYPES = ("text/markdown", "text/plain")


def is_plain(path: str) -> bool:
    """Whether a path has no segment that walks upwards and nothing that a browser never sends."""
    if not path.startswith("/") or "//" in path or "\\" in path or not path.isprintable():
        return False
    return not any(segment in (".", "..") for segment in path.split("/"))


def wants_markdown(accept: str) -> bool:
    """Programs that read ask for Markdown or plain text; browsers always name HTML."""
    accepted = [part.partition(";")[0].strip() for part in accept.split(",")]
    return "text/html" not in accepted and any(kind in _MARKDOWN_TYPES for kind in accepted)


def combined(scope: Scope) -> Scope:
    """A request in which each header field occurs once (RFC 9110, section 5.3).

    Otherwise two readers of a repeated field may take different values: the key of a cached
    page would not describe the page.
    """
    fields: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        fields[name] = b", ".join((fields[name], value)) if name in fields else value
    if len(fields) == len(scope["headers"]):
        return scope
    return {**scope, "headers": list(fields.items())}


_PREFIX = "docstead.prefix"


def below(scope: Scope, prefix: str) -> Scope:
    """A request that a trusted proxy has taken from below `prefix` of its own host."""
    return {**scope, _PREFIX: prefix} if prefix else scope


def prefix_of(scope: Mapping[str, Any]) -> str:
    """Return the path below which a proxy serves the site, "/docs"; "" at its root."""
    found: str = scope.get(_PREFIX, "")
    return found


def seen_host(request: Request) -> str:
    """The host that a reader sees: the proxy's where one shows the site below a path."""
    seen = request.headers.get("x-forwarded-host") if prefix_of(request.scope) else None
    return seen or request.headers.get("host", "")


def no_prefix(_: HTTPConnection) -> str:
    """No proxy is known."""
    return ""


def check_origin(request: Request) -> None:
    """Raises Forbidden unless a page of the same host asks. An opaque origin is nobody's."""
    host = request.headers.get("origin", "").partition("://")[2]
    if not host or host not in (request.headers.get("host"), seen_host(request)):
        raise Forbidden("Only pages of this site may ask this.")


def has_opaque_origin(request: Request) -> bool:
    """Whether a page with an opaque origin asks, such as one of a shared host."""
    return request.headers.get("origin") == "null"


def peer_of(connection: HTTPConnection) -> str:
    """Return the IP address of the peer; "" if unknown."""
    return connection.client.host if connection.client else ""
