"""Index of the deliveries of webhooks by status, which the service looks for once a minute."""

from __future__ import annotations

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        op.f("ix_webhook_deliveries_status_created_at"),
        "webhook_deliveries",
        ["status", "created_at"],
        unique=False,
    )
