"""Tables of organizations, projects, deployments, keys and owners."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    String,
    Table,
    Text,
    false,
)

from docstead.storage.schema.metadata import metadata
from docstead.storage.types import Moment

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
    Column("source_root", Text, nullable=False, default=""),  # subfolder that contains docs.json
    Column("created_at", Moment, nullable=False),
    Column("hook_secret_number", Integer, nullable=False, server_default="0"),  # rotations
)

deployments = Table(
    "deployments",
    metadata,
    Column("id", String, primary_key=True),
    Column("project_id", ForeignKey("projects.id"), nullable=False, index=True),
    Column("domain", String, nullable=False, unique=True),  # identifier, {domain} in the API
    Column("hostname", String, nullable=False, unique=True),  # hostname of the site
    Column("current_edition_id", String),
    Column("created_at", Moment, nullable=False),
    Column("site_key_number", Integer, nullable=False, server_default="0"),  # rotations
    Column("auto_export", Boolean, nullable=False, server_default=false()),  # after each publish
)

former_domains = Table(
    "former_domains",
    metadata,
    Column("domain", String, primary_key=True),  # not in use
    Column("deployment_id", ForeignKey("deployments.id"), nullable=False, index=True),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", String, primary_key=True),
    Column("organization_id", ForeignKey("organizations.id"), nullable=False, index=True),
    Column("deployment_id", ForeignKey("deployments.id")),  # for assistant keys only
    Column("kind", String, nullable=False),
    Column("name", Text, nullable=False),
    Column("digest", String, nullable=False, unique=True),  # HMAC-SHA256, hexadecimal
    Column("hint", String, nullable=False),  # prefix and last four characters, for lists
    Column("scopes", JSON),  # None allows every endpoint
    Column("allowlist", JSON),  # None allows every IP address
    Column("origins", JSON),  # None allows every web page
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
    Column("name", String, nullable=False, unique=True),  # name for sign-in
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
    Column("link_at", Moment),  # if started by a one-time link: when; None after a password
)

known_devices = Table(
    "known_devices",
    metadata,
    Column("digest", String, primary_key=True),  # of a browser's cookie
    Column("owner_id", ForeignKey("owners.id"), nullable=False),  # owner who has signed in there
    Column("expires_at", Moment, nullable=False),
)
