"""Tables of changes that are reviewed in the dashboard."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from docstead.storage.schema.metadata import metadata
from docstead.storage.types import Moment

changes = Table(
    "changes",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", ForeignKey("projects.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("branch", Text, nullable=False),
    Column("base", Text, nullable=False),  # base branch
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False),  # Markdown
    Column("draft", Boolean, nullable=False),
    Column("state", String, nullable=False),
    Column("merge_commit", String),
    Column("ended_by", Text),  # name of an owner; None for git
    Column("base_commit", String),  # heads of both branches when it ended
    Column("head_commit", String),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Column("ended_at", Moment),
    UniqueConstraint("project_id", "number"),
    # A branch has at most one open change.
    Index(
        "ix_changes_open_branch",
        "project_id",
        "branch",
        unique=True,
        sqlite_where=text("state = 'open'"),
        postgresql_where=text("state = 'open'"),
    ),
)

change_comments = Table(
    "change_comments",
    metadata,
    Column("id", String, primary_key=True),
    Column("change_id", ForeignKey("changes.id"), nullable=False),
    Column("author", Text),  # name of an owner; None for the agent
    Column("text", Text, nullable=False),
    Column("path", Text),  # subject of the comment
    Column("line", Integer),
    Column("side", String),  # before or after: the version that contains the line
    Column("quote", Text),  # text of the line, by which it is found in later versions
    Column("thread_id", String),  # comment that this one replies to
    Column("turn_id", String),  # the agent's turn that answers it
    Column("created_at", Moment, nullable=False),
    Index(None, "change_id", "created_at"),
)

change_approvals = Table(
    "change_approvals",
    metadata,
    Column("change_id", ForeignKey("changes.id"), primary_key=True),
    Column("owner_id", String, primary_key=True),
    Column("name", Text, nullable=False),
    Column("head_commit", String, nullable=False),  # approved version
    Column("created_at", Moment, nullable=False),
)

change_views = Table(
    "change_views",
    metadata,
    Column("change_id", ForeignKey("changes.id"), primary_key=True),
    Column("owner_id", String, primary_key=True),
    Column("path", String, primary_key=True),
    Column("digest", String, nullable=False),  # digest of the viewed diff
)
