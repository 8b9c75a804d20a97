"""Exports that follow a publish or a rollback.

They are recorded in the transaction that moves the pointer: a process that dies afterwards
loses none of them.
"""

from __future__ import annotations

import logging

from sqlalchemy import Connection, select

from docstead.accounts.plans import Feature, Plan, features
from docstead.base.clock import Clock
from docstead.export.records import insert_export, new_export
from docstead.publishing.update_records import Update
from docstead.storage.schema import deployments, organizations, projects

_log = logging.getLogger(__name__)


class AutomaticExports:
    """Records an export of each deployment of a project that has automatic export."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def record(self, connection: Connection, done: Update, edition_id: str) -> None:
        """Queue exports of the edition that `done` makes current, within its transaction.

        A deployment whose plan has no static export is logged: it fails no update.
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
            if Feature.STATIC_EXPORT not in features(Plan(plan)):
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
