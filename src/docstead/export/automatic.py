"""Automatic exports after a publish or rollback.

They are recorded in the transaction that changes the current edition, so none is lost if the
process dies.
"""

from __future__ import annotations

import logging

from sqlalchemy import Connection, select

from docstead.accounts.plans import Feature, OrganizationPlan, features
from docstead.base.clock import Clock
from docstead.export.records import insert_export, new_export
from docstead.publishing.update_records import Update
from docstead.storage.schema import deployments, organizations, projects

_log = logging.getLogger(__name__)


class AutomaticExports:
    """Records an export for each deployment of a project with automatic exports."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def record(self, connection: Connection, done: Update, edition_id: str) -> None:
        """Queue exports of the edition that `done` makes current, within its transaction.

        Deployments whose plan does not include static export are logged and do not fail the update.
        """
        query = (
            select(
                deployments.c.id, deployments.c.domain, projects.c.organization_id,
                organizations.c.plan,
            )
            .select_from(deployments.join(projects).join(organizations))
            .where(deployments.c.project_id == done.project_id, deployments.c.auto_export)
        )  # fmt: skip
        for deployment_id, domain, organization_id, plan in connection.execute(query).all():
            if Feature.STATIC_EXPORT not in features(OrganizationPlan(plan)):
                _log.warning("%s is not exported: its plan has no static export", domain)
                continue
            queued = new_export(
                self._clock.now(),
                deployment_id=deployment_id,
                organization_id=organization_id,
                edition_id=edition_id,
                update_id=done.id,
            )
            insert_export(connection, queued)
