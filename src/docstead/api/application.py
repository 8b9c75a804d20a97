"""The API as an ASGI application, with its OpenAPI document at `/openapi.json`.

The assistant endpoints have their own document, at `/discovery/openapi.json`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse
from starlette.middleware import Middleware

from docstead import __version__
from docstead.api.admission_by_address import Admit, AdmitByAddress, everyone
from docstead.api.agent.attachments import limit_of_instructions
from docstead.api.assistant.sizes import limit_of_messages
from docstead.api.body import LimitedBody
from docstead.api.cross_origin import CrossOrigin
from docstead.api.deprecation import DeprecationMiddleware, describe_deprecation
from docstead.api.errors import CatchUnexpected, ErrorBody, install_error_handlers
from docstead.api.methods import HeadAsGet
from docstead.api.publishing import limit_of_archives
from docstead.api.routers import add_routes
from docstead.base.units import GIB, MIB

_DESCRIPTION = (
    "Answers about a documentation site, project updates and static exports. "
    'Every failure has the body `{"error": string}`.'
)
_ASSISTANT = "/discovery/"
_ASSISTANT_VERSION = "1.0.0"  # version of the interface, not of the product
_ASSISTANT_DESCRIPTION = (
    "Answers about a documentation site: messages, search, page contents and feedback. "
    'Every failure has the body `{"error": string}`.'
)
# FastAPI adds this response to every route with parameters; ours answer 400 instead.
_FRAMEWORK_STATUS = "422"
_FRAMEWORK_SCHEMAS = ("HTTPValidationError", "ValidationError")


def create_api(
    routers: Sequence[APIRouter],
    *,
    base_url: str,
    max_body_bytes: int = MIB,
    max_archive_bytes: int = GIB,
    admit: Admit = everyone,
) -> FastAPI:
    """Create the API from routers. `base_url` has no trailing slash.

    Errors are answered with `{"error": message}`. Bodies over `max_body_bytes` get 413. Web pages
    may call paths under `/discovery/`, limited by `admit` per IP address.
    """
    app = _ApiRoutes(
        title="Docstead API",
        version=__version__,
        description=_DESCRIPTION,
        servers=[{"url": base_url}],
        docs_url=None,  # these pages load scripts from other hosts
        redoc_url=None,
        redirect_slashes=False,
        middleware=[
            Middleware(CrossOrigin),
            Middleware(DeprecationMiddleware),
            Middleware(AdmitByAddress, admit=admit),
            Middleware(CatchUnexpected),
            Middleware(HeadAsGet),
            _limited_body(max_body_bytes, max_archive_bytes),
        ],
    )
    install_error_handlers(app)
    app.get(f"{_ASSISTANT}openapi.json", include_in_schema=False)(app.describe_assistant)
    add_routes(app.router, routers)
    return app


def _limited_body(max_body_bytes: int, max_archive_bytes: int) -> Middleware:
    limit_of_archive = limit_of_archives(max_archive_bytes)
    limit_of_instruction = limit_of_instructions(max_body_bytes)
    return Middleware(
        LimitedBody,
        max_bytes=max_body_bytes,
        limit_of=lambda scope: (
            limit_of_messages(scope) or limit_of_instruction(scope) or limit_of_archive(scope)
        ),
    )


class _ApiRoutes(FastAPI):
    """FastAPI whose OpenAPI document omits responses that are never sent."""

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            self.openapi_schema = _exact(
                get_openapi(
                    title=self.title,
                    version=self.version,
                    description=self.description,
                    routes=self.routes,
                    servers=self.servers,
                )
            )
        return self.openapi_schema

    async def describe_assistant(self) -> JSONResponse:
        """Return the OpenAPI document of the assistant endpoints."""
        return JSONResponse(self._assistant_schema)

    @cached_property
    def _assistant_schema(self) -> dict[str, Any]:
        return _below(
            _ASSISTANT,
            {
                **self.openapi(),
                "info": {
                    "title": "Docstead assistant API",
                    "version": _ASSISTANT_VERSION,
                    "description": _ASSISTANT_DESCRIPTION,
                },
            },
        )


def _below(prefix: str, document: dict[str, Any]) -> dict[str, Any]:
    """Return the paths below `prefix` with the components that they reference."""
    paths = {path: each for path, each in document["paths"].items() if path.startswith(prefix)}
    components = document.get("components", {})
    used: set[tuple[str, str]] = set()
    waiting = _components_of(paths)
    while waiting:
        kind, name = each = waiting.pop()
        used.add(each)
        waiting |= _components_of(components[kind][name]) - used
    kept = {
        kind: {name: value for name, value in known.items() if (kind, name) in used}
        for kind, known in components.items()
    }
    return {**document, "paths": paths, "components": {k: v for k, v in kept.items() if v}}


def _components_of(node: Any) -> set[tuple[str, str]]:
    """Return the kind and name of each component that a node references."""
    if isinstance(node, list):
        return set().union(*map(_components_of, node))
    if not isinstance(node, dict):
        return set()
    found = set().union(*map(_components_of, node.values()))
    if isinstance(reference := node.get("$ref"), str):
        kind, name = reference.removeprefix("#/components/").split("/", 1)
        found.add((kind, name))
    if isinstance(security := node.get("security"), list):
        found.update(("securitySchemes", name) for each in security for name in each)
    return found


def _exact(document: dict[str, Any]) -> dict[str, Any]:
    for operations in document["paths"].values():
        for operation in operations.values():
            operation["responses"].pop(_FRAMEWORK_STATUS, None)
            describe_deprecation(operation)
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    for name in _FRAMEWORK_SCHEMAS:
        schemas.pop(name, None)
    schemas[ErrorBody.__name__] = ErrorBody.model_json_schema()
    return document
