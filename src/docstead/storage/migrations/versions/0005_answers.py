"""Recorded answers, and what readers think of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docstead.storage.types import Moment

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("turns", sa.Column("answer_id", sa.String(), nullable=True))
    op.create_index(op.f("ix_turns_answer_id"), "turns", ["answer_id"], unique=False)
    op.create_table(
        "answers",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("deployment_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=False),
        sa.Column("chat", sa.Text(), nullable=True),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("beat_at", Moment(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["deployment_id"], ["deployments.id"], name=op.f("fk_answers_deployment_id")
        ),
        sa.ForeignKeyConstraint(["thread_id"], ["threads.id"], name=op.f("fk_answers_thread_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answers")),
    )
    op.create_index(
        op.f("ix_answers_deployment_id_chat"), "answers", ["deployment_id", "chat"], unique=False
    )
    op.create_index(op.f("ix_answers_thread_id"), "answers", ["thread_id"], unique=False)
    op.create_table(
        "answer_events",
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["answer_id"], ["answers.id"], name=op.f("fk_answer_events_answer_id")
        ),
        sa.PrimaryKeyConstraint("answer_id", "place", name=op.f("pk_answer_events")),
    )
    op.create_index(
        op.f("ix_answer_events_created_at"), "answer_events", ["created_at"], unique=False
    )
    op.create_table(
        "answer_feedback",
        sa.Column("answer_id", sa.String(), nullable=False),
        sa.Column("helpful", sa.Boolean(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=True),
        sa.Column("fp", sa.Text(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["answer_id"], ["answers.id"], name=op.f("fk_answer_feedback_answer_id")
        ),
        sa.PrimaryKeyConstraint("answer_id", name=op.f("pk_answer_feedback")),
    )
    op.create_index(
        op.f("ix_answer_feedback_created_at"), "answer_feedback", ["created_at"], unique=False
    )
