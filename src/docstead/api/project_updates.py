"""Project update endpoints: publish a project again, and get the status of an update."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from docstead.accounts.key_records import Caller
from docstead.accounts.tenancy import Project, Tenancy
from docstead.api.authentication import Authentication
from docstead.api.errors import responses
from docstead.api.json_body import ResponseShape
from docstead.api.routers import new_router
from docstead.base.clock import rfc3339
from docstead.base.errors import NotFound
from docstead.limits import policies
from docstead.limits.rate_limits import RateLimits
from docstead.publishing.update_records import Update
from docstead.publishing.updates import COMMAND, UpdateService

_ORIGIN = "api"
_MOMENT: JsonDict = {"format": "date-time"}


_ProjectId = Annotated[str, Path(alias="projectId")]
_StatusId = Annotated[str, Path(alias="statusId")]


class UpdateStarted(ResponseShape):
    """A queued update."""

    status_id: str = Field(description="Identifier for the status endpoint.")


class Author(BaseModel):
    """Author of the commit. Git knows only the name."""

    name: str
    avatarUrl: str | None = None  # noqa: N815 - the wire's names
    githubUserId: int | None = None  # noqa: N815


class FilesChanged(BaseModel):
    """Files of this commit, compared with the published ones."""

    added: list[str]
    modified: list[str]
    removed: list[str]


class Commit(BaseModel):
    """The published commit."""

    sha: str = Field(description="The commit, or `content-` and a hash of a folder's files.")
    ref: str | None = Field(description="Requested branch, tag or commit.")
    message: str
    filesChanged: FilesChanged  # noqa: N815


class UpdateStatusResponse(BaseModel):
    """Status of an update."""

    model_config = ConfigDict(populate_by_name=True)

    id: str = Field(alias="_id")
    projectId: str  # noqa: N815
    createdAt: str = Field(json_schema_extra=_MOMENT)  # noqa: N815
    endedAt: str | None = Field(None, json_schema_extra=_MOMENT)  # noqa: N815
    status: Literal["queued", "in_progress", "success", "failure"]
    summary: str = Field("", description="One sentence. On failure it includes the location.")
    logs: list[str] = Field(description="Log lines, oldest first.")
    subdomain: str = Field(description="Domain of the project's first deployment.")
    screenshot: str | None = None
    screenshotLight: str | None = None  # noqa: N815
    screenshotDark: str | None = None  # noqa: N815
    author: Author | None = None
    commit: Commit | None = Field(None, description="Present after the source has been read.")
    source: Literal[
        "internal", "github-app-installation", "api", "github", "dashboard", "gitlab", "onboarding"
    ]


def project_update_routes(
    *,
    updates: UpdateService,
    tenancy: Tenancy,
    rate_limits: RateLimits,
    authentication: Authentication,
) -> APIRouter:
    """Return the routes below `/v1/project`."""
    router = new_router(prefix="/v1/project", tags=["project updates"])
    caller_of_key = Depends(authentication.admin)

    @router.post(
        "/update/{projectId}",
        name="triggerUpdate",
        summary="Trigger update",
        status_code=202,
        responses=responses(401, 403, 404, 429),
    )
    def start(project_id: _ProjectId, caller: Annotated[Caller, caller_of_key]) -> UpdateStarted:
        project = _project(tenancy, project_id, caller)
        rate_limits.spend(policies.project_update(caller.organization_id))
        return UpdateStarted(status_id=updates.start(project.id, _ORIGIN).id)

    @router.get(
        "/update-status/{statusId}",
        name="getUpdateStatus",
        summary="Get update status",
        responses=responses(401, 403, 404),
    )
    def get(status_id: _StatusId, caller: Annotated[Caller, caller_of_key]) -> UpdateStatusResponse:
        found = updates.get(status_id, organization_id=caller.organization_id)
        deployments = tenancy.deployments_of_project(found.project_id)
        return _status(found, deployments[0].domain if deployments else "")

    return router


def _project(tenancy: Tenancy, project_id: str, caller: Caller) -> Project:
    """Return a project of the caller's organization; others are treated as missing."""
    owned = tenancy.projects(caller.organization_id)
    project = next((each for each in owned if each.id == project_id), None)
    if project is None:
        raise NotFound("there is no such project")
    return project


def _status(update: Update, subdomain: str) -> UpdateStatusResponse:
    return UpdateStatusResponse(
        id=update.id,
        projectId=update.project_id,
        createdAt=rfc3339(update.created_at),
        endedAt=rfc3339(update.ended_at) if update.ended_at else None,
        status=update.status.value,
        summary=update.summary or "",
        logs=list(update.logs),
        subdomain=subdomain,
        author=_author(update.commit),
        commit=None if update.commit is None else Commit.model_validate(update.commit),
        source="internal" if update.origin == COMMAND else update.origin,
    )


def _author(commit: Mapping[str, Any] | None) -> Author | None:
    name = commit.get("author") if commit else None
    return Author(name=name) if name else None
