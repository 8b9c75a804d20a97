"""Domains that deployments had before they were renamed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "former_domains",
        sa.Column("domain", sa.String(), primary_key=True),
        sa.Column(
            "deployment_id",
            sa.String(),
            sa.ForeignKey("deployments.id"),
            nullable=False,
            index=True,
        ),
    )
