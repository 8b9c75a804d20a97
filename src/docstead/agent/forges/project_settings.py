"""Agent settings of a project: delivery, credentials and readable repositories."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from sqlalchemy import delete, insert, select

from docstead.agent.forges.forge import ForgeKind
from docstead.base.errors import InvalidRequest, SourceUnreadable
from docstead.publishing.sources import DocumentationSource, checked_protocol
from docstead.storage.database import Database
from docstead.storage.schema import agent_settings

MAX_READING = 10
MAX_REVIEWERS = 15  # GitHub's maximum
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")
_REVIEWER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}(?:/[A-Za-z0-9][A-Za-z0-9._-]{0,99})?\Z")


class Delivery(StrEnum):
    """Way of a job's work to the published branch."""

    PULL_REQUEST = "pull_request"
    PUSH = "push"  #: Pushed to the branch, or a pull request if the branch is protected.


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """Settings of a project. Without `forge` it is detected from the source's URL."""

    delivery: Delivery = Delivery.PULL_REQUEST
    reading: tuple[str, ...] = ()  # git URLs of additional repositories, read-only
    forge: ForgeKind | None = None
    credential: str = ""  # name in DOCSTEAD_FORGE_CREDENTIALS
    reviewers: tuple[str, ...] = ()  # users of the forge, or teams as `organization/team`

    @property
    def direct_push(self) -> bool:
        return self.delivery is Delivery.PUSH


class ProjectSettingsStore:
    """Settings of all projects."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, project_id: str) -> ProjectSettings:
        """Return the project's settings, or the defaults."""
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
        """Store settings.

        Raises:
            InvalidRequest: a URL or name is invalid; the message begins with the field.
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
        raise InvalidRequest("credential: must consist of letters, digits, dots and dashes")
    reading = tuple(dict.fromkeys(map(str.strip, filter(str.strip, chosen.reading))))
    if len(reading) > MAX_READING:
        raise InvalidRequest(f"reading: must be at most {MAX_READING} repositories")
    for url in reading:
        _check_readable(url)
    return replace(chosen, reading=reading, reviewers=_checked_reviewers(chosen.reviewers))


def _checked_reviewers(names: Iterable[str]) -> tuple[str, ...]:
    reviewers = tuple(dict.fromkeys(name.strip().removeprefix("@") for name in names))
    if len(reviewers) > MAX_REVIEWERS:
        raise InvalidRequest(f"reviewers: must be at most {MAX_REVIEWERS}")
    for name in reviewers:
        if not _REVIEWER.match(name):
            raise InvalidRequest(f"reviewers: {name[:100]!r} is not the name of a user or a team")
    return reviewers


def _check_readable(url: str) -> None:
    """Accept only remote repositories: forms must not give access to local folders."""
    source = DocumentationSource(url)
    try:
        protocol = checked_protocol(source)
    except SourceUnreadable as error:
        raise InvalidRequest(f"reading: {error.message}") from error
    if protocol not in ("https", "ssh"):
        raise InvalidRequest(f"reading: {source.shown} is not an https or ssh URL")
    if protocol == "https" and source.shown != url:
        raise InvalidRequest("reading: a URL must not contain a user name or password")
