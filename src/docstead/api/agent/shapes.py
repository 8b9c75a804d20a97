"""Request and response bodies of agent jobs, v2 (docs/reference/agent-jobs.mdx)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from docstead.agent.states import JobStatus
from docstead.agent.values import AgentJob, Instruction
from docstead.api.agent.attachments import AttachmentShape, files_of
from docstead.api.json_body import BodyList, BodyModel
from docstead.base.clock import rfc3339

_MOMENT: dict[str, Any] = {"format": "date-time"}


class Prompt(BodyModel):
    """An instruction. Unknown fields are ignored."""

    prompt: str = Field(
        description="Instruction for the agent.",
        examples=["Add a page about webhooks to the guides."],
        json_schema_extra={"minLength": 1},
    )
    attachments: BodyList[AttachmentShape] | None = Field(
        default=None,
        description="Files for the instruction: at most 10, 8 MiB in total.",
    )

    questions: bool | None = Field(
        default=False,
        description="Whether the agent may ask questions; a message to the job answers. Only "
        "when a job is created.",
    )
    plan_approval: bool | None = Field(
        default=False,
        description="Whether the agent proposes a plan before its first change; the message "
        "`Approve` approves it. Only when a job is created.",
    )

    def instruction(self) -> Instruction:
        """Return the instruction with its files. Raises the errors of `files_of`."""
        return Instruction.of(self.prompt, files_of(self.attachments))


class JobSource(BaseModel):
    """Repository and branch of the job."""

    repository: str = Field(description="The repository, without credentials.")
    ref: str = Field(description="The branch that the agent works on.")


class AgentJobBody(BaseModel):
    """An agent job."""

    id: str = Field(examples=["aj_0123456789abcdef"])
    status: Literal["active", "completed", "archived", "failed"]
    source: JobSource
    model: str
    prLink: str | None = Field(  # noqa: N815 - the wire's name
        description="The pull request; null while active, or when no files were changed.",
        json_schema_extra={"format": "uri"},
    )
    createdAt: str = Field(json_schema_extra=_MOMENT)  # noqa: N815
    archivedAt: str | None = Field(json_schema_extra=_MOMENT)  # noqa: N815


class AgentJobsBody(BaseModel):
    """A page of a project's jobs, newest first."""

    jobs: list[AgentJobBody]
    hasMore: bool = Field(description="Whether there are older jobs.")  # noqa: N815


def job_body(job: AgentJob) -> AgentJobBody:
    """Return the response body of a job."""
    is_active = job.status is JobStatus.ACTIVE
    return AgentJobBody(
        id=job.id,
        status=job.status.value,
        source=JobSource(repository=job.repository, ref=job.branch),
        model=job.model,
        prLink=None if is_active else job.pr_link,
        createdAt=rfc3339(job.created_at),
        archivedAt=rfc3339(job.archived_at) if job.archived_at else None,
    )
