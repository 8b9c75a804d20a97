"""The API as one ASGI application, and its exact description at `/openapi.json`.

The assistant interface has a description of its own, at `/discovery/openapi.json`.
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
_ASSISTANT_VERSION = "1.0.0"  # of the interface, not of the program that serves it
_ASSISTANT_DESCRIPTION = (
    "Answers about a documentation site: messages, search, page contents and feedback. "
    'Every failure has the body `{"error": string}`.'
)
# The framework adds this response to every route with parameters; ours answer 400 instead.
_FRAMEWORK_STATUS = "422"
_FRAMEWORK_SCHEMAS = ("HTTPValidationError", "ValidationError")


def create_api(
    routers: Sequence[APIRouter],
    *,
    base_url: str,
    max_body_bytes: int = MIB,
    max_archive_bytes: int = GIB,
    allowed_origins: Sequence[str] = ("*",),
    admit: Admit = everyone,
) -> FastAPI:
    """The API made of these routers. `base_url` has no slash at its end.

    Every failure answers `{"error": message}`; bodies over `max_body_bytes` get 413;
    browsers of `allowed_origins` may call what lies under `/discovery/`, as often as `admit`
    lets their address in.
    """
    limit_of_archive = limit_of_archives(max_archive_bytes)
    limit_of_instruction = limit_of_instructions(max_body_bytes)
    app = _Api(
        title="Docstead API",
        version=__version__,
        description=_DESCRIPTION,
        servers=[{"url": base_url}],
        docs_url=None,  # these pages would load scripts of another host
        redoc_url=None,
        redirect_slashes=False,
        middleware=[
            Middleware(CrossOrigin, allowed_origins=allowed_origins),
            Middleware(DeprecationMiddleware),
            Middleware(AdmitByAddress, admit=admit),
            Middleware(CatchUnexpected),
            Middleware(HeadAsGet),
            Middleware(
                LimitedBody,
                max_bytes=max_body_bytes,
                limit_of=lambda scope: (
                    limit_of_messages(scope)
                    or limit_of_instruction(scope)
                    or limit_of_archive(scope)
                ),
            ),
        ],
    )
    install_error_handlers(app)
    app.get(f"{_ASSISTANT}openapi.json", include_in_schema=False)(app.describe_assistant)
    add_routes(app.router, routers)
    return app


class _Api(FastAPI):
    """FastAPI without the failures that it claims and we never answer."""

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
        """Send the description of the assistant interface."""
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
    """Return the description of the paths below `prefix`, with the components they refer to."""
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
    """Return the kind and the name of each component that the node refers to."""
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
