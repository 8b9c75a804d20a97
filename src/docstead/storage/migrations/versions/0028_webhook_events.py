"""Editions and exports as events of webhooks; their deliveries have no turn of an agent job."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    events: sa.Column[list[str]] = sa.Column(
        "events", sa.JSON(), nullable=False, server_default='["agent"]'
    )
    op.add_column("webhooks", events)
    with op.batch_alter_table("webhook_deliveries") as deliveries:
        deliveries.alter_column("turn_id", existing_type=sa.String(), nullable=True)
