"""Domains that deployments had before they were renamed.

A former domain leads to its deployment until somebody takes it. So links, and programs and
bundles that name it, go on working after a rename.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, delete, insert, select

from docstead.storage.schema import deployments, former_domains


def release_domain(connection: Connection, domain: str) -> None:
    """Let a domain lead nowhere any more, because a deployment takes it."""
    connection.execute(delete(former_domains).where(former_domains.c.domain == domain))


def keep_former(connection: Connection, domain: str, deployment_id: str) -> None:
    """Let a domain that a deployment gives up lead to it."""
    row = {"domain": domain, "deployment_id": deployment_id}
    connection.execute(insert(former_domains).values(row))


def present_domain(domain: str) -> Select[Any]:
    """Select the domain that the deployment with this former one has now."""
    return (
        select(deployments.c.domain)
        .join(former_domains, former_domains.c.deployment_id == deployments.c.id)
        .where(former_domains.c.domain == domain)
    )
