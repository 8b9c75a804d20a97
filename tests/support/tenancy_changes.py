"""Changes of projects and deployments that, in the product, are parts of an update."""

from __future__ import annotations

from sqlalchemy import update

from docstead.accounts.tenancy import Tenancy
from docstead.storage.schema import deployments, projects


def set_current_edition(tenancy: Tenancy, project_id: str, edition_id: str) -> None:
    """Make an edition current at every deployment of the project."""
    change = update(deployments).where(deployments.c.project_id == project_id)
    with tenancy._database.transaction() as connection:
        connection.execute(change.values(current_edition_id=edition_id))


def set_source(
    tenancy: Tenancy, project_id: str, source: str, ref: str | None = None, root: str = ""
) -> None:
    """Set the source of the project."""
    values = {
        "source": tenancy.sealed_source(project_id, source),
        "source_ref": ref,
        "source_root": root,
    }
    change = update(projects).where(projects.c.id == project_id)
    with tenancy._database.transaction() as connection:
        connection.execute(change.values(values))
