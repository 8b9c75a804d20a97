"""Every table, grouped by the room that owns it. Migrations bring a database here.

A room reads and writes its own tables only; ids are text, moments are aware UTC.
"""

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
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from docstead.storage.types import Moment

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# --- accounts ---------------------------------------------------------------

organizations = Table(
    "organizations",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", Text, nullable=False),
    Column("plan", String, nullable=False),
    Column("created_at", Moment, nullable=False),
)

projects = Table(
    "projects",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("source", Text, nullable=False),  # a folder or a git URL
    Column("source_ref", Text),  # branch, tag or commit; None is the default branch
    Column("source_root", Text, nullable=False, default=""),  # sub-folder that holds docs.json
    Column("created_at", Moment, nullable=False),
)

deployments = Table(
    "deployments",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", ForeignKey("projects.id"), nullable=False, index=True),
    Column("domain", String, nullable=False, unique=True),  # identifier, as in the API's {domain}
    Column("hostname", String, nullable=False, unique=True),  # where readers find the site
    Column("current_edition_id", String),
    Column("created_at", Moment, nullable=False),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False, index=True),
    Column("deployment_id", ForeignKey("deployments.id")),  # set on assistant keys only
    Column("kind", String, nullable=False),
    Column("name", Text, nullable=False),
    Column("digest", String, nullable=False, unique=True),  # HMAC-SHA256, hexadecimal
    Column("hint", String, nullable=False),  # prefix and last four characters, for lists
    Column("scopes", JSON),  # None is every endpoint
    Column("allowlist", JSON),  # None is every address
    Column("origins", JSON),  # None is every web page
    Column("expires_at", Moment),
    Column("last_used_at", Moment),
    Column("revoked_at", Moment),
    Column("created_at", Moment, nullable=False),
)

owners = Table(
    "owners",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False, index=True),
    Column("name", String, nullable=False, unique=True),  # what they sign in with
    Column("password_hash", Text),  # None until the first sign-in by link
    Column("created_at", Moment, nullable=False),
)

