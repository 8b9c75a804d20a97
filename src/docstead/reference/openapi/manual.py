"""Manually described operations: `api: "METHOD URL"` (docs/guides/api-pages.mdx)."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from docstead.content.config import ApiSettings
from docstead.content.reference_entries import ManualOperation

_SCHEMES: dict[str, dict[str, Any]] = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "basic": {"type": "http", "scheme": "basic"},
}


def written_operation(written: str, auth_method: str, api: ApiSettings) -> ManualOperation:
    """Parse an operation; `auth_method` is the page's own, or "" for the site's."""
    method, _, url = written.strip().partition(" ")
    parts = urlsplit(url.strip())
    path, servers = url.strip(), api.server
    if parts.scheme and parts.netloc:
        path, servers = parts.path or "/", (f"{parts.scheme}://{parts.netloc}",)
    scheme = _scheme(auth_method or api.auth_method or "none", api.auth_name)
    return ManualOperation(method.upper(), path, servers, scheme)


def _scheme(method: str, name: str | None) -> dict[str, Any] | None:
    if method == "key":
        return {"type": "apiKey", "in": "header", "name": name or "x-api-key"}
    known = _SCHEMES.get(method)
    return {**known, "x-name": name} if known and name else known
