"""The order of updates, independent of clocks, and the assets of editions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_NUMBERED = """
UPDATE {table} SET sequence = numbered.place FROM (
    SELECT id, row_number() OVER (PARTITION BY project_id ORDER BY created_at, id) AS place
    FROM {table}
) AS numbered WHERE {table}.id = numbered.id
"""


def upgrade() -> None:
    for table in ("updates", "editions"):
        column: sa.Column[int] = sa.Column(
            "sequence", sa.Integer(), nullable=False, server_default="0"
        )
        op.add_column(table, column)
        op.execute(_NUMBERED.format(table=table))
    listed: sa.Column[bool] = sa.Column(
        "assets_listed", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("editions", listed)
    op.create_table(
        "edition_assets",
        sa.Column("edition_id", sa.String(), primary_key=True),
        sa.Column("sha256", sa.String(), primary_key=True),
    )
    op.create_index("ix_edition_assets_sha256", "edition_assets", ["sha256"])
