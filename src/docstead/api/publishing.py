"""Publishing endpoints: upload an archive, or name a source that the service can read.

Used by `docstead publish`. Admin keys upload archives; commands on the service's own machine may
name a source instead (`api.local_sessions`).
"""

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Security
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from starlette.types import Scope

from docstead.accounts.tenancy import Deployment, Tenancy
from docstead.api.authentication import ADMIN_SCHEME, Authentication, bearer_token
from docstead.api.body import BodyLimit
from docstead.api.errors import responses
from docstead.api.json_body import BodyModel, parsed
from docstead.api.local_sessions import PREFIX, LocalSessions, check_local
from docstead.api.routers import new_router
from docstead.base.errors import InvalidRequest, SourceUnreadable
from docstead.limits import policies
from docstead.limits.rate_limits import RateLimits
from docstead.publishing.publications import Destination, PublicationService
from docstead.publishing.sources import DocumentationSource
from docstead.publishing.update_records import Update
from docstead.publishing.update_reports import UpdateProgress, UpdateReport
from docstead.publishing.updates import COMMAND, UpdateService

_TOP = "/v1/publishing"
_ORIGIN = "api"
_ARCHIVE_BODY = {
    "required": True,
    "content": {"application/gzip": {"schema": {"type": "string", "format": "binary"}}},
}
_START = (
    "Publish the files of a tar.gz archive; `docs.json` is at its root. The deployment is created "
    "if it does not exist. Links and special files are rejected."
)


class PublishingStarted(BaseModel):
    """A queued update."""

    statusId: str = Field(description="Identifier for the status endpoint.")  # noqa: N815


class Progress(BaseModel):
    """Number of processed pages."""

    done: int = Field(ge=0)
    total: int = Field(ge=0)


class ReportedDiagnostic(BaseModel):
    """A diagnostic of the repository."""

    file: str
    line: int = Field(ge=0, description="From 1; 0 if only the file is known.")
    column: int = Field(ge=0)
    severity: Literal["error", "warning", "info"]
    code: str
    message: str
    hint: str


class PublishingReport(BaseModel):
    """Report on a build, with all diagnostics."""

    pages: int = Field(ge=0)
    failed: int = Field(
        ge=0, description="Pages that show an error notice instead of their content."
    )
    diagnostics: list[ReportedDiagnostic]
    seconds: float = Field(ge=0)
    peakMemoryBytes: int = Field(  # noqa: N815
        ge=0, description="Peak memory of the service while publishing."
    )


class PublishingStatus(BaseModel):
    """The state of an update."""

    statusId: str  # noqa: N815
    status: Literal["queued", "in_progress", "success", "failure"]
    summary: str = Field(description="One sentence. On failure it includes the location.")
    progress: Progress
    report: PublishingReport | None = Field(
        None, description="Present after the build; kept for the latest ten updates."
    )
    siteUrl: str | None = Field(None, description="Domain of an existing deployment.")  # noqa: N815


class NamedSource(BodyModel):
    """A source that the service reads itself."""

    source: Annotated[str, Field(min_length=1)]
    ref: str | None = None
    root: str = ""
    hostname: str | None = None


@dataclass(frozen=True, slots=True)
class PublishingCaller:
    """Authenticated caller: an admin key of an organization, or an operator command."""

    organization_id: str | None  # None for the operator

    @property
    def is_operator(self) -> bool:
        return self.organization_id is None


def limit_of_archives(max_bytes: int) -> Callable[[Scope], BodyLimit | None]:
    """Return a function with the body limit of archives, which are not held in memory."""
    limit = BodyLimit(max_bytes, "DOCSTEAD_SOURCE_BYTES allows more", in_memory=False)

    def limit_of(scope: Scope) -> BodyLimit | None:
        is_archive = scope["path"].startswith(f"{_TOP}/") and scope["method"] == "POST"
        return limit if is_archive else None

    return limit_of


def publishing_routes(
    *,
    publications: PublicationService,
    updates: UpdateService,
    tenancy: Tenancy,
    rate_limits: RateLimits,
    authentication: Authentication,
    sessions: LocalSessions,
    site_url: Callable[[Deployment], str],
) -> APIRouter:
    """Return the routes below `/v1/publishing`. `site_url` has no trailing slash."""
    router = new_router(prefix=_TOP, tags=["publishing"])
    caller_of_token = Depends(_CallerLookup(authentication, sessions).caller)
    _add_start(router, publications, rate_limits, caller_of_token)
    _add_status(
        router,
        updates,
        tenancy,
        rate_limits=rate_limits,
        site_url=site_url,
        caller_of_token=caller_of_token,
    )
    return router


