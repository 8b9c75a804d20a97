"""Page previews for jobs with a pull request on a forge, and short URLs of jobs."""

from __future__ import annotations

from starlette.responses import Response

from docstead.agent.forges.forge import ChangeState
from docstead.agent.reviews.records import Review
from docstead.agent.values import AgentJob
from docstead.base.errors import Conflict, NotFound
from docstead.dashboard.changes import ChangePages
from docstead.dashboard.pages import see
from docstead.dashboard.visits import HOME, OwnerVisit


class JobPreviewPages(ChangePages):
    """Pages under `/dashboard/jobs/{change_id}/pages`, which compare a branch with its base."""

    def open_job(self, visit: OwnerVisit) -> Response:
        """Redirect from the short URL of a job, which pull requests contain."""
        job = self._find(visit)
        deployments = self._services.tenancy.deployments_of_project(job.project_id)
        if not deployments:
            raise NotFound("the project of this job has no deployments")
        return see(f"{HOME}/agent/{deployments[0].domain}/jobs/{job.id}")

    def review(self, visit: OwnerVisit) -> Review:
        """Return the branch as a review that is not stored."""
        job = self._find(visit)
        return Review(
            job.id, job.project_id, 0, job.branch, self._base(job), job.title, "",
            draft=job.draft, state=ChangeState.OPEN, merge_commit=None, ended_by=None,
            base_commit=None, head_commit=None, created_at=job.created_at,
            updated_at=job.updated_at, ended_at=None,
        )  # fmt: skip

    def url(self, review: Review) -> str:
        return f"{HOME}/jobs/{review.id}"

    def _find(self, visit: OwnerVisit) -> AgentJob:
        job_id = visit.parameter("change_id")
        return self._services.agent.find(job_id, organization_id=visit.organization.id)

    def _base(self, job: AgentJob) -> str:
        events = self._services.agent.events(job.id)
        found = (str(each.data["base"]) for each in events if each.kind == "workspace")
        base = next(found, "")
        if not base:
            raise Conflict("the job has not checked out its repository yet")
        return base
