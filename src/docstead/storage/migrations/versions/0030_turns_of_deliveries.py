"""Without the turn of a webhook's delivery, which only earlier versions stored."""

from __future__ import annotations

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("webhook_deliveries") as deliveries:
        deliveries.drop_constraint("fk_webhook_deliveries_turn_id", type_="foreignkey")
        deliveries.drop_column("turn_id")
