"""Removal of deployments with all their data.

Rows are deleted in one transaction. Files without rows are deleted afterwards, or by the daily
cleanup if the process ends first.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from itertools import islice

from sqlalchemy import Connection, Table, delete, select
from sqlalchemy.exc import IntegrityError

from docstead.accounts.tenancy import Deployment
from docstead.agent.states import JobStatus
from docstead.base.errors import Conflict, DocsteadError
from docstead.base.unexpected import log_failure
from docstead.export.records import ExportStatus
from docstead.publishing.update_records import UpdateStatus, lock_project
from docstead.storage.database import Database
from docstead.storage.dependents import delete_with_dependents
from docstead.storage.objects import ObjectStore
from docstead.storage.schema import (
    agent_jobs,
    deployments,
    edition_assets,
    editions,
    exports,
    projects,
    updates,
)

_AT_ONCE = 500  # ids per query
_FOLDERS = {"exports": exports, "archives": projects}  # object key prefixes, by row ids
_UPDATING = tuple(each for each in UpdateStatus if not each.is_final)
_EXPORTING = tuple(each for each in ExportStatus if not each.is_final)

_log = logging.getLogger(__name__)


class DeploymentRemoval:
    """Removes deployments, and projects with their last deployment."""

    def __init__(self, database: Database, objects: ObjectStore) -> None:
        self._database = database
        self._objects = objects

    def remove(self, deployment: Deployment) -> None:
        """Delete the deployment with its keys, conversations, statistics and exports.

        With the last deployment of a project, its editions, updates, agent jobs, changes and
        webhooks are deleted too.

        Raises:
            Conflict: an update, export or agent job is in progress, or a request uses it.
        """
        try:
            with self._database.transaction() as connection:
                lock_project(connection, deployment.project_id)
                _delete(connection, deployment)
        except IntegrityError as error:
            raise Conflict(f"{deployment.domain} is in use; try again") from error
        try:
            self.remove_files()
        except (DocsteadError, OSError) as error:
            left = f"files of {deployment.domain} are left to the daily clean-up"
            log_failure(_log, left, error)

    def remove_files(self) -> None:
        """Delete stored files of exports and sources that have no row."""
        for folder, table in _FOLDERS.items():
            stored = {key.split("/")[1] for key in self._objects.keys(folder)}
            for row_id in stored.difference(self._known(table, stored)):
                for key in list(self._objects.keys(f"{folder}/{row_id}")):
                    self._objects.delete(key)

    def _known(self, table: Table, ids: Collection[str]) -> Iterator[str]:
        waiting = iter(ids)
        while some := list(islice(waiting, _AT_ONCE)):
            with self._database.reading() as connection:
                query = select(table.c.id).where(table.c.id.in_(some))
                yield from connection.execute(query).scalars().all()


def _delete(connection: Connection, deployment: Deployment) -> None:
    _check_exports(connection, deployment)
    project_id = deployment.project_id
    siblings = select(deployments.c.id).where(deployments.c.project_id == project_id)
    if set(connection.execute(siblings).scalars()) - {deployment.id}:
        delete_with_dependents(connection, deployments, deployment.id)
        return
    _check_project(connection, deployment)
    own = select(editions.c.id).where(editions.c.project_id == project_id)
    connection.execute(delete(edition_assets).where(edition_assets.c.edition_id.in_(own)))
    delete_with_dependents(connection, projects, project_id)


def _check_exports(connection: Connection, deployment: Deployment) -> None:
    running = select(exports.c.id).where(
        exports.c.deployment_id == deployment.id, exports.c.status.in_(_EXPORTING)
    )
    if connection.execute(running).first() is not None:
        raise _busy(deployment, "an export")


def _check_project(connection: Connection, deployment: Deployment) -> None:
    updating = select(updates.c.id).where(
        updates.c.project_id == deployment.project_id, updates.c.status.in_(_UPDATING)
    )
    if connection.execute(updating).first() is not None:
        raise _busy(deployment, "an update")
    working = select(agent_jobs.c.id).where(
        agent_jobs.c.project_id == deployment.project_id, agent_jobs.c.status == JobStatus.ACTIVE
    )
    if connection.execute(working).first() is not None:
        raise _busy(deployment, "an agent job")


def _busy(deployment: Deployment, what: str) -> Conflict:
    return Conflict(f"{deployment.domain}: {what} has not ended; wait for its end and try again")
