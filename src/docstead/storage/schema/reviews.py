"""Changes that are reviewed on our own pages."""

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
    Column("base", Text, nullable=False),  # the branch that it goes to
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False),  # Markdown
    Column("draft", Boolean, nullable=False),
    Column("state", String, nullable=False),
    Column("merge_commit", String),
    Column("ended_by", Text),  # an owner's name; None is git itself
    Column("base_commit", String),  # where both branches were at its end
    Column("head_commit", String),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Column("ended_at", Moment),
    UniqueConstraint("project_id", "number"),
    # A branch has one open change, whoever asks for it and how often.
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
    Column("author", Text),  # an owner's name; None is the agent
    Column("text", Text, nullable=False),
    Column("path", Text),  # the file that it is about
    Column("line", Integer),
    Column("side", String),  # before or after: the version of the file that the line is in
    Column("quote", Text),  # the line itself, by which it is found in later versions
    Column("thread_id", String),  # the comment that this one replies to
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
    Column("head_commit", String, nullable=False),  # the version that was approved
    Column("created_at", Moment, nullable=False),
)

change_views = Table(
    "change_views",
    metadata,
    Column("change_id", ForeignKey("changes.id"), primary_key=True),
    Column("owner_id", String, primary_key=True),
    Column("path", String, primary_key=True),
    Column("digest", String, nullable=False),  # of the difference that was viewed
)
