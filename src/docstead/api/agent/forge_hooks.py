"""Webhooks that forges call about pull requests. They are signed and need no API key."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from docstead.agent.forge_hooks import ForgeHooks
from docstead.api.routers import new_router


def forge_hook_routes(hooks: ForgeHooks) -> APIRouter:
    """Return the routes below `/v1/agent-comments`, which are not in the OpenAPI document."""
    router = new_router(include_in_schema=False)

    @router.post("/v1/agent-comments/{projectId}", name="receiveForgeComment", status_code=202)
    async def receive(request: Request, projectId: str) -> Response:  # noqa: N803 - the wire's name
        body = await request.body()
        outcome = await run_in_threadpool(hooks.receive, projectId, request.headers, body)
        return JSONResponse({"outcome": outcome}, 202)

    return router
