"""Settings of a project for its agent jobs: delivery of changes, and readable repositories."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from sqlalchemy import delete, insert, select

from docstead.agent.forges.forge import ForgeKind
from docstead.base.errors import InvalidRequest, SourceUnreadable
from docstead.publishing.sources import Source, checked_protocol
from docstead.storage.database import Database
from docstead.storage.schema import agent_settings

MAX_READING = 10
MAX_REVIEWERS = 15  # that GitHub takes
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")
_REVIEWER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}(?:/[A-Za-z0-9][A-Za-z0-9._-]{0,99})?\Z")


class Delivery(StrEnum):
    """Path of a job's work to the branch that is published."""

    PULL_REQUEST = "pull_request"
    PUSH = "push"  #: Straight to the branch; a pull request where the branch is protected.


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """Of one project. `forge` None follows from the source's address."""

    delivery: Delivery = Delivery.PULL_REQUEST
    reading: tuple[str, ...] = ()  # git addresses of further repositories, read only
    forge: ForgeKind | None = None
    credential: str = ""  # name of an entry of DOCSTEAD_FORGE_CREDENTIALS
    reviewers: tuple[str, ...] = ()  # users of the forge, or teams as `organization/team`

    @property
    def direct_push(self) -> bool:
        return self.delivery is Delivery.PUSH


class ProjectSettingsStore:
    """The settings of all projects."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, project_id: str) -> ProjectSettings:
        """Return the settings of the project, or the defaults if none are stored."""
        query = select(agent_settings).where(agent_settings.c.project_id == project_id)
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().first()
        if row is None:
            return ProjectSettings()
        return ProjectSettings(
            Delivery(row["delivery"]),
            tuple(row["reading"]),
            None if row["forge"] is None else ForgeKind(row["forge"]),
            row["credential"] or "",
            tuple(row["reviewers"] or ()),
        )

    def save(self, project_id: str, chosen: ProjectSettings) -> None:
        """Keep the settings.

        Raises:
            InvalidRequest: an address or a name is none; the message begins with the field.
        """
        checked = _checked(chosen)
        row = {
            "project_id": project_id,
            "delivery": checked.delivery,
            "reading": list(checked.reading),
            "forge": checked.forge,
            "credential": checked.credential or None,
            "reviewers": list(checked.reviewers),
        }
        with self._database.transaction() as connection:
            connection.execute(
                delete(agent_settings).where(agent_settings.c.project_id == project_id)
            )
            connection.execute(insert(agent_settings).values(row))


def _checked(chosen: ProjectSettings) -> ProjectSettings:
    if chosen.credential and not _NAME.match(chosen.credential):
        raise InvalidRequest("credential: not a name of letters, digits, dots and dashes")
    reading = tuple(dict.fromkeys(map(str.strip, filter(str.strip, chosen.reading))))
    if len(reading) > MAX_READING:
        raise InvalidRequest(f"reading: must be at most {MAX_READING} repositories")
    for address in reading:
        _check_readable(address)
    return replace(chosen, reading=reading, reviewers=_checked_reviewers(chosen.reviewers))


def _checked_reviewers(names: Iterable[str]) -> tuple[str, ...]:
    reviewers = tuple(dict.fromkeys(name.strip().removeprefix("@") for name in names))
    if len(reviewers) > MAX_REVIEWERS:
        raise InvalidRequest(f"reviewers: must be at most {MAX_REVIEWERS}")
    for name in reviewers:
        if not _REVIEWER.match(name):
            raise InvalidRequest(f"reviewers: {name[:100]!r} is not the name of a user or a team")
    return reviewers


def _check_readable(address: str) -> None:
    """Repositories of servers only: nobody may read this machine's folders by a form."""
    source = Source(address)
    try:
        protocol = checked_protocol(source)
    except SourceUnreadable as error:
        raise InvalidRequest(f"reading: {error.message}") from error
    if protocol not in ("https", "ssh"):
        raise InvalidRequest(f"reading: {source.shown} is not an https or ssh address")
    if protocol == "https" and source.shown != address:
        raise InvalidRequest("reading: an address must not hold a user or a password")
