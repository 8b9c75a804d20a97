"""A whole service with a small site and a second tenant, for attack tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx

import patient_http
from free_ports import free_port
from running_service import Service


def small_source(folder: Path, upstreams: tuple[str, ...] = ()) -> Path:
    """Create a repository with a page, and an operation for each URL in `upstreams`."""
    folder.mkdir(parents=True, exist_ok=True)
    operations = {
        f"/call-{number}": {
            "get": {
                "summary": f"Call {number}",
                "operationId": f"call{number}",
                "servers": [{"url": url}],
                "responses": {"200": {"description": "ok"}},
            }
        }
        for number, url in enumerate(upstreams)
    }
    description = {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": operations}
    (folder / "openapi.json").write_text(json.dumps(description))
    (folder / "index.mdx").write_text(
        "---\ntitle: Start\n---\n\nElephants sleep for two hours a night.\n"
    )
    pages = [{"group": "Start", "pages": ["index"]}]
    if operations:
        pages.append({"group": "Calls", "openapi": "openapi.json"})
    config = {
        "name": "Small",
        "theme": "mint",
        "colors": {"primary": "#0055ff"},
        "navigation": {"groups": pages},
    }
    (folder / "docs.json").write_text(json.dumps(config))
    return folder


def attacked_service(folder: Path, *, upstreams: tuple[str, ...] = (), **settings: str) -> Service:
    """Return a service that is not yet started; `settings` are named as in `docstead.toml`."""
    more = tuple((f"DOCSTEAD_{name.upper()}", value) for name, value in settings.items())
    source = small_source(folder / "source", upstreams)
    return Service(source, folder / "data", free_port(), more=more)


def call(service: Service, kind: str, method: str, path: str, **more: Any) -> httpx.Response:
    """Call the API with the admin or assistant key; `{}` in the path is its domain."""
    key = service.facts["adminKey" if kind == "admin" else "assistantKey"]
    headers = {"Authorization": f"Bearer {key}", **more.pop("headers", {})}
    url = service.facts["baseUrl"] + path.replace("{}", service.facts["domain"])
    # No TLS is used, and loading certificates takes longer than the call.
    return patient_http.request(method, url, headers=headers, verify=False, **more)
