"""Construction of routers.

Modules with endpoints evaluate their annotations (no `from __future__ import annotations`), because
dependencies in `Annotated` are local variables of the function that creates the routes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter


def new_router(**options: Any) -> APIRouter:
    """Return a router with operations named after their routes; `options` are FastAPI's."""
    return APIRouter(generate_unique_id_function=lambda route: route.name, **options)


def add_routes(target: APIRouter, routers: Sequence[APIRouter]) -> None:
    """Add the routes of several routers to a router.

    `include_router` would analyze each route a second time, which takes a third of the startup
    time.
    """
    for router in routers:
        target.routes.extend(router.routes)
