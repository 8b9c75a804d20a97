"""All tables, in a module per package that owns some. Migrations create them.

Packages read and write their own tables only; ids are text, times are aware UTC.
"""

from __future__ import annotations

from docstead.storage.schema.accounts import (
    api_keys,
    deployments,
    former_domains,
    known_devices,
    organizations,
    owners,
    projects,
    sessions,
    sign_in_links,
)
from docstead.storage.schema.agent import (
    agent_attachments,
    agent_events,
    agent_jobs,
    agent_messages,
    agent_settings,
    agent_turns,
)
from docstead.storage.schema.assistant import (
    answer_events,
    answer_feedback,
    answers,
    page_feedback,
    page_visits,
    searches,
    threads,
    turns,
    visit_salts,
)
from docstead.storage.schema.export import exports
from docstead.storage.schema.jobs import nodes
from docstead.storage.schema.keyring import keyring
from docstead.storage.schema.limits import idempotency_keys, model_usage, rate_limits
from docstead.storage.schema.metadata import metadata
from docstead.storage.schema.publishing import (
    edition_assets,
    editions,
    update_reports,
    updates,
)
from docstead.storage.schema.reviews import (
    change_approvals,
    change_comments,
    change_views,
    changes,
)
from docstead.storage.schema.webhooks import webhook_deliveries, webhooks

__all__ = [
    "agent_attachments",
    "agent_events",
    "agent_jobs",
    "agent_messages",
    "agent_settings",
    "agent_turns",
    "answer_events",
    "answer_feedback",
    "answers",
    "api_keys",
    "change_approvals",
    "change_comments",
    "change_views",
    "changes",
    "deployments",
    "edition_assets",
    "editions",
    "exports",
    "former_domains",
    "idempotency_keys",
    "keyring",
    "known_devices",
    "metadata",
    "model_usage",
    "nodes",
    "organizations",
    "owners",
    "page_feedback",
    "page_visits",
    "projects",
    "rate_limits",
    "searches",
    "sessions",
    "sign_in_links",
    "threads",
    "turns",
    "update_reports",
    "updates",
    "visit_salts",
    "webhook_deliveries",
    "webhooks",
]
