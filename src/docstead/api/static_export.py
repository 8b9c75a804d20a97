"""Static export endpoints (docs/reference/static-export.mdx)."""

from contextlib import suppress
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path
from pydantic import ConfigDict, Field

from docstead.accounts.key_records import Caller
from docstead.api.authentication import Authentication
from docstead.api.errors import responses
from docstead.api.idempotency_header import IdempotencyKey
from docstead.api.json_body import BodyList, BodyModel, ResponseShape, body_of, request_body
from docstead.api.routers import new_router
from docstead.base.clock import rfc3339
from docstead.base.errors import NotFound
from docstead.export.exports import BundleLink, ExportManager
from docstead.export.records import Export, new_export_id
from docstead.limits import policies
from docstead.limits.idempotency import IdempotencyKeys, IdempotentRequest, fingerprint
from docstead.limits.rate_limits import RateLimits

JobId = Annotated[str, Path(alias="jobId")]


def _moment(description: str) -> Any:
    return Field(description=description, json_schema_extra={"format": "date-time"})


class StartExport(BodyModel):
    """Request to start an export. Unknown fields are ignored."""

    domain: str = Field(
        description="Hostname of the deployment: no scheme, no port, no path.",
        examples=["docs.example.com"],
        json_schema_extra={"format": "hostname", "minLength": 1, "maxLength": 253},
    )
    version: str | None = Field(
        None,
        description="Label of the export; by default the id of the edition that it exports.",
        examples=["2026-11-21"],
        json_schema_extra={"minLength": 1, "maxLength": 200},
    )
    paths: BodyList[str] | None = Field(
        None,
        description="Pages without leading slash or extension; all pages by default.",
        examples=[["index", "guides/getting-started"]],
        json_schema_extra={"minItems": 1, "maxItems": 10_000},
    )


class StaticExportJob(ResponseShape):
    """A static export job."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)

    job_id: str = Field(examples=["se_0123456789abcdef"])
    status: Literal["queued", "running", "completed", "failed"]
    progress: float = Field(ge=0, le=100, description="Percent; 100 only when completed.")
    page_count: int = Field(ge=0, description="Pages exported so far.")
    created_at: str = _moment("When the job was started.")
    updated_at: str = _moment("When the job was last updated.")
    error: str | None = Field(None, description="Present only if the job failed.")


class BundleResponse(ResponseShape):
    """A link to the bundle of a completed job."""

    job_id: str
    bundle_url: str = Field(
        description="Download link for the bundle, a tar.gz archive.",
        json_schema_extra={"format": "uri"},
    )
    size_bytes: int = Field(ge=0)
    expires_at: str = _moment("When the link expires. The job and its bundle remain available.")


def static_export_routes(
    *,
    exports: ExportManager,
    rate_limits: RateLimits,
    idempotency: IdempotencyKeys,
    authentication: Authentication,
) -> APIRouter:
    """Return the routes below `/v1/static-export/jobs`."""
    router = new_router(prefix="/v1/static-export/jobs", tags=["static export"])
    caller_of_key = Depends(authentication.admin)
    _add_start(router, exports, rate_limits, idempotency, caller_of_key)
    _add_status(router, exports, rate_limits, caller_of_key)
    _add_bundle(router, exports, rate_limits, caller_of_key)
    return router


def _add_start(
    router: APIRouter,
    exports: ExportManager,
    rate_limits: RateLimits,
    idempotency: IdempotencyKeys,
    caller_of_key: Any,
) -> None:
    @router.post(
        "",
        name="startStaticExportJob",
        summary="Start static export job",
        status_code=202,
        response_model_exclude_none=True,
        responses=responses(400, 401, 403, 404, 409, 413, 415, 429),
        openapi_extra=request_body(StartExport),
    )
    def start(
        caller: Annotated[Caller, caller_of_key],
        body: Annotated[StartExport, Depends(body_of(StartExport))],
        idempotency_key: IdempotencyKey = None,
    ) -> StaticExportJob:
        organization = caller.organization_id
        same = fingerprint("static-export", body.domain, body.version, body.paths)
        request = IdempotentRequest(organization, idempotency_key, same)
        with suppress(NotFound):
            return _job(exports.get(organization, idempotency.claimed(request)))
        plan = exports.plan(organization, body.domain, version=body.version, paths=body.paths)
        # Only new exports count against the limit, not rejected or repeated requests.
        rate_limits.spend(policies.export_start(organization), once=request.count_once)
        export_id = idempotency.claim(request, new_export_id())
        with suppress(NotFound):
            return _job(exports.get(organization, export_id))
        return _job(exports.queue(plan, export_id))


def _add_status(
    router: APIRouter, exports: ExportManager, rate_limits: RateLimits, caller_of_key: Any
) -> None:
    @router.get(
        "/{jobId}",
        name="getStaticExportJob",
        summary="Get static export job status",
        response_model_exclude_none=True,
        responses=responses(401, 403, 404, 429),
    )
    def get(job_id: JobId, caller: Annotated[Caller, caller_of_key]) -> StaticExportJob:
        export = exports.get(caller.organization_id, job_id)
        rate_limits.spend(policies.export_status(caller.organization_id))
        return _job(export)


def _add_bundle(
    router: APIRouter, exports: ExportManager, rate_limits: RateLimits, caller_of_key: Any
) -> None:
    @router.post(
        "/{jobId}/bundle",
        name="generateExportBundle",
        summary="Generate export bundle",
        responses=responses(401, 403, 404, 409, 429),
    )
    def bundle(job_id: JobId, caller: Annotated[Caller, caller_of_key]) -> BundleResponse:
        exports.get(caller.organization_id, job_id)  # unknown jobs do not count
        rate_limits.spend(policies.export_bundle(caller.organization_id))
        return _bundle(exports.bundle(caller.organization_id, job_id))


def _job(export: Export) -> StaticExportJob:
    return StaticExportJob(
        job_id=export.id,
        status=export.status.value,
        progress=export.progress,
        page_count=export.page_count,
        created_at=rfc3339(export.created_at),
        updated_at=rfc3339(export.updated_at),
        error=export.error,
    )


def _bundle(bundle: BundleLink) -> BundleResponse:
    return BundleResponse(
        job_id=bundle.export_id,
        bundle_url=bundle.url,
        size_bytes=bundle.size_bytes,
        expires_at=rfc3339(bundle.expires_at),
    )
