"""What a request means, read off its path and headers."""

from __future__ import annotations

from starlette.requests import HTTPConnection, Request

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


def check_origin(request: Request) -> None:
    """Raises Forbidden unless a page of the same host asks."""
    origin = request.headers.get("origin", "")
    if origin.partition("://")[2] != request.headers.get("host"):
        raise Forbidden("Only pages of this site may ask this.")


def peer_of(connection: HTTPConnection) -> str:
    """Who is at the other end of it; "" where that is not known."""
    return connection.client.host if connection.client else ""
