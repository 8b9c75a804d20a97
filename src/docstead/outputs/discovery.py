"""Files below `.well-known`: API catalog, agent card, MCP server card.

They follow RFC 9727 (API catalog), A2A 0.3 (agent card) and MCP's server cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from docstead.content.assistant_notes import Skill
from docstead.content.generated_files import LLMS
from docstead.content.pages import Site
from docstead.outputs.skill import as_json, slug_of
from docstead.repository.sources import SCHEMA_SUFFIXES

_TYPES = {".json": "application/json", ".yaml": "application/yaml", ".yml": "application/yaml"}
_ANYBODY = "none"  # sites are public


def api_catalog(site: Site, base_url: str) -> str:
    """Return the linkset of a site at `base_url`; "" if it documents no API."""
    described = list(_described(site, base_url))
    if not described:
        return ""
    documented = [{"href": f"{base_url}/", "type": "text/html"}]
    links = {"anchor": f"{base_url}/", "service-desc": described, "service-doc": documented}
    return as_json({"linkset": [links]})


def mcp_server(site: Site, mcp: str) -> str:
    """Return the list of servers, of which the one at the URL `mcp` is the only one."""
    name = f"{slug_of(site.config.name)}-docs"
    server = {"name": name, "url": mcp, "transport": "http", "authentication": _ANYBODY}
    return as_json({"version": "1.0", "transport": "http", "url": mcp, "servers": [server]})


def server_card(site: Site, mcp: str) -> str:
    """Return the card of the MCP server at the URL `mcp`."""
    return as_json(_server_card(site, mcp))


def server_cards(site: Site, mcp: str) -> str:
    """Return a list of the only card."""
    return as_json({"servers": [_server_card(site, mcp)]})


def specifications(site: Site) -> tuple[tuple[str, ...], ...]:
    """Return specifications that pages document, as paths, and URLs of remote ones."""
    api = site.config.api
    events = dict.fromkeys(each.lstrip("/") for each in api.asyncapi)
    files = dict.fromkeys(meta.file for meta in site.pages.values() if not meta.symbol)
    made = (file for file in files if _suffix(file) in _TYPES)
    schemas = tuple(file for file in files if _suffix(file) in SCHEMA_SUFFIXES)
    operations = dict.fromkeys(each.lstrip("/") for each in (*api.openapi, *made))
    return tuple(each for each in operations if each not in events), tuple(events), schemas


def _described(site: Site, base_url: str) -> Iterator[dict[str, str]]:
    """Yield RFC 9727 links to descriptions of APIs."""
    for files in specifications(site):
        for file in files:
            href = file if "://" in file else f"{base_url}/{file}"
            kind = _TYPES.get(_suffix(file))
            yield {"href": href, **({"type": kind} if kind else {})}


def agent_card(site: Site, base_url: str, skills: Sequence[Skill]) -> str:
    """Return the A2A 0.3 agent card. The site answers over plain HTTP: any page as text."""
    config, transport = site.config, "HTTP+JSON"
    card = {
        "protocolVersion": "0.3",
        "name": config.name,
        "description": config.description or f"The documentation of {config.name}.",
        "url": f"{base_url}/",
        "preferredTransport": transport,
        "supportedInterfaces": [{"url": f"{base_url}/", "transport": transport}],
        "provider": {"organization": config.name, "url": f"{base_url}/"},
        "version": "1.0.0",
        "documentationUrl": f"{base_url}/{LLMS}",
        "capabilities": {"streaming": False, "pushNotifications": False},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [
            {
                "id": each.slug,
                "name": each.name,
                "description": each.description,
                "tags": ["documentation"],
            }
            for each in skills
        ],
    }
    return as_json(card)


def _server_card(site: Site, mcp: str) -> dict[str, Any]:
    name = f"{slug_of(site.config.name)}-docs"
    return {
        "version": "1.0",
        "serverInfo": {"name": name, "title": site.config.name, "version": "1.0.0"},
        "description": f"The documentation of {site.config.name}: search it, read its pages.",
        "transport": {"type": "streamable-http", "endpoint": mcp},
        "capabilities": {"tools": {}, "resources": {}},
        "authentication": {"required": False},
    }


def _suffix(file: str) -> str:
    return file[file.rfind(".") :].lower() if "." in file else ""
