"""The keys of the installation, numbers of site keys, and how sessions began."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docstead.storage.types import Moment

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "keyring",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("secret_id", sa.String(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("wrapped", sa.Text(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", "secret_id", name=op.f("pk_keyring")),
    )
    number: sa.Column[int] = sa.Column(
        "site_key_number", sa.Integer(), nullable=False, server_default="0"
    )
    op.add_column("deployments", number)
    op.add_column("sessions", sa.Column("link_at", Moment(), nullable=True))
    op.create_table(
        "known_devices",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["owners.id"], name=op.f("fk_known_devices_owner_id_owners")
        ),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_known_devices")),
    )
