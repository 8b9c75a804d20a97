"""Input tokens of agent turns that came from the provider's cache."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    column: sa.Column[int] = sa.Column(
        "cached_tokens", sa.BigInteger(), nullable=False, server_default="0"
    )
    op.add_column("agent_turns", column)
