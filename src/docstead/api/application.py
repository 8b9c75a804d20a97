"""The API as one ASGI application, and its exact description at `/openapi.json`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.middleware import Middleware

from docstead import __version__
from docstead.api.admission_by_address import Admit, AdmitByAddress, everyone
from docstead.api.assistant.sizes import room_for_files
from docstead.api.body import LimitedBody
from docstead.api.cross_origin import CrossOrigin
from docstead.api.deprecation import Deprecations, describe_deprecation
from docstead.api.errors import CatchUnexpected, install_error_handlers
from docstead.api.methods import HeadAsGet
from docstead.base.units import MIB

_DESCRIPTION = (
    "Answers about a documentation site, project updates and static exports. "
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
    allowed_origins: Sequence[str] = ("*",),
    admit: Admit = everyone,
) -> FastAPI:
    """The API made of these routers. `base_url` has no slash at its end.

    Every failure answers `{"error": message}`; bodies over `max_body_bytes` get 413;
    browsers of `allowed_origins` may call what lies under `/discovery/`, as often as `admit`
    lets their address in.
    """
    app = _Api(
        title="Docstead API",
        version=__version__,
        description=_DESCRIPTION,
        servers=[{"url": base_url}],
        docs_url=None,  # these pages would load scripts of another host
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
        middleware=[
            Middleware(CrossOrigin, allowed_origins=allowed_origins),
            Middleware(Deprecations),
            Middleware(AdmitByAddress, admit=admit),
            Middleware(CatchUnexpected),
            Middleware(HeadAsGet),
            Middleware(LimitedBody, max_bytes=max_body_bytes, more=room_for_files),
        ],
    )
    install_error_handlers(app)
    for router in routers:
        app.include_router(router)
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


def _exact(document: dict[str, Any]) -> dict[str, Any]:
    for operations in document["paths"].values():
        for operation in operations.values():
            operation["responses"].pop(_FRAMEWORK_STATUS, None)
            describe_deprecation(operation)
    schemas = document.get("components", {}).get("schemas", {})
    for name in _FRAMEWORK_SCHEMAS:
        schemas.pop(name, None)
    return document