sign_in_links = Table(
    "sign_in_links",
    metadata,
    Column("digest", String, primary_key=True),
    Column("owner_id", ForeignKey("owners.id"), nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("used_at", Moment),
)

sessions = Table(
    "sessions",
    metadata,
    Column("digest", String, primary_key=True),
    Column("owner_id", ForeignKey("owners.id"), nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("created_at", Moment, nullable=False),
)

# --- limits -----------------------------------------------------------------

rate_limits = Table(
    "rate_limits",
    metadata,
    Column("bucket", String, primary_key=True),
    Column("window_start", BigInteger, primary_key=True),  # Unix seconds
    Column("n", Integer, nullable=False),
)

idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    Column("organization_id", String, primary_key=True),
    Column("key", String, primary_key=True),
    Column("fingerprint", String, nullable=False),  # of the request it was first used with
    Column("resource_id", String, nullable=False),
    Column("created_at", Moment, nullable=False),
)

model_usage = Table(
    "model_usage",
    metadata,
    Column("day", String, primary_key=True),  # of UTC, as 2026-11-21
    Column("organization_id", String, primary_key=True),
    Column("model", String, primary_key=True),  # the name in the settings
    Column("purpose", String, primary_key=True),  # assistant or agent
    Column("calls", BigInteger, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("cached_tokens", BigInteger, nullable=False),
)

# --- jobs -------------------------------------------------------------------

nodes = Table(
    "nodes",
    metadata,
    Column("id", String, primary_key=True),
    Column("heartbeat_at", Moment, nullable=False),
)

# --- publishing -------------------------------------------------------------

editions = Table(
    "editions",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", ForeignKey("projects.id"), nullable=False, index=True),
    Column("commit", String, nullable=False),
    Column("object_key", String, nullable=False),
    Column("page_count", Integer, nullable=False),
    Column("rendered_count", Integer, nullable=False),  # pages not taken from the edition before
    Column("failed_count", Integer, nullable=False),
    Column("vectors_key", String, nullable=True),  # of the object with its passages' vectors
    Column("created_at", Moment, nullable=False),
)

updates = Table(
    "updates",
    metadata,
    Column("id", String, primary_key=True),  # the API's statusId
    Column("project_id", ForeignKey("projects.id"), nullable=False, index=True),
    Column("status", String, nullable=False),
    Column("origin", String, nullable=False),  # the API's `source`: api, dashboard, internal
    Column("summary", Text),
    Column("logs", JSON, nullable=False),
    Column("commit", JSON),
    Column("edition_id", String),
    Column("created_at", Moment, nullable=False),
    Column("ended_at", Moment),
)

# --- assistant --------------------------------------------------------------

threads = Table(
    "threads",
    metadata,
    Column("id", String, primary_key=True),
    Column("deployment_id", ForeignKey("deployments.id"), nullable=False, index=True),
    Column("key_digest", String, nullable=False),
    Column("fp", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
)

turns = Table(
    "turns",
    metadata,
    Column("id", String, primary_key=True),
    Column("thread_id", ForeignKey("threads.id"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("answer_id", String, index=True),  # the message's id on the wire
    Column("question", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("sources", JSON, nullable=False),
    Column("answered", Boolean, nullable=False),
    Column("edition_id", String, nullable=False),
    Column("current_path", Text),
    Column("channel", String, nullable=False, server_default="api"),  # web, api or mcp
    Column("created_at", Moment, nullable=False, index=True),
    UniqueConstraint("thread_id", "position"),
)

answers = Table(
    "answers",
    metadata,
    Column("id", String, primary_key=True),  # the message's id on the wire
    Column("deployment_id", ForeignKey("deployments.id"), nullable=False),
    Column("thread_id", ForeignKey("threads.id"), nullable=False, index=True),
    Column("chat", Text),  # the client's chat that it belongs to
    Column("over", Boolean, nullable=False),
    Column("beat_at", Moment, nullable=False),  # last sign of life of the node that makes it
    Column("created_at", Moment, nullable=False),
    Index(None, "deployment_id", "chat"),
)

answer_events = Table(
    "answer_events",
    metadata,
    Column("answer_id", ForeignKey("answers.id"), primary_key=True),
    Column("place", Integer, primary_key=True),  # of the first event of the batch
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
    Column("token", String, nullable=False),  # of the page's own making, so that words join a thumb
    Column("path", Text, nullable=False),
    Column("helpful", Boolean, nullable=False),
    Column("comment", Text),
    Column("contact", Text),
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
    Column("hour", Moment, primary_key=True),  # when it began
    Column("path", Text, primary_key=True),
    Column("reader", String, primary_key=True),  # human or ai
    Column("visitor", String, primary_key=True),  # keyed by the salt of the day
    Column("views", Integer, nullable=False),
)

visit_salts = Table(
    "visit_salts",
    metadata,
    Column("day", String, primary_key=True),  # of UTC, as 2026-11-21
    Column("salt", String, nullable=False),
)

searches = Table(
    "searches",
    metadata,
    Column("id", String, primary_key=True),
    Column("deployment_id", ForeignKey("deployments.id"), nullable=False),
    Column("query", Text, nullable=False),
    Column("results", Integer, nullable=False),  # how many were found
    Column("clicked", Text),  # the page that the reader went to
    Column("created_at", Moment, nullable=False),
    Index(None, "deployment_id", "created_at"),
)

# --- export -----------------------------------------------------------------

exports = Table(
    "exports",
    metadata,
    Column("id", String, primary_key=True),
    Column("deployment_id", ForeignKey("deployments.id"), nullable=False),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False),
    Column("edition_id", String, nullable=False),
    Column("status", String, nullable=False),
    Column("progress", Float, nullable=False),
    Column("page_count", Integer, nullable=False),
    Column("version", Text),
    Column("paths", JSON),
    Column("error", Text),
    Column("object_key", String),
    Column("size_bytes", BigInteger),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Index(None, "deployment_id", "created_at"),
)

# --- agent ------------------------------------------------------------------

agent_settings = Table(
    "agent_settings",
    metadata,
    Column("project_id", ForeignKey("projects.id"), primary_key=True),
    Column("delivery", String, nullable=False),  # pull_request or push
    Column("reading", JSON, nullable=False),  # git addresses that jobs may read as well
    Column("forge", String),  # None follows from the source's address
    Column("credential", Text),  # name of an entry of DOCSTEAD_FORGE_CREDENTIALS
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
    Column("branch", Text, nullable=False),  # that the agent works on
    Column("model", Text, nullable=False),
    Column("draft", Boolean, nullable=False),  # whether its pull request is to be one
    Column("started_by", String, nullable=False),
    Column("pr_link", Text),
    Column("todos", JSON, nullable=False),
    Column("diff", Text, nullable=False),  # of the branch against its base, so far
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
    Column("cancelled_at", Moment),  # when somebody asked for its end
    Column("reason", String),  # why it ended, for programs
    Column("reply", Text),  # what the model said at its end
    Column("error", Text),
    Column("commit", String),
    Column("steps", Integer, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("cost", Float, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("started_at", Moment),
    Column("ended_at", Moment),
    UniqueConstraint("job_id", "position"),
    Index(None, "status"),
)

agent_messages = Table(
    "agent_messages",
    metadata,
    Column("job_id", ForeignKey("agent_jobs.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("turn_id", ForeignKey("agent_turns.id"), nullable=False),
    Column("key", String, nullable=False),  # the step that it came from
    Column("message", JSON, nullable=False),
    UniqueConstraint("turn_id", "key"),
)

agent_events = Table(
    "agent_events",
    metadata,
    Column("job_id", ForeignKey("agent_jobs.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("turn_id", ForeignKey("agent_turns.id"), nullable=False),
    Column("key", String, nullable=False),  # the same when a step is done again
    Column("kind", String, nullable=False),
    Column("data", JSON, nullable=False),
    Column("created_at", Moment, nullable=False),
    UniqueConstraint("turn_id", "key"),
)

webhooks = Table(
    "webhooks",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", ForeignKey("projects.id"), nullable=False, index=True),
    Column("url", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("removed_at", Moment),
)

webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    Column("id", String, primary_key=True),
    Column("webhook_id", ForeignKey("webhooks.id"), nullable=False),
    Column("turn_id", ForeignKey("agent_turns.id"), nullable=False),
    Column("event", String, nullable=False),
    Column("body", Text, nullable=False),
    Column("status", String, nullable=False),
    Column("attempts", JSON, nullable=False),  # when, and what was answered
    Column("created_at", Moment, nullable=False),
    Index(None, "webhook_id", "created_at"),
)

# --- agent: changes that are reviewed on our own pages ----------------------

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
    Column("created_at", Moment, nullable=False),
    Index(None, "change_id", "created_at"),
)
