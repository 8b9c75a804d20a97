"""Tables of agent jobs and their turns."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from docstead.storage.schema.metadata import metadata
from docstead.storage.types import Moment

agent_settings = Table(
    "agent_settings",
    metadata,
    Column("project_id", ForeignKey("projects.id"), primary_key=True),
    Column("delivery", String, nullable=False),  # pull_request or push
    Column("reading", JSON, nullable=False),  # git URLs that jobs may also read
    Column("forge", String),  # None is derived from the source's URL
    Column("credential", Text),  # name in DOCSTEAD_FORGE_CREDENTIALS
    Column("reviewers", JSON),  # users and teams of the forge; None for nobody
)

agent_jobs = Table(
    "agent_jobs",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", ForeignKey("projects.id"), nullable=False),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("status", String, nullable=False),
    Column("title", Text, nullable=False),
    Column("repository", Text, nullable=False),  # without credentials
    Column("branch", Text, nullable=False),  # branch of the agent
    Column("model", Text, nullable=False),
    Column("draft", Boolean, nullable=False),  # whether its pull request should be a draft
    Column("started_by", String, nullable=False),
    Column("may_ask", Boolean, nullable=False, server_default=false()),
    Column("needs_plan", Boolean, nullable=False, server_default=false()),
    Column("question", JSON(none_as_null=True)),  # open question
    Column("answer", Text),  # answer to the previous question
    Column("pr_link", Text),
    Column("pr_state", JSON(none_as_null=True)),  # of the pull request on its forge
    Column("pr_seen_at", Moment),  # when the forge described it
    Column("pr_asked_at", Moment),  # when the forge was last asked
    Column("todos", JSON, nullable=False),
    Column("diff", Text, nullable=False),  # diff of the branch against its base
    Column("event_count", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Column("archived_at", Moment),
    Index(None, "project_id", "created_at"),
    Index(None, "status", "updated_at"),
)

agent_turns = Table(
    "agent_turns",
    metadata,
    Column("id", String, primary_key=True),
    Column("job_id", ForeignKey("agent_jobs.id"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("messages", JSON, nullable=False),  # role and text of each; the last is the instruction
    Column("status", String, nullable=False),
    Column("cancelled_at", Moment),  # when cancellation was requested
    Column("reason", String),  # end reason
    Column("reply", Text),  # final message of the model
    Column("error", Text),
    Column("commit", String),
    Column("steps", Integer, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("cached_tokens", BigInteger, nullable=False, server_default="0"),  # part of the input
    Column("output_tokens", BigInteger, nullable=False),
    Column("cost", Float, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("started_at", Moment),
    Column("ended_at", Moment),
    UniqueConstraint("job_id", "position"),
    Index(None, "status"),
)

agent_attachments = Table(
    "agent_attachments",
    metadata,
    Column("turn_id", ForeignKey("agent_turns.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("media_type", String, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

agent_messages = Table(
    "agent_messages",
    metadata,
    Column("job_id", ForeignKey("agent_jobs.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("turn_id", ForeignKey("agent_turns.id"), nullable=False),
    Column("key", String, nullable=False),  # step that wrote it
    Column("message", JSON, nullable=False),
    UniqueConstraint("turn_id", "key"),
)

agent_events = Table(
    "agent_events",
    metadata,
    Column("job_id", ForeignKey("agent_jobs.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("turn_id", ForeignKey("agent_turns.id"), nullable=False),
    Column("key", String, nullable=False),  # the same if a step is repeated
    Column("kind", String, nullable=False),
    Column("data", JSON, nullable=False),
    Column("created_at", Moment, nullable=False),
    UniqueConstraint("turn_id", "key"),
)
