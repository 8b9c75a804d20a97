"""Validation of new API keys."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, func, select

from docstead.accounts.key_records import KeyRecord, KeyScope
from docstead.base.api_keys import KeyKind
from docstead.base.errors import InvalidRequest, NotFound
from docstead.storage.schema import deployments, organizations, projects


def check_owner(connection: Connection, record: KeyRecord) -> None:
    """Check that organization and deployment of a new key exist, and lock the organization.

    Raises:
        NotFound: one of them does not exist.
        InvalidRequest: only assistant keys have a deployment.
    """
    # The lock serializes creations of one organization, so that their count is exact.
    owner = select(organizations.c.id).where(organizations.c.id == record.organization_id)
    if connection.execute(owner.with_for_update()).scalar() is None:
        raise NotFound("there is no such organization")
    if (record.kind is KeyKind.ASSISTANT) != (record.deployment_id is not None):
        raise InvalidRequest("deployment: assistant keys belong to one, admin keys to none")
    if record.deployment_id is None:
        return
    owned = (
        select(func.count())
        .select_from(deployments.join(projects))
        .where(
            deployments.c.id == record.deployment_id,
            projects.c.organization_id == record.organization_id,
        )
    )
    if not connection.execute(owned).scalar():
        raise NotFound("there is no such deployment")


def checked_scopes(kind: KeyKind, scopes: Iterable[str] | None) -> tuple[KeyScope, ...] | None:
    """Return the scopes of a new key, in their order; None for all."""
    if scopes is None:
        return None
    known = [scope for scope in KeyScope if scope.kind is kind]
    try:
        chosen = {KeyScope(each) for each in scopes}
    except ValueError:
        chosen = None
    if chosen is None or not chosen <= set(known):
        raise InvalidRequest(f"scopes: only {' and '.join(known)} for {kind} keys")
    if not chosen:
        raise InvalidRequest("scopes: name at least one, or leave them out for all")
    return tuple(scope for scope in known if scope in chosen)


def checked_expiry(expires_at: datetime | None, now: datetime) -> datetime | None:
    """Return the expiry of a new key, which must be in the future."""
    if expires_at is None:
        return None
    if expires_at.tzinfo is None:
        raise InvalidRequest("expiresAt: must include a time zone")
    if expires_at <= now:
        raise InvalidRequest("expiresAt: must be in the future")
    return expires_at
