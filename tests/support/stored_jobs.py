"""Agent jobs in the database, without a service that runs them."""

from __future__ import annotations

from docstead.accounts.tenancy import Project, Tenancy
from docstead.agent.records import AgentRecords
from docstead.agent.values import AgentJob, Instruction, NewJob
from docstead.base.clock import Clock
from docstead.storage.database import Database
from docstead.webhooks import WebhookEvent
from docstead.webhooks.records import WebhookRecords

ADD_PAGE = Instruction.of("Add a page")


def new_project(database: Database, clock: Clock) -> Project:
    """Create a project in a new organization."""
    tenancy = Tenancy(database, clock)
    organization = tenancy.create_organization("Acme")
    return tenancy.create_project(organization.id, "Docs", "/nowhere")


def new_job(
    records: AgentRecords,
    project: Project,
    job_id: str = "aj_1",
    instruction: Instruction = ADD_PAGE,
    **values: str,
) -> AgentJob:
    """Create a job, whose first turn has the id of the job and "_1"."""
    settings = {"branch": "docstead/x", "started_by": "key", **values}
    new = NewJob(
        job_id, project.id, project.organization_id, "/nowhere", model="scripted", **settings
    )
    return records.create(new, instruction)


def waiting_delivery(database: Database, clock: Clock) -> tuple[WebhookRecords, str]:
    """Return records with one delivery that waits for its first attempt, and its id."""
    project = new_project(database, clock)
    records = WebhookRecords(database, clock)
    records.create(project.id, "https://hooks.example/1")
    (delivery_id,) = records.record_event(event_of(project.id, clock))
    return records, delivery_id


def event_of(project_id: str, clock: Clock, subject_id: str = "se_1") -> WebhookEvent:
    """Return an event without content of its own."""
    return WebhookEvent(project_id, subject_id, "export.completed", clock.now(), {})
