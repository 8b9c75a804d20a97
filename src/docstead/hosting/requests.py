"""Interpretation of a request's path and headers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.types import Scope

from docstead.base.errors import Forbidden

_MARKDOWN_TYPES = ("text/markdown", "text/plain")
NAME_LENGTH = 253  #: Of a hostname (RFC 1123); domains are shorter
_HOST = re.compile(rf"(\[[0-9a-f:.]{{2,45}}\]|[a-z0-9._-]{{1,{NAME_LENGTH}}})(?::\d{{1,5}})?")


def is_plain(path: str) -> bool:
    """Report whether a path has no `..` segment and no character that browsers never send."""
    if not path.startswith("/") or "//" in path or "\\" in path or not path.isprintable():
        return False
    return not any(segment in (".", "..") for segment in path.split("/"))


def wants_markdown(accept: str) -> bool:
    """Report whether a client prefers Markdown or plain text; browsers always accept HTML."""
    accepted = [part.partition(";")[0].strip() for part in accept.split(",")]
    return "text/html" not in accepted and any(kind in _MARKDOWN_TYPES for kind in accepted)


def combined(scope: Scope) -> Scope:
    """Return a scope in which each header field occurs once (RFC 9110, section 5.3).

    Otherwise two consumers of a repeated field could use different values, and a cache key would
    not describe its page.
    """
    fields: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        fields[name] = b", ".join((fields[name], value)) if name in fields else value
    if len(fields) == len(scope["headers"]):
        return scope
    return {**scope, "headers": list(fields.items())}


_PREFIX = "docstead.prefix"


def below(scope: Scope, prefix: str) -> Scope:
    """Return the scope of a request that a trusted proxy forwards from below `prefix`."""
    return {**scope, _PREFIX: prefix} if prefix else scope


def prefix_of(scope: Mapping[str, Any]) -> str:
    """Return the path under which a proxy serves the site, such as "/docs"; "" at the root."""
    found: str = scope.get(_PREFIX, "")
    return found


def host_of(header: str) -> str:
    """Return the name in a Host header in lower case, without port; "" if malformed."""
    match = _HOST.fullmatch(header.strip().lower())
    return match[1].rstrip(".") if match else ""


def seen_host(request: Request) -> str:
    """Return the host that the reader sees, which may be a proxy's."""
    seen = request.headers.get("x-forwarded-host") if prefix_of(request.scope) else None
    return seen or request.headers.get("host", "")


def no_prefix(_: HTTPConnection) -> str:
    """Return "": no proxy is known."""
    return ""


def check_origin(request: Request) -> None:
    """Require that a request comes from a page of the same host, with a non-opaque origin.

    Raises:
        Forbidden: it does not.
    """
    host = request.headers.get("origin", "").partition("://")[2]
    if not host or host not in (request.headers.get("host"), seen_host(request)):
        raise Forbidden("Only pages of this site may send this request.")


def has_opaque_origin(request: Request) -> bool:
    """Report whether the request comes from a page with an opaque origin."""
    return request.headers.get("origin") == "null"


def peer_of(connection: HTTPConnection) -> str:
    """Return the IP address of the peer; "" if unknown."""
    return connection.client.host if connection.client else ""
