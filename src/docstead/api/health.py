"""`GET` and `HEAD /healthz`: whether this process can answer and reach its database."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from sqlalchemy import text

from docstead.base.errors import Unavailable
from docstead.storage.database import Database


def health_routes(database: Database) -> APIRouter:
    """For load balancers: 200 `{"status": "ok"}`, or 503 when the database is away."""
    router = APIRouter()

    @router.api_route("/healthz", methods=["GET", "HEAD"], include_in_schema=False)
    def health() -> JSONResponse:
        try:
            with database.reading() as connection:
                connection.execute(text("SELECT 1"))
        except Exception as error:
            raise Unavailable("the database cannot be reached") from error
        return JSONResponse({"status": "ok"})

    return router
