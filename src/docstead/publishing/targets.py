"""Sources and new deployments specified by an update.

They take effect in the transaction that makes the edition current. Until then the deployment does
not exist, and the project keeps its source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, update
from sqlalchemy.exc import IntegrityError

from docstead.accounts.former_domains import release_domain
from docstead.base.errors import Conflict
from docstead.storage.schema import deployments, projects


@dataclass(frozen=True, slots=True)
class NewDeployment:
    """A deployment that is created when its first update succeeds."""

    id: str
    domain: str
    hostname: str


@dataclass(frozen=True, slots=True)
class PublishTarget:
    """The source of an update, as the project stores it, and the deployment that it creates."""

    source: str
    ref: str | None = None
    root: str = ""
    deployment: NewDeployment | None = None

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> PublishTarget | None:
        if stored is None:
            return None
        new = stored["deployment"]
        return cls(
            stored["source"], stored["ref"], stored["root"], NewDeployment(**new) if new else None
        )

    def stored(self) -> dict[str, Any]:
        """Return the value of the column `updates.target`."""
        return asdict(self)


def apply_target(
    connection: Connection, target: PublishTarget, project_id: str, edition_id: str, now: datetime
) -> None:
    """Set the project's new source, and create the deployment.

    Raises:
        Conflict: another deployment has taken the domain or hostname meanwhile.
    """
    source = {
        "source": target.source,
        "source_ref": target.ref,
        "source_root": target.root,
    }
    connection.execute(update(projects).where(projects.c.id == project_id).values(source))
    new = target.deployment
    if new is None:
        return
    row = {
        **asdict(new),
        "project_id": project_id,
        "current_edition_id": edition_id,
        "created_at": now,
        "site_key_number": 0,
    }
    try:
        connection.execute(insert(deployments).values(row))
        release_domain(connection, new.domain)
    except IntegrityError as error:
        raise Conflict(
            f"domain {new.domain!r} or hostname {new.hostname!r} is already taken"
        ) from error
