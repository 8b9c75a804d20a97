"""Agent jobs over HTTP, second version (interface, "Agent job")."""

from __future__ import annotations

from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Depends, Header, Query
from starlette.responses import Response

from docstead.accounts.key_records import Caller
from docstead.agent.agent import Agent, new_job_id, new_turn_id
from docstead.agent.job_lists import JobFilter
from docstead.agent.states import JobStatus
from docstead.agent.values import AgentJob
from docstead.api.agent.shapes import AgentJobBody, AgentJobsBody, Prompt, job_body
from docstead.api.agent.stream import EVENT_STREAM, event_response, last_event_number
from docstead.api.authentication import Authentication
from docstead.api.errors import responses
from docstead.api.idempotency_header import IdempotencyKey
from docstead.api.json_body import body_of, request_body
from docstead.api.routers import new_router
from docstead.base.errors import NotFound
from docstead.limits import policies
from docstead.limits.idempotency import IdempotencyKeys, fingerprint
from docstead.limits.rate_limits import RateLimits

_LAST_EVENT_ID = "Number of the last event that is known; the stream goes on after it."

LastEventId = Annotated[
    str | None,
    Header(
        alias="Last-Event-ID",
        description=_LAST_EVENT_ID,
        json_schema_extra={"pattern": r"^[0-9]{1,9}$"},
    ),
]


def agent_routes(
    *,
    agent: Agent,
    rate_limits: RateLimits,
    idempotency: IdempotencyKeys,
    authentication: Authentication,
) -> APIRouter:
    """The routes below `/v2/agent`."""
    routes = _AgentRoutes(agent, rate_limits, idempotency)
    router = new_router(prefix="/v2/agent/{projectId}/job", tags=["agent"])
    caller_of_key = Depends(authentication.admin)
    _add_create(router, routes, caller_of_key)
    _add_message(router, routes, caller_of_key)
    _add_list(router, routes, caller_of_key)
    _add_reading(router, routes, caller_of_key)
    _add_cancel(router, routes, caller_of_key)
    return router


def _add_create(router: APIRouter, routes: _AgentRoutes, caller_of_key: Any) -> None:
    body_of_request = Depends(body_of(Prompt))

    @router.post(
        "",
        name="createAgentJob",
        summary="Create agent job",
        status_code=201,
        response_model=AgentJobBody,
        responses=responses(400, 401, 403, 404, 413, 429, 503),
        openapi_extra=request_body(Prompt),
    )
    def create(
        projectId: str,  # noqa: N803 - the wire's name
        caller: Caller = caller_of_key,
        body: Prompt = body_of_request,
        idempotency_key: IdempotencyKey = None,
    ) -> AgentJobBody:
        return routes.create(projectId, body, caller, idempotency_key)


def _add_message(router: APIRouter, routes: _AgentRoutes, caller_of_key: Any) -> None:
    body_of_request = Depends(body_of(Prompt))

    @router.post(
        "/{id}/message",
        name="sendAgentMessage",
        summary="Send a follow-up message to an agent job",
        response_model=AgentJobBody,
        responses=responses(400, 401, 403, 404, 413, 429, 503),
        openapi_extra=request_body(Prompt),
    )
    def message(
        projectId: str,  # noqa: N803
        id: str,  # noqa: A002
        caller: Caller = caller_of_key,
        body: Prompt = body_of_request,
        idempotency_key: IdempotencyKey = None,
    ) -> AgentJobBody:
        return routes.message(projectId, id, body, caller, idempotency_key)


def _add_list(router: APIRouter, routes: _AgentRoutes, caller_of_key: Any) -> None:
    @router.get(
        "",
        name="listAgentJobs",
        summary="List the agent jobs of a project",
        response_model=AgentJobsBody,
        responses=responses(400, 401, 403, 404),
    )
    def jobs(
        projectId: str,  # noqa: N803 - the wire's name
        caller: Caller = caller_of_key,
        status: JobStatus | None = None,
        skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
        take: Annotated[int, Query(ge=1, le=100)] = 20,
    ) -> AgentJobsBody:
        return routes.list(projectId, caller, status, skip, take)