def _add_status(
    router: APIRouter,
    updates: UpdateService,
    tenancy: Tenancy,
    *,
    rate_limits: RateLimits,
    site_url: Callable[[Deployment], str],
    caller_of_token: Any,
) -> None:
    @router.get(
        "/updates/{statusId}",
        name="getPublishingStatus",
        summary="Get publishing status",
        response_model=PublishingStatus,
        responses=responses(401, 403, 404, 429),
    )
    def get(
        statusId: str,  # noqa: N803
        caller: Annotated[PublishingCaller, caller_of_token],
    ) -> PublishingStatus:
        found = updates.get(statusId, organization_id=caller.organization_id)
        if caller.organization_id is not None:
            rate_limits.spend(policies.archive_status(caller.organization_id))
        sites = tenancy.deployments_of_project(found.project_id)
        return _status(found, updates.progress(found.id), sites, site_url)


def _add_start(
    router: APIRouter,
    publications: PublicationService,
    rate_limits: RateLimits,
    caller_of_token: Any,
) -> None:
    @router.post(
        "/{domain}",
        name="publishArchive",
        summary="Publish an archive",
        description=_START,
        status_code=202,
        response_model=PublishingStarted,
        responses=responses(400, 401, 403, 409, 413, 429),
        openapi_extra={"requestBody": _ARCHIVE_BODY},
    )
    async def start(
        domain: str,
        request: Request,
        caller: Annotated[PublishingCaller, caller_of_token],
        hostname: Annotated[
            str | None,
            Query(description="Hostname of a new deployment; `{domain}.localhost` by default."),
        ] = None,
    ) -> PublishingStarted:
        if caller.is_operator and request.headers.get("content-type") == "application/json":
            named = parsed(NamedSource, await request.body())
            return await run_in_threadpool(_start_named, publications, domain, named)
        if caller.organization_id is not None:  # before receiving the archive
            limit = policies.archive_publish(caller.organization_id)
            await run_in_threadpool(rate_limits.spend, limit)
        with tempfile.TemporaryDirectory(prefix="archive-") as folder:
            archive = Path(folder, "source.tar.gz")
            await _receive(request, archive)
            to = Destination(domain, hostname)
            origin = COMMAND if caller.is_operator else _ORIGIN
            found = await run_in_threadpool(
                publications.start_archive, caller.organization_id, to, archive, origin
            )
            return PublishingStarted(statusId=found.id)


async def _receive(request: Request, target: Path) -> None:
    with target.open("wb") as file:
        async for chunk in request.stream():
            await run_in_threadpool(file.write, chunk)
        if not file.tell():
            raise InvalidRequest("the body is missing: send a tar.gz archive")


class _CallerLookup:
    """Authenticates a request by admin key or by a local command's token."""

    def __init__(self, authentication: Authentication, sessions: LocalSessions) -> None:
        self._authentication = authentication
        self._sessions = sessions

    async def caller(
        self, request: Request, _: Annotated[object, Security(ADMIN_SCHEME)] = None
    ) -> PublishingCaller:
        if (token := bearer_token(request)).startswith(PREFIX):
            check_local(request)
            self._sessions.check(token)
            return PublishingCaller(None)
        caller = await self._authentication.admin(request)
        return PublishingCaller(caller.organization_id)


def _start_named(
    publications: PublicationService, domain: str, named: NamedSource
) -> PublishingStarted:
    source = DocumentationSource(named.source, named.ref, named.root)
    _check_readable(source)
    to = Destination(domain, named.hostname)
    return PublishingStarted(statusId=publications.start(None, to, source, COMMAND).id)


def _check_readable(source: DocumentationSource) -> None:
    """Verify that this process may read a folder.

    Raises:
        SourceUnreadable: it may not.
    """
    if source.protocol is not None:
        return
    folder = Path(source.location, source.root)
    if not folder.is_absolute() or not os.access(folder, os.R_OK | os.X_OK):
        raise SourceUnreadable(f"{source.location}: the service cannot read this folder")


def _status(
    found: Update,
    progress: UpdateProgress,
    sites: Sequence[Deployment],
    site_url: Callable[[Deployment], str],
) -> PublishingStatus:
    return PublishingStatus(
        statusId=found.id,
        status=found.status.value,
        summary=found.summary or "",
        progress=Progress(done=progress.done, total=progress.total),
        report=None if progress.report is None else _report(progress.report),
        siteUrl=site_url(sites[0]) if sites else None,
    )


def _report(report: UpdateReport) -> PublishingReport:
    return PublishingReport(
        pages=report.pages,
        failed=report.failed,
        diagnostics=[ReportedDiagnostic(**asdict(each)) for each in report.diagnostics],
        seconds=report.seconds,
        peakMemoryBytes=report.peak_memory_bytes,
    )
