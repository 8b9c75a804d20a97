"""Tables of conversations and reader events."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from docstead.storage.schema.metadata import metadata
from docstead.storage.types import Moment

threads = Table(
    "threads",
    metadata,
    Column("id", String, primary_key=True),
    Column("deployment_id", ForeignKey("deployments.id"), nullable=False, index=True),
    Column("key_digest", String, nullable=False),
    Column("fp", Text, nullable=False),
    Column("for_groups", Boolean, nullable=False, server_default=false()),  # restricted
    Column("created_at", Moment, nullable=False),
)

turns = Table(
    "turns",
    metadata,
    Column("id", String, primary_key=True),
    Column("thread_id", ForeignKey("threads.id"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("answer_id", String, index=True),  # message id on the wire
    Column("question", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("sources", JSON, nullable=False),
    Column("answered", Boolean, nullable=False),
    Column("grounds", JSON),  # passages and checks; null for older turns
    Column("edition_id", String, nullable=False),
    Column("current_path", Text),
    Column("channel", String, nullable=False, server_default="api"),  # web, api or mcp
    Column("created_at", Moment, nullable=False, index=True),
    # Without an answer: closest or nothing; null for refusals and older turns.
    Column("fallback", String),
    UniqueConstraint("thread_id", "position"),
)

answers = Table(
    "answers",
    metadata,
    Column("id", String, primary_key=True),  # message id on the wire
    Column("deployment_id", ForeignKey("deployments.id"), nullable=False),
    Column("thread_id", ForeignKey("threads.id"), nullable=False, index=True),
    Column("chat", Text),  # the client's chat
    Column("over", Boolean, nullable=False),
    Column("beat_at", Moment, nullable=False),  # last heartbeat of the generating node
    Column("created_at", Moment, nullable=False),
    Index(None, "deployment_id", "chat"),
)

answer_events = Table(
    "answer_events",
    metadata,
    Column("answer_id", ForeignKey("answers.id"), primary_key=True),
    Column("place", Integer, primary_key=True),  # of the first event in the batch
    Column("events", Text, nullable=False),  # JSON
    Column("created_at", Moment, nullable=False, index=True),
)

answer_feedback = Table(
    "answer_feedback",
    metadata,
    Column("answer_id", ForeignKey("answers.id"), primary_key=True),
    Column("helpful", Boolean, nullable=False),
    Column("comment", Text),
    Column("fp", Text, nullable=False),
    Column("status", String, nullable=False, server_default="pending"),
    Column("created_at", Moment, nullable=False, index=True),
    Column("updated_at", Moment, nullable=False),
)

page_feedback = Table(
    "page_feedback",
    metadata,
    Column("id", String, primary_key=True),
    Column("deployment_id", ForeignKey("deployments.id"), nullable=False),
    Column("token", String, nullable=False),  # chosen by the page, so that comments join a thumb
    Column("path", Text, nullable=False),
    Column("helpful", Boolean, nullable=False),
    Column("comment", Text),
    Column("contact", Text),
    Column("by_agent", Boolean, nullable=False, server_default=false()),
    Column("status", String, nullable=False, server_default="pending"),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    UniqueConstraint("deployment_id", "token"),
    Index(None, "deployment_id", "updated_at"),
)

page_visits = Table(
    "page_visits",
    metadata,
    Column("deployment_id", ForeignKey("deployments.id"), primary_key=True),
    Column("hour", Moment, primary_key=True),  # start
    Column("path", Text, primary_key=True),
    Column("reader", String, primary_key=True),  # human or ai
    Column("visitor", String, primary_key=True),  # hashed with the day's salt
    Column("views", Integer, nullable=False),
)

visit_salts = Table(
    "visit_salts",
    metadata,
    Column("day", String, primary_key=True),  # UTC date, such as 2026-11-21
    Column("salt", String, nullable=False),
)

searches = Table(
    "searches",
    metadata,
    Column("id", String, primary_key=True),
    Column("deployment_id", ForeignKey("deployments.id"), nullable=False),
    Column("query", Text, nullable=False),
    Column("results", Integer, nullable=False),  # number of results
    Column("clicked", Text),  # result that the reader opened
    Column("created_at", Moment, nullable=False),
    Index(None, "deployment_id", "created_at"),
)
