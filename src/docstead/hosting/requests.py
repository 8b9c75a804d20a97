"""What a request means, read off its path and headers."""

from __future__ import annotations

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
