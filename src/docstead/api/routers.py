"""Routers of the API, and one router with the routes of others.

Modules with endpoints evaluate their annotations (no `from __future__ import annotations`),
because dependencies in `Annotated` are variables of the function that makes the routes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter


def new_router(**options: Any) -> APIRouter:
    """A router whose operations are named by their routes; `options` are those of FastAPI."""
    return APIRouter(generate_unique_id_function=lambda route: route.name, **options)


def add_routes(target: APIRouter, routers: Sequence[APIRouter]) -> None:
    """Add the routes of these routers as they are.

    `include_router` analyzes each of them a second time, which takes a third of the start.
    """
    for router in routers:
        target.routes.extend(router.routes)
