"""Static exports over HTTP: start a job, follow it, get its bundle (interface, "Static export")."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field

from docstead.accounts.key_records import Caller
from docstead.api.authentication import Authentication
from docstead.api.errors import responses
from docstead.api.idempotency_header import IdempotencyKey
from docstead.api.json_body import Shape, body_of, request_body
from docstead.api.routers import new_router
from docstead.base.clock import rfc3339
from docstead.base.errors import NotFound
from docstead.export.exports import Bundle, Exports
from docstead.export.records import Export, new_export_id
from docstead.limits import policies
from docstead.limits.idempotency import IdempotencyKeys, fingerprint
from docstead.limits.rate_limits import RateLimits


def _moment(description: str) -> Any:
    return Field(description=description, json_schema_extra={"format": "date-time"})


class StartExport(Shape):
    """Request to start an export. Unknown fields are ignored."""

    domain: str = Field(
        description="Hostname of the deployment: no scheme, no port, no path.",
        examples=["docs.example.com"],
        json_schema_extra={"format": "hostname", "minLength": 1, "maxLength": 253},
    )
    version: str | None = Field(
        None,
        description="A label for the export.",
        examples=["2026-11-21"],
        json_schema_extra={"minLength": 1, "maxLength": 200},
    )
    paths: list[str] | None = Field(
        None,
        description="Pages without leading slash or extension; every page when left out.",
        examples=[["index", "guides/getting-started"]],
        json_schema_extra={"minItems": 1, "maxItems": 10_000},
    )


class StaticExportJob(BaseModel):
    """A static export job."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)

    jobId: str = Field(examples=["se_0123456789abcdef"])  # noqa: N815 - the wire's name
    status: Literal["queued", "running", "completed", "failed"]
    progress: float = Field(ge=0, le=100, description="Percent; 100 only when completed.")
    pageCount: int = Field(ge=0, description="Pages exported so far.")  # noqa: N815
    createdAt: str = _moment("When the job was started.")  # noqa: N815
    updatedAt: str = _moment("When the job last moved on.")  # noqa: N815
    error: str | None = Field(None, description="Present only when the job failed.")


class BundleResponse(BaseModel):
    """A link to the bundle of a completed job."""

    jobId: str  # noqa: N815
    bundleUrl: str = Field(  # noqa: N815
        description="Where to download the bundle, a tar.gz archive, until the link expires.",
        json_schema_extra={"format": "uri"},
    )
    sizeBytes: int = Field(ge=0)  # noqa: N815
    expiresAt: str = _moment("When the link expires; the job and its bundle stay.")  # noqa: N815


def static_export_routes(
    *,
    exports: Exports,
    rate_limits: RateLimits,
    idempotency: IdempotencyKeys,
    authentication: Authentication,
) -> APIRouter:
    """The routes below `/v1/static-export/jobs`."""
    routes = _Routes(exports, rate_limits, idempotency)
    router = new_router(prefix="/v1/static-export/jobs", tags=["static export"])
    caller_of_key = Depends(authentication.admin)
    _add_start(router, routes, caller_of_key)
    _add_status_and_bundle(router, routes, caller_of_key)
    return router


def _add_start(router: APIRouter, routes: _Routes, caller_of_key: Any) -> None:
    body_of_request = Depends(body_of(StartExport))

    @router.post(
        "",
        name="startStaticExportJob",
        summary="Start static export job",
        status_code=202,
        response_model=StaticExportJob,
        response_model_exclude_none=True,
        responses=responses(400, 401, 403, 404, 409, 413, 429),
        openapi_extra=request_body(StartExport),
    )
    def start(
        caller: Caller = caller_of_key,
        body: StartExport = body_of_request,
        idempotency_key: IdempotencyKey = None,
    ) -> StaticExportJob:
        return routes.start(body, caller, idempotency_key)


def _add_status_and_bundle(router: APIRouter, routes: _Routes, caller_of_key: Any) -> None:
    @router.get(
        "/{jobId}",
        name="getStaticExportJob",
        summary="Get static export job status",
        response_model=StaticExportJob,
        response_model_exclude_none=True,
        responses=responses(401, 403, 404, 429),
    )
    def get(jobId: str, caller: Caller = caller_of_key) -> StaticExportJob:  # noqa: N803
        return routes.get(jobId, caller)

    @router.post(
        "/{jobId}/bundle",
        name="generateExportBundle",
        summary="Generate export bundle",
        response_model=BundleResponse,
        responses=responses(401, 403, 404, 409, 429),
    )
    def bundle(jobId: str, caller: Caller = caller_of_key) -> BundleResponse:  # noqa: N803
        return routes.bundle(jobId, caller)


class _Routes:
    def __init__(
        self, exports: Exports, rate_limits: RateLimits, idempotency: IdempotencyKeys
    ) -> None:
        self._exports = exports
        self._rate_limits = rate_limits
        self._idempotency = idempotency

    def start(self, body: StartExport, caller: Caller, key: str | None) -> StaticExportJob:
        """Only what starts an export counts against the limit: refusals and repeats do not."""
        organization = caller.organization_id
        plan = self._exports.plan(organization, body.domain, version=body.version, paths=body.paths)
        export_id = new_export_id()
        if key is not None:
            same = fingerprint("static-export", body.domain, body.version, body.paths)
            export_id = self._idempotency.claim(organization, key, same, export_id)
            if (known := self._known(organization, export_id)) is not None:
                return _job(known)
        self._rate_limits.spend(policies.export_start(organization))
        return _job(self._exports.queue(plan, export_id))

    def get(self, job_id: str, caller: Caller) -> StaticExportJob:
        self._rate_limits.spend(policies.export_status(caller.organization_id))
        return _job(self._exports.get(caller.organization_id, job_id))

    def bundle(self, job_id: str, caller: Caller) -> BundleResponse:
        self._rate_limits.spend(policies.export_bundle(caller.organization_id))
        return _bundle(self._exports.bundle(caller.organization_id, job_id))

    def _known(self, organization_id: str, export_id: str) -> Export | None:
        try:
            return self._exports.get(organization_id, export_id)
        except NotFound:
            return None


def _job(export: Export) -> StaticExportJob:
    return StaticExportJob(
        jobId=export.id,
        status=export.status.value,
        progress=export.progress,
        pageCount=export.page_count,
        createdAt=rfc3339(export.created_at),
        updatedAt=rfc3339(export.updated_at),
        error=export.error,
    )


def _bundle(bundle: Bundle) -> BundleResponse:
    return BundleResponse(
        jobId=bundle.export_id,
        bundleUrl=bundle.url,
        sizeBytes=bundle.size_bytes,
        expiresAt=rfc3339(bundle.expires_at),
    )
