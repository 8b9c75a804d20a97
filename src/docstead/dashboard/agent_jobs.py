"""Agent job pages: list, start, follow progress, follow up, cancel and archive."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from starlette.responses import JSONResponse, Response

from docstead.accounts.plans import Feature, features
from docstead.accounts.tenancy import Deployment
from docstead.agent.attachments import new_file
from docstead.agent.job_lists import CANCELLED, JobFilter
from docstead.agent.reviews.records import Review
from docstead.agent.states import JobStatus
from docstead.agent.turn_ends import TurnCancelled
from docstead.agent.values import AgentJob, Instruction
from docstead.base.errors import DocsteadError
from docstead.base.texts import clean
from docstead.dashboard.diffs import shown_files
from docstead.dashboard.pages import Confirmation, PageRenderer, see
from docstead.dashboard.prose import prose
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.turn_log import REASONS, turn_logs
from docstead.dashboard.visits import HOME, OwnerVisit

_SHOWN_JOBS = 50
_QUERY_CHARACTERS = 200
_PAGE_DIGITS = 5
_CONTINUE = "Continue where you stopped and complete the instruction."
_SHOWN_EVENTS = 400
# Texts of the form for a message, by element.
_FOLLOW_UP = {
    "follow-up": "Follow up",
    "prompt-label": "Instruction",
    "prompt-hint": "It continues on the same branch and pull request. If the job is active, it is "
    "queued.",
    "send": "Send",
}
_ANSWER = {
    "follow-up": "Answer",
    "prompt-label": "Answer",
    "prompt-hint": "The agent is waiting for it, and then continues.",
    "send": "Send answer",
    "files-field": "",  # an answer has no files
}


class AgentJobPages:
    """Pages under `/dashboard/agent/{domain}`."""

    def __init__(self, services: DashboardServices, pages: PageRenderer) -> None:
        self._services = services
        self._pages = pages

    # --- the list -----------------------------------------------------------

    def list(self, visit: OwnerVisit) -> Response:
        return self._render_list(visit, visit.deployment(self._services.tenancy))

    def list_state(self, visit: OwnerVisit) -> Response:
        """Return the rendered list for polling, and whether it may change soon."""
        listed = self._listed(visit, visit.deployment(self._services.tenancy))
        html = self._pages.text(visit, "agent_job_rows.html", **listed)
        return JSONResponse({"running": listed["polls"], "html": html})

    def start(self, visit: OwnerVisit) -> Response:
        deployment = visit.deployment(self._services.tenancy)
        try:
            instruction = _instruction(visit)
            project = self._services.agent.project(visit.organization.id, deployment.project_id)
            draft = bool(visit.form.text("draft"))
            job = self._services.agent.create(
                project,
                instruction,
                draft=draft,
                started_by=visit.owner.name,
                may_ask=bool(visit.form.text("questions")),
                needs_plan=bool(visit.form.text("plan_approval")),
            )
        except DocsteadError as error:
            return self._render_list(visit, deployment, error)
        return see(job_url(deployment, job))

    # --- one job ------------------------------------------------------------

    def show(self, visit: OwnerVisit) -> Response:
        return self._render_job(visit)

    def state(self, visit: OwnerVisit) -> Response:
        """Return the rendered job for polling, and whether it may change soon."""
        shown = self._shown(visit)
        html = self._pages.text(visit, "agent_job_body.html", **shown)
        return JSONResponse({"running": shown["polls"], "html": html, "others": shown["form"]})

    def follow_up(self, visit: OwnerVisit) -> Response:
        deployment, job = self._job(visit)
        try:
            instruction = _instruction(visit)
            self._services.agent.message(job, instruction)
        except DocsteadError as error:
            return self._render_job(visit, error)
        return see(job_url(deployment, job))

    def cancel(self, visit: OwnerVisit) -> Response:
        deployment, job = self._job(visit)
        if job.status is JobStatus.ACTIVE:  # the job may have ended since the page was loaded
            self._services.agent.cancel(job.id)
        return see(job_url(deployment, job))

    def archive(self, visit: OwnerVisit) -> Response:
        deployment, job = self._job(visit)
        if job.status in (JobStatus.COMPLETED, JobStatus.FAILED) and not visit.form.is_confirmed:
            question = _archive_question(deployment, job)
            return self._pages.confirm(visit, question, deployment=deployment, tab="agent")
        if job.status is not JobStatus.ARCHIVED:
            self._services.agent.archive(job.id)
        return see(job_url(deployment, job))

    # --- internals ----------------------------------------------------------

    def _reviews(self, deployment: Deployment) -> dict[str, Review]:
        """Return the latest review page of each branch."""
        found = self._services.reviews.of_project(deployment.project_id)
        return {review.branch: review for review in reversed(found)}

    def _job(self, visit: OwnerVisit) -> tuple[Deployment, AgentJob]:
        deployment = visit.deployment(self._services.tenancy)
        job = self._services.agent.get(
            visit.parameter("job_id"),
            project_id=deployment.project_id,
            organization_id=visit.organization.id,
        )
        return deployment, job

    def _render_list(
        self, visit: OwnerVisit, deployment: Deployment, error: DocsteadError | None = None
    ) -> Response:
        return self._pages.render(
            visit,
            "agent_jobs.html",
            status_code=200 if error is None else error.status,
            error=None if error is None else error.message,
            given=visit.form.text("prompt"),
            changes=self._services.reviews.of_project(deployment.project_id),
            **self._listed(visit, deployment),
        )

    def _listed(self, visit: OwnerVisit, deployment: Deployment) -> dict[str, Any]:
        filters, page = _filters(visit), _page(visit)
        agent, reviews = self._services.agent, self._services.reviews
        skip = (page - 1) * _SHOWN_JOBS
        found = agent.of_project(deployment.project_id, skip, _SHOWN_JOBS + 1, filters)
        jobs = found[:_SHOWN_JOBS]
        is_asking = self._services.pull_requests.refresh(deployment.project_id, jobs)
        return {
            "deployment": deployment,
            "jobs": jobs,
            "summaries": agent.summaries(jobs),
            "reasons": REASONS,
            "reviews": self._reviews(deployment),
            "approvals": reviews.approvers(deployment.project_id),
            "filters": filters,
            "query": _query(filters, page),
            "page": page,
            "previous_query": _query(filters, page - 1),
            "next_query": _query(filters, page + 1) if len(found) > _SHOWN_JOBS else "",
            "is_asking": is_asking,
            "polls": is_asking or any(job.status is JobStatus.ACTIVE for job in jobs),
            "in_plan": Feature.AGENT in features(visit.organization.plan),
            "missing": self._services.agent.missing,
            "tab": "agent",
        }

    def _render_job(self, visit: OwnerVisit, error: DocsteadError | None = None) -> Response:
        return self._pages.render(
            visit,
            "agent_job.html",
            status_code=200 if error is None else error.status,
            error=None if error is None else error.message,
            given=visit.form.text("prompt") or _suggested(visit),
            **self._shown(visit),
        )

    def _shown(self, visit: OwnerVisit) -> dict[str, Any]:
        deployment, job = self._job(visit)
        agent = self._services.agent
        turns = agent.turns(job.id)
        events = agent.latest_events(job.id, _SHOWN_EVENTS)
        is_asking = self._services.pull_requests.refresh(deployment.project_id, [job])
        is_running = job.status is JobStatus.ACTIVE
        return {
            "deployment": deployment,
            "job": job,
            "review": self._reviews(deployment).get(job.branch),
            "question": prose(job.question["text"]) if job.question else "",
            "turns": turn_logs(turns, events),
            "file_names": agent.file_names(job.id),
            "cost": sum(turn.cost for turn in turns),
            "input_tokens": sum(turn.input_tokens for turn in turns),
            "cached_tokens": sum(turn.cached_tokens for turn in turns),
            "output_tokens": sum(turn.output_tokens for turn in turns),
            "is_cancelled": bool(turns) and isinstance(turns[-1].end, TurnCancelled),
            "steps": sum(turn.steps for turn in turns),
            "stopping": any(t.cancelled_at and not t.status.is_final for t in turns),
            "files": shown_files(agent.diff(job.id)),
            "running": is_running,
            "is_asking": is_asking,
            "polls": is_running or is_asking,
            "form": _ANSWER if job.question else _FOLLOW_UP,
            "url": job_url(deployment, job),
            "tab": "agent",
        }


def _archive_question(deployment: Deployment, job: AgentJob) -> Confirmation:
    return Confirmation(
        "Archive this job?",
        f"“{job.title}” will accept no more follow-ups. Its branch {job.branch} and its pull "
        "request remain unchanged.",
        yes="Archive",
        no="Cancel",
        back=job_url(deployment, job),
    )


def _instruction(visit: OwnerVisit) -> Instruction:
    """Return the instruction of a submitted form.

    Raises:
        InvalidRequest, PayloadTooLarge: an attached file is not allowed.
    """
    files = [new_file(name, data) for name, data in visit.form.files]
    return Instruction.of(visit.form.text("prompt"), files)


def _suggested(visit: OwnerVisit) -> str:
    """Return the suggested instruction when the URL asks to continue a turn, or ""."""
    return _CONTINUE if visit.request.query_params.get("continue") else ""


def _filters(visit: OwnerVisit) -> JobFilter:
    query = visit.request.query_params
    status = query.get("status", "")
    known = status in (*JobStatus, CANCELLED)
    text = clean(query.get("q", "")).strip()[:_QUERY_CHARACTERS]
    return JobFilter(status if known else "", text)


def _page(visit: OwnerVisit) -> int:
    given = visit.request.query_params.get("page", "")
    return (
        max(1, int(given))
        if given.isascii() and given.isdigit() and len(given) <= _PAGE_DIGITS
        else 1
    )


def _query(filters: JobFilter, page: int) -> str:
    """Return the query string of a list page, without default values."""
    fields = {"status": filters.status, "q": filters.text, "page": page if page > 1 else ""}
    return urlencode({name: value for name, value in fields.items() if value})


def job_url(deployment: Deployment, job: AgentJob) -> str:
    """Return the URL of a job's page."""
    return f"{HOME}/agent/{deployment.domain}/jobs/{job.id}"
