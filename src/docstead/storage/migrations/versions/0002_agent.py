"""Agent jobs and webhooks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docstead.storage.types import Moment

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "agent_jobs",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("repository", sa.Text(), nullable=False),
        sa.Column("branch", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("draft", sa.Boolean(), nullable=False),
        sa.Column("started_by", sa.String(), nullable=False),
        sa.Column("pr_link", sa.Text(), nullable=True),
        sa.Column("todos", sa.JSON(), nullable=False),
        sa.Column("diff", sa.Text(), nullable=False),
        sa.Column("event_count", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.Column("archived_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name=op.f("fk_agent_jobs_organization_id")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_agent_jobs_project_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agent_jobs")),
    )
    op.create_index(
        op.f("ix_agent_jobs_project_id_created_at"),
        "agent_jobs",
        ["project_id", "created_at"],
        unique=False,
    )
    op.create_index(
        op.f("ix_agent_jobs_status_updated_at"),
        "agent_jobs",
        ["status", "updated_at"],
        unique=False,
    )
    op.create_table(
        "agent_settings",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("delivery", sa.String(), nullable=False),
        sa.Column("reading", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_agent_settings_project_id")
        ),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_agent_settings")),
    )
    op.create_table(
        "webhooks",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("removed_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_webhooks_project_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks")),
    )
    op.create_index(op.f("ix_webhooks_project_id"), "webhooks", ["project_id"], unique=False)
    op.create_table(
        "agent_turns",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("messages", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("cancelled_at", Moment(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("reply", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("commit", sa.String(), nullable=True),
        sa.Column("steps", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("started_at", Moment(), nullable=True),
        sa.Column("ended_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["job_id"], ["agent_jobs.id"], name=op.f("fk_agent_turns_job_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agent_turns")),
        sa.UniqueConstraint("job_id", "position", name=op.f("uq_agent_turns_job_id_position")),
    )
    op.create_index(op.f("ix_agent_turns_status"), "agent_turns", ["status"], unique=False)
    op.create_table(
        "agent_events",
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["agent_jobs.id"], name=op.f("fk_agent_events_job_id")),
        sa.ForeignKeyConstraint(
            ["turn_id"], ["agent_turns.id"], name=op.f("fk_agent_events_turn_id")
        ),
        sa.PrimaryKeyConstraint("job_id", "number", name=op.f("pk_agent_events")),
        sa.UniqueConstraint("turn_id", "key", name=op.f("uq_agent_events_turn_id_key")),
    )
    op.create_table(
        "agent_messages",
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("message", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["job_id"], ["agent_jobs.id"], name=op.f("fk_agent_messages_job_id")
        ),
        sa.ForeignKeyConstraint(
            ["turn_id"], ["agent_turns.id"], name=op.f("fk_agent_messages_turn_id")
        ),
        sa.PrimaryKeyConstraint("job_id", "position", name=op.f("pk_agent_messages")),
        sa.UniqueConstraint("turn_id", "key", name=op.f("uq_agent_messages_turn_id_key")),
    )
    op.create_table(
        "webhook_deliveries",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("webhook_id", sa.String(), nullable=False),
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("attempts", sa.JSON(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["turn_id"], ["agent_turns.id"], name=op.f("fk_webhook_deliveries_turn_id")
        ),
        sa.ForeignKeyConstraint(
            ["webhook_id"], ["webhooks.id"], name=op.f("fk_webhook_deliveries_webhook_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_deliveries")),
    )
    op.create_index(
        op.f("ix_webhook_deliveries_webhook_id_created_at"),
        "webhook_deliveries",
        ["webhook_id", "created_at"],
        unique=False,
    )
