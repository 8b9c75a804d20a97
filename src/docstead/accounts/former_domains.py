"""Former domains of renamed deployments.

A former domain refers to its deployment until another one takes it, so that links, programs and
bundles continue to work after a rename.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, delete, insert, select

from docstead.storage.schema import deployments, former_domains


def release_domain(connection: Connection, domain: str) -> None:
    """Delete a former domain, because a deployment takes it."""
    connection.execute(delete(former_domains).where(former_domains.c.domain == domain))


def keep_former(connection: Connection, domain: str, deployment_id: str) -> None:
    """Record a former domain of a deployment."""
    row = {"domain": domain, "deployment_id": deployment_id}
    connection.execute(insert(former_domains).values(row))


def present_domain(domain: str) -> Select[Any]:
    """Select the current domain of the deployment with this former one."""
    return (
        select(deployments.c.domain)
        .join(former_domains, former_domains.c.deployment_id == deployments.c.id)
        .where(former_domains.c.domain == domain)
    )
