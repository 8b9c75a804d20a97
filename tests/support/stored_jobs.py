"""Agent jobs in the database, without a service that runs them."""

from __future__ import annotations

from docstead.accounts.tenancy import Project, Tenancy
from docstead.agent.records import AgentRecords
from docstead.agent.values import AgentJob, Instruction
from docstead.agent.webhooks.records import WebhookRecords
from docstead.base.clock import Clock
from docstead.storage.database import Database


def new_project(database: Database, clock: Clock) -> Project:
    """Create a project in a new organization."""
    tenancy = Tenancy(database, clock)
    organization = tenancy.create_organization("Acme")
    return tenancy.create_project(organization.id, "Docs", "/nowhere")


def new_job(records: AgentRecords, project: Project, job_id: str = "aj_1") -> AgentJob:
    """Create a job, whose first turn has the id of the job and "_1"."""
    return records.create(
        Instruction.of("Add a page"),
        job_id=job_id,
        turn_id=f"{job_id}_1",
        project_id=project.id,
        organization_id=project.organization_id,
        repository="/nowhere",
        branch="docstead/x",
        model="scripted",
        draft=False,
        started_by="key",
    )


def waiting_delivery(database: Database, clock: Clock) -> WebhookRecords:
    """Return records with a delivery "d" that waits for its first attempt."""
    project = new_project(database, clock)
    new_job(AgentRecords(database, clock), project)
    records = WebhookRecords(database, clock)
    hook = records.create(project.id, "https://hooks.example/1")
    records.deliver("d", hook, "aj_1_1", "agent.job.completed", "{}")
    return records
