"""Agent jobs in the database, without a service that runs them."""

from __future__ import annotations

from docstead.accounts.tenancy import Project, Tenancy
from docstead.agent.records import AgentRecords
from docstead.agent.values import AgentJob, Instruction
from docstead.base.clock import Clock
from docstead.storage.database import Database
from docstead.webhooks import WebhookEvent
from docstead.webhooks.records import WebhookRecords


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
