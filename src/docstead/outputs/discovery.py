"""Files below `.well-known`: API catalog, agent card, MCP server card.

They follow RFC 9727 (API catalog), A2A 0.3 (agent card) and MCP's server cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from docstead.content.assistant_notes import Skill
from docstead.content.generated_files import (
    AGENT_CARD,
    AGENT_SKILLS,
    API_CATALOG,
    LLMS,
    MCP_SERVER,
    MCP_SERVER_JSON,
    SERVER_CARD,
    SERVER_CARDS,
)
from docstead.content.pages import Site
from docstead.outputs.skill import as_json, slug_of
from docstead.repository.sources import SCHEMA_SUFFIXES

#: Links to these files from pages, in the order of their `Link` header.
RELATIONS = (
    (API_CATALOG, "api-catalog"),
    (SERVER_CARD, "mcp-server-card"),
    (AGENT_CARD, "agent-card"),
    (AGENT_SKILLS, "agent-skills"),
)
_TYPES = {".json": "application/json", ".yaml": "application/yaml", ".yml": "application/yaml"}
_ANYBODY = "none"  # sites are public


def discovery_files(site: Site, address: str, mcp: str, skills: Sequence[Skill]) -> dict[str, str]:
    """Return the files of a site at `address`; `mcp` is the URL of its MCP server, or ""."""
    files = {AGENT_CARD: as_json(_agent_card(site, address, skills))}
    if described := list(_described(site, address)):
        files[API_CATALOG] = as_json({"linkset": [_linkset(address, described)]})
    if mcp:
        card, name = _server_card(site, mcp), f"{slug_of(site.config.name)}-docs"
        server = {"name": name, "url": mcp, "transport": "http", "authentication": _ANYBODY}
        told = {"version": "1.0", "transport": "http", "url": mcp, "servers": [server]}
        files |= {
            MCP_SERVER: as_json(told),
            MCP_SERVER_JSON: as_json(told),
            SERVER_CARD: as_json(card),
            SERVER_CARDS: as_json({"servers": [card]}),
        }
    return files


def specifications(site: Site) -> tuple[tuple[str, ...], ...]:
    """Return specifications that pages document, as paths, and URLs of remote ones."""
    api = site.config.api
    events = dict.fromkeys(each.lstrip("/") for each in api.asyncapi)
    files = dict.fromkeys(meta.file for meta in site.pages.values() if not meta.symbol)
    made = (file for file in files if _suffix(file) in _TYPES)
    schemas = tuple(file for file in files if _suffix(file) in SCHEMA_SUFFIXES)
    operations = dict.fromkeys(each.lstrip("/") for each in (*api.openapi, *made))
    return tuple(each for each in operations if each not in events), tuple(events), schemas


def _described(site: Site, address: str) -> Iterator[dict[str, str]]:
    """Yield RFC 9727 links to descriptions of APIs."""
    for files in specifications(site):
        for file in files:
            href = file if "://" in file else f"{address}/{file}"
            kind = _TYPES.get(_suffix(file))
            yield {"href": href, **({"type": kind} if kind else {})}


def _linkset(address: str, described: list[dict[str, str]]) -> dict[str, Any]:
    documented = [{"href": f"{address}/", "type": "text/html"}]
    return {"anchor": f"{address}/", "service-desc": described, "service-doc": documented}


def _agent_card(site: Site, address: str, skills: Sequence[Skill]) -> dict[str, Any]:
    """Return the A2A 0.3 agent card. The site answers over plain HTTP: any page as text."""
    config, transport = site.config, "HTTP+JSON"
    return {
        "protocolVersion": "0.3",
        "name": config.name,
        "description": config.description or f"The documentation of {config.name}.",
        "url": f"{address}/",
        "preferredTransport": transport,
        "supportedInterfaces": [{"url": f"{address}/", "transport": transport}],
        "provider": {"organization": config.name, "url": f"{address}/"},
        "version": "1.0.0",
        "documentationUrl": f"{address}/{LLMS}",
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
