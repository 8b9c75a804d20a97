"""Liveness and readiness endpoints for load balancers.

GET /livez     200 {"status": "ok"}: the process answers. Uses no thread and no storage.
GET /readyz    200 or 503 {"status", "checks": {name: "ok" or a reason}}
GET /healthz   200 {"status": "ok"}, or 503 if the database is unavailable
"""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from sqlalchemy import text

from docstead.api.readiness import Readiness
from docstead.api.routers import new_router
from docstead.base.errors import Unavailable
from docstead.storage.database import Database

_READ = ["GET", "HEAD"]
_NOT_STORED = {"Cache-Control": "no-store"}


def health_routes(database: Database, readiness: Readiness) -> APIRouter:
    """Return the three health routes, which are not in the OpenAPI document."""
    router = new_router()

    @router.api_route("/livez", methods=_READ, include_in_schema=False)
    async def alive() -> JSONResponse:
        return JSONResponse({"status": "ok"}, headers=_NOT_STORED)

    @router.api_route("/readyz", methods=_READ, include_in_schema=False)
    async def ready() -> JSONResponse:
        checks = await readiness.results()
        is_ready = all(result == "ok" for result in checks.values())
        body = {"status": "ready" if is_ready else "waiting", "checks": checks}
        return JSONResponse(body, 200 if is_ready else 503, headers=_NOT_STORED)

    @router.api_route("/healthz", methods=_READ, include_in_schema=False)
    def health() -> JSONResponse:
        try:
            with database.reading() as connection:
                connection.execute(text("SELECT 1"))
        except Exception as error:
            raise Unavailable("the database cannot be reached") from error
        return JSONResponse({"status": "ok"})

    return router