def _add_reading(router: APIRouter, routes: _AgentRoutes, caller_of_key: Any) -> None:
    @router.get(
        "/{id}",
        name="getAgentJob",
        summary="Get agent job",
        response_model=AgentJobBody,
        responses=responses(401, 403, 404),
    )
    def get(
        projectId: str,  # noqa: N803
        id: str,  # noqa: A002
        caller: Caller = caller_of_key,
    ) -> AgentJobBody:
        return job_body(routes.get(projectId, id, caller))

    @router.get(
        "/{id}/events",
        name="streamAgentJobEvents",
        summary="Follow an agent job",
        response_class=Response,
        responses={
            200: EVENT_STREAM,
            204: {"description": "There are no more events, and none will come by themselves."},
            **responses(400, 401, 403, 404),
        },
    )
    async def events(
        projectId: str,  # noqa: N803
        id: str,  # noqa: A002
        caller: Caller = caller_of_key,
        last_event_id: LastEventId = None,
    ) -> Response:
        after = last_event_number(last_event_id)
        job = await to_thread.run_sync(routes.get, projectId, id, caller)
        return await event_response(routes.agent, job, after)


def _add_cancel(router: APIRouter, routes: _AgentRoutes, caller_of_key: Any) -> None:
    @router.post(
        "/{id}/cancel",
        name="cancelAgentJob",
        summary="Cancel what an agent job is at",
        response_model=AgentJobBody,
        responses=responses(401, 403, 404, 409),
    )
    def cancel(
        projectId: str,  # noqa: N803
        id: str,  # noqa: A002
        caller: Caller = caller_of_key,
    ) -> AgentJobBody:
        return routes.cancel(projectId, id, caller)


class _AgentRoutes:
    def __init__(self, agent: Agent, rate_limits: RateLimits, idempotency: IdempotencyKeys) -> None:
        self.agent = agent
        self._rate_limits = rate_limits
        self._idempotency = idempotency

    def create(
        self, project_id: str, body: Prompt, caller: Caller, key: str | None
    ) -> AgentJobBody:
        """Only what starts a job counts against the limit: refusals and repeats do not."""
        instruction = body.instruction()
        project = self.agent.project(caller.organization_id, project_id)
        self.agent.check(instruction)
        job_id = new_job_id()
        if key is not None:
            same = fingerprint("agent-job", project_id, *_sent(body))
            job_id = self._idempotency.claim(
                caller.organization_id, key, same, job_id, scope=project_id
            )
            if (known := self._known(project_id, job_id, caller)) is not None:
                return job_body(known)
        self._rate_limits.spend(policies.agent_job(project_id))
        started_by = caller.key_id
        return job_body(
            self.agent.create(
                project,
                instruction,
                job_id=job_id,
                started_by=started_by,
                may_ask=body.questions,
                needs_plan=body.plan_approval,
            )
        )

    def message(
        self, project_id: str, job_id: str, body: Prompt, caller: Caller, key: str | None
    ) -> AgentJobBody:
        instruction = body.instruction()
        job = self.get(project_id, job_id, caller)
        self.agent.check_follow_up(job, instruction)
        turn_id = new_turn_id()
        if key is not None:
            same = fingerprint("agent-message", project_id, job_id, *_sent(body))
            turn_id = self._idempotency.claim(
                caller.organization_id, key, same, turn_id, scope=project_id
            )
            if self.agent.has_message(turn_id):
                return job_body(job)
        self._rate_limits.spend(policies.agent_message(project_id))
        return job_body(self.agent.message(job, instruction, message_id=turn_id))

    def get(self, project_id: str, job_id: str, caller: Caller) -> AgentJob:
        return self.agent.get(job_id, project_id=project_id, organization_id=caller.organization_id)

    def list(
        self, project_id: str, caller: Caller, status: JobStatus | None, skip: int, take: int
    ) -> AgentJobsBody:
        project = self.agent.project(caller.organization_id, project_id)
        filters = JobFilter(status or "", splits_cancelled=False)
        found = self.agent.of_project(project.id, skip, take + 1, filters)
        return AgentJobsBody(
            jobs=[job_body(job) for job in found[:take]], hasMore=len(found) > take
        )

    def cancel(self, project_id: str, job_id: str, caller: Caller) -> AgentJobBody:
        return job_body(self.agent.cancel(self.get(project_id, job_id, caller).id))

    def _known(self, project_id: str, job_id: str, caller: Caller) -> AgentJob | None:
        try:
            return self.get(project_id, job_id, caller)
        except NotFound:
            return None


def _sent(body: Prompt) -> list[str]:
    """The parts of a body that make it another request than one with the same key."""
    return [body.prompt, *(each.url for each in body.attachments or ())]
