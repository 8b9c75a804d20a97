"""Rollback to an earlier edition, recorded as an update.

Everything changes in one transaction. An update that started earlier is superseded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select, update

from docstead.accounts.tenancy import Deployment
from docstead.base.clock import Clock
from docstead.base.errors import Conflict
from docstead.publishing.edition import Edition
from docstead.publishing.editions import EditionStore
from docstead.publishing.update_records import (
    UPDATE_STATES,
    OnCurrent,
    Update,
    UpdateRecords,
    UpdateStatus,
    no_extra_records,
)
from docstead.storage.database import Database
from docstead.storage.schema import deployments, editions


@dataclass(frozen=True, slots=True)
class StoredEdition:
    """An edition that can be restored."""

    id: str
    commit: str
    page_count: int
    created_at: datetime


class EditionRollbacks:
    """Moves deployments back to stored editions.

    `show` renders the home page of an edition; its errors prevent the rollback. `on_current` is
    called in the transaction of a rollback, and `on_published` after it, as for an update.
    """

    def __init__(
        self,
        database: Database,
        editions: EditionStore,
        clock: Clock,
        *,
        show: Callable[[Edition], object],
        on_current: OnCurrent = no_extra_records,
        on_published: Callable[[Update], object] = lambda _: None,
    ) -> None:
        self._database = database
        self._editions = editions
        self._clock = clock
        self._show = show
        self._on_current = on_current
        self._on_published = on_published
        self._records = UpdateRecords(database, clock)

    def previous(self, deployment: Deployment) -> StoredEdition | None:
        """Return the newest stored edition that was published before the current one."""
        newest_first = (
            select(editions.c.id, editions.c.commit, editions.c.page_count, editions.c.created_at)
            .where(editions.c.project_id == deployment.project_id)
            .order_by(editions.c.sequence.desc(), editions.c.created_at.desc(), editions.c.id)
        )
        with self._database.reading() as connection:
            stored = [StoredEdition(*row) for row in connection.execute(newest_first)]
        ids = [each.id for each in stored]
        if deployment.current_edition_id not in ids:
            return None
        earlier = stored[ids.index(deployment.current_edition_id) + 1 :]
        return earlier[0] if earlier else None

    def rollback(
        self, deployment: Deployment, *, origin: str, actor: str, edition_id: str | None = None
    ) -> Update:
        """Make the previous edition current at every deployment of the project, and record it.

        `edition_id` is the edition that the actor expects, by default the previous one.

        Raises:
            Conflict: there is no previous edition, or another edition has become current.
            DamagedEditionError: the edition cannot be opened.
        """
        target = self.previous(deployment)
        if target is None:
            raise Conflict(
                f"{deployment.domain}: there is no earlier edition; "
                "DOCSTEAD_EDITIONS_KEPT says how many are stored"
            )
        if edition_id not in (None, target.id):
            raise _changed(deployment)
        self._show(self._editions.open(target.id))
        update_id = self._move(deployment, target, origin, actor)
        self._editions.refresh()
        done = self._records.get(update_id)
        self._on_published(done)
        return done

    def _move(self, deployment: Deployment, target: StoredEdition, origin: str, actor: str) -> str:
        """Change the current edition and record the update in one transaction; return its id."""
        with self._database.transaction() as connection:
            recorded = self._records.create_within(connection, deployment.project_id, origin)
            if not _is_possible(connection, deployment, target):
                raise _changed(deployment)
            connection.execute(
                update(deployments)
                .where(deployments.c.project_id == deployment.project_id)
                .values(current_edition_id=target.id)
            )
            summary = f"Rolled back to the edition of {moment(target)} by {actor}"
            UPDATE_STATES.advance(connection, recorded.id, UpdateStatus.IN_PROGRESS)
            UPDATE_STATES.advance(
                connection,
                recorded.id,
                UpdateStatus.SUCCESS,
                summary=summary,
                logs=[summary],
                commit=_commit(target),
                edition_id=target.id,
                ended_at=self._clock.now(),
            )
            self._on_current(connection, recorded, target.id)
        return recorded.id


def moment(edition: StoredEdition) -> str:
    """Return when an edition was created, such as `2026-11-21 09:30 UTC`."""
    return f"{edition.created_at:%Y-%m-%d %H:%M} UTC"


def _is_possible(connection: Connection, deployment: Deployment, target: StoredEdition) -> bool:
    """Report whether the deployment is unchanged and the edition still stored."""
    shown = select(deployments.c.current_edition_id).where(deployments.c.id == deployment.id)
    stored = select(editions.c.id).where(editions.c.id == target.id)
    is_same = connection.execute(shown).scalar_one_or_none() == deployment.current_edition_id
    return is_same and connection.execute(stored).first() is not None


def _changed(deployment: Deployment) -> Conflict:
    return Conflict(
        f"{deployment.domain}: another edition has become current; "
        "look at the deployment and try again"
    )


def _commit(target: StoredEdition) -> dict[str, object]:
    return {
        "sha": target.commit,
        "ref": None,
        "message": "",
        "author": None,
        "filesChanged": {"added": [], "modified": [], "removed": []},
    }
