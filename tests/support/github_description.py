"""GitHub's API description, reduced to the calls that Docstead makes, and stricter.

GitHub's description allows unknown body fields and query parameters; here they are
rejected, so that misspelled names are found.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "agent" / "forges" / "contract"
GITHUB = FOLDER / "node_modules" / "@octokit" / "openapi" / "generated" / "api.github.com.json"
ENTERPRISE = FOLDER / "node_modules" / "@octokit" / "openapi" / "generated" / "ghes-3.19.json"

CALLS = {
    "/repos/{owner}/{repo}/pulls": ("get", "post"),
    "/repos/{owner}/{repo}/pulls/{pull_number}": ("get", "patch"),
    "/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers": ("post",),
    "/repos/{owner}/{repo}/issues/{issue_number}/comments": ("post",),
    "/repos/{owner}/{repo}/statuses/{sha}": ("post",),
    "/repos/{owner}/{repo}/collaborators/{username}/permission": ("get",),
    "/repos/{owner}/{repo}/installation": ("get",),
    "/app/installations/{installation_id}/access_tokens": ("post",),
}
# GitHub describes GraphQL elsewhere; `queries.mjs` checks what is sent there.
_GRAPHQL = {
    "post": {
        "operationId": "graphql",
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "required": ["query", "variables"],
                        "properties": {
                            "query": {"type": "string"},
                            "variables": {
                                "type": "object",
                                "required": ["id"],
                                "properties": {"id": {"type": "string"}},
                            },
                        },
                    }
                }
            },
        },
        "responses": {"200": {"description": "Response"}},
    }
}


def trimmed(path: Path) -> dict[str, Any]:
    """Return the description at `path`, reduced to `CALLS` and what they refer to."""
    whole = json.loads(path.read_text())
    paths: dict[str, Any] = {
        api_path: {method: _strict(whole["paths"][api_path][method]) for method in methods}
        for api_path, methods in CALLS.items()
    }
    paths["/graphql"] = _GRAPHQL
    return {
        "openapi": whole["openapi"],
        "info": whole["info"],
        "paths": paths,
        "components": _referred(whole, paths),
    }


def _strict(operation: dict[str, Any]) -> dict[str, Any]:
    content = operation.get("requestBody", {}).get("content", {})
    for media in content.values():
        media["schema"]["additionalProperties"] = False
    return operation


def _referred(whole: dict[str, Any], paths: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, dict[str, Any]] = {}
    waiting = list(_references(paths))
    while waiting:
        _, _, kind, name = waiting.pop().split("/")
        if name not in kept.setdefault(kind, {}):
            found = whole["components"][kind][name]
            kept[kind][name] = found
            waiting += _references(found)
    return kept


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for each in value.values():
            yield from _references(each)
    elif isinstance(value, list):
        for each in value:
            yield from _references(each)


def query_parameters(description: dict[str, Any], path: str, method: str) -> set[str]:
    """Return the query parameters of a call."""
    found = (
        _resolved(description, each)
        for each in description["paths"][path][method].get("parameters", [])
    )
    return {each["name"] for each in found if each["in"] == "query"}


def _resolved(description: dict[str, Any], parameter: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in parameter:
        return parameter
    _, _, kind, name = parameter["$ref"].split("/")
    return description["components"][kind][name]
