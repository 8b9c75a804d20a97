"""Routers of the API, and how an application gets their routes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, FastAPI


def new_router(**options: Any) -> APIRouter:
    """A router whose operations are named by their routes; `options` are those of FastAPI."""
    return APIRouter(generate_unique_id_function=lambda route: route.name, **options)


def add_routes(target: FastAPI | APIRouter, routers: Sequence[APIRouter]) -> None:
    """Add the routes of these routers as they are.

    `include_router` analyzes each of them a second time, which takes a third of the start.
    """
    routes = target.router.routes if isinstance(target, FastAPI) else target.routes
    for router in routers:
        routes.extend(router.routes)
