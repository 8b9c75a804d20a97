"""HTTP API of agent jobs, v2 (docs/reference/agent-jobs.mdx)."""

from contextlib import suppress
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Depends, Header, Query
from starlette.responses import Response

from docstead.accounts.key_records import Caller
from docstead.agent.agent import AgentJobs, new_job_id, new_turn_id
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
from docstead.limits.idempotency import IdempotencyKeys, IdempotentRequest, fingerprint
from docstead.limits.rate_limits import RateLimits

_LAST_EVENT_ID = "Number of the last received event. The stream continues after it."

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
    agent: AgentJobs,
    rate_limits: RateLimits,
    idempotency: IdempotencyKeys,
    authentication: Authentication,
) -> APIRouter:
    """Return the routes below `/v2/agent`."""
    router = new_router(prefix="/v2/agent/{projectId}/job", tags=["agent"])
    admin = Depends(authentication.admin)
    _add_create(router, agent, rate_limits, idempotency, admin)
    _add_message(router, agent, rate_limits, idempotency, admin)
    _add_list(router, agent, admin)
    _add_reading(router, agent, admin)
    _add_cancel(router, agent, admin)
    return router


def _add_create(
    router: APIRouter,
    agent: AgentJobs,
    rate_limits: RateLimits,
    idempotency: IdempotencyKeys,
    admin: Any,
) -> None:
    @router.post(
        "",
        name="createAgentJob",
        summary="Create agent job",
        status_code=201,
        response_model=AgentJobBody,
        responses=responses(400, 401, 403, 404, 413, 415, 429, 503),
        openapi_extra=request_body(Prompt),
    )
    def create(
        projectId: str,  # noqa: N803 - the wire's name
        caller: Annotated[Caller, admin],
        body: Annotated[Prompt, Depends(body_of(Prompt))],
        idempotency_key: IdempotencyKey = None,
    ) -> AgentJobBody:
        instruction = body.instruction()
        organization = caller.organization_id
        same = fingerprint("agent-job", projectId, *_sent(body), *_options(body))
        request = IdempotentRequest(organization, idempotency_key, same, scope=projectId)
        with suppress(NotFound):
            return job_body(_job(agent, projectId, idempotency.claimed(request), caller))
        project = agent.project(organization, projectId)
        agent.check(instruction)
        # Only new jobs count against the limit, not rejected or repeated requests.
        rate_limits.spend(policies.agent_job(projectId), once=request.count_once)
        job_id = idempotency.claim(request, new_job_id())
        with suppress(NotFound):
            return job_body(_job(agent, projectId, job_id, caller))
        return job_body(
            agent.create(
                project,
                instruction,
                job_id=job_id,
                started_by=caller.key_id,
                may_ask=bool(body.questions),
                needs_plan=bool(body.plan_approval),
            )
        )


def _add_message(
    router: APIRouter,
    agent: AgentJobs,
    rate_limits: RateLimits,
    idempotency: IdempotencyKeys,
    admin: Any,
) -> None:
    @router.post(
        "/{id}/message",
        name="sendAgentMessage",
        summary="Send a follow-up message to an agent job",
        response_model=AgentJobBody,
        responses=responses(400, 401, 403, 404, 413, 415, 429, 503),
        openapi_extra=request_body(Prompt),
    )
    def message(
        projectId: str,  # noqa: N803
        id: str,  # noqa: A002
        caller: Annotated[Caller, admin],
        body: Annotated[Prompt, Depends(body_of(Prompt))],
        idempotency_key: IdempotencyKey = None,
    ) -> AgentJobBody:
        instruction = body.instruction()
        job = _job(agent, projectId, id, caller)
        organization = caller.organization_id
        same = fingerprint("agent-message", projectId, id, *_sent(body))
        request = IdempotentRequest(organization, idempotency_key, same, scope=projectId)
        with suppress(NotFound):
            if agent.has_message(idempotency.claimed(request)):
                return job_body(job)
        agent.check_follow_up(job, instruction)
        rate_limits.spend(policies.agent_message(projectId), once=request.count_once)
        turn_id = idempotency.claim(request, new_turn_id())
        if agent.has_message(turn_id):
            return job_body(job)
        return job_body(agent.message(job, instruction, message_id=turn_id))


def _add_list(router: APIRouter, agent: AgentJobs, admin: Any) -> None:
    @router.get(
        "",
        name="listAgentJobs",
        summary="List the agent jobs of a project",
        response_model=AgentJobsBody,
        responses=responses(400, 401, 403, 404),
    )
    def jobs(
        projectId: str,  # noqa: N803 - the wire's name
        caller: Annotated[Caller, admin],
        status: JobStatus | None = None,
        skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
        take: Annotated[int, Query(ge=1, le=100)] = 20,
    ) -> AgentJobsBody:
        project = agent.project(caller.organization_id, projectId)
        filters = JobFilter(status or "", splits_cancelled=False)
        found = agent.of_project(project.id, skip, take + 1, filters)
        return AgentJobsBody(
            jobs=[job_body(job) for job in found[:take]], hasMore=len(found) > take
        )


def _add_reading(router: APIRouter, agent: AgentJobs, admin: Any) -> None:
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
        caller: Annotated[Caller, admin],
    ) -> AgentJobBody:
        return job_body(_job(agent, projectId, id, caller))

    @router.get(
        "/{id}/events",
        name="streamAgentJobEvents",
        summary="Follow an agent job",
        response_class=Response,
        responses={
            200: EVENT_STREAM,
            204: {"description": "There are no further events until another message is sent."},
            **responses(400, 401, 403, 404),
        },
    )
    async def events(
        projectId: str,  # noqa: N803
        id: str,  # noqa: A002
        caller: Annotated[Caller, admin],
        last_event_id: LastEventId = None,
    ) -> Response:
        after = last_event_number(last_event_id)
        job = await to_thread.run_sync(_job, agent, projectId, id, caller)
        return await event_response(agent, job, after)


def _add_cancel(router: APIRouter, agent: AgentJobs, admin: Any) -> None:
    @router.post(
        "/{id}/cancel",
        name="cancelAgentJob",
        summary="Cancel the current turn of an agent job",
        response_model=AgentJobBody,
        responses=responses(401, 403, 404, 409),
    )
    def cancel(
        projectId: str,  # noqa: N803
        id: str,  # noqa: A002
        caller: Annotated[Caller, admin],
    ) -> AgentJobBody:
        return job_body(agent.cancel(_job(agent, projectId, id, caller).id))


def _job(agent: AgentJobs, project_id: str, job_id: str, caller: Caller) -> AgentJob:
    return agent.get(job_id, project_id=project_id, organization_id=caller.organization_id)


def _sent(body: Prompt) -> list[str]:
    """Return the parts of a body that idempotent requests must have in common."""
    return [body.prompt, *(each.url for each in body.attachments or ())]


def _options(body: Prompt) -> list[str]:
    """Return the enabled options. Disabled ones do not change fingerprints of earlier versions."""
    chosen = {"questions": body.questions, "planApproval": body.plan_approval}
    return [name for name, is_on in chosen.items() if is_on]
