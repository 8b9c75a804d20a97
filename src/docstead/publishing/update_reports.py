"""Progress and reports of updates, for clients that wait for them."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import delete, insert, select, update

from docstead.base.decoders import json_decoder
from docstead.base.errors import DocsteadError
from docstead.content.diagnostics import Diagnostic
from docstead.publishing.build import BuildReport, Progress
from docstead.storage.database import Database
from docstead.storage.schema import update_reports, updates

_KEPT = 10  # reports kept per project; they may contain many diagnostics
_WRITTEN_EVERY_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class UpdateReport:
    """Report on an update's build, for commands."""

    pages: int
    failed: int
    diagnostics: tuple[Diagnostic, ...]
    seconds: float
    peak_memory_bytes: int

    @classmethod
    def of(cls, built: BuildReport, peak_memory_bytes: int) -> UpdateReport:
        return cls(built.pages, built.failed, built.diagnostics, built.seconds, peak_memory_bytes)


@dataclass(frozen=True, slots=True)
class UpdateProgress:
    """Finished pages, total pages, and the report at the end."""

    done: int = 0
    total: int = 0
    report: UpdateReport | None = None


_REPORTS = json_decoder(UpdateReport)


class UpdateReports:
    """Reports in the database: those of the last ten updates of each project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, update_id: str) -> UpdateProgress:
        query = select(update_reports).where(update_reports.c.update_id == update_id)
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().first()
        if row is None:
            return UpdateProgress()
        stored = row["report"]
        report = None if stored is None else _REPORTS.decode(msgspec.json.encode(stored))
        return UpdateProgress(row["pages_done"], row["pages_total"], report)

    def progress(self, update_id: str) -> Progress:
        """Return a function that stores an update's progress, at most twice a second."""
        written_at = time.monotonic()

        def store(done: int, total: int) -> None:
            nonlocal written_at
            if time.monotonic() - written_at >= _WRITTEN_EVERY_SECONDS:
                written_at = time.monotonic()
                with suppress(DocsteadError):  # progress is not essential
                    self._store(update_id, {"pages_done": done, "pages_total": total})

        return store

    def store(self, update_id: str, project_id: str, report: UpdateReport) -> None:
        """Store a report, and delete the project's oldest."""
        values = {
            "pages_done": report.pages,
            "pages_total": report.pages,
            "report": msgspec.to_builtins(report),
        }
        self._store(update_id, values)
        self._remove_old(project_id)

    def _store(self, update_id: str, values: dict[str, Any]) -> None:
        mine = update(update_reports).where(update_reports.c.update_id == update_id)
        with self._database.transaction() as connection:
            if not connection.execute(mine.values(values)).rowcount:
                row = {"update_id": update_id, **values}
                connection.execute(insert(update_reports).values(row))

    def _remove_old(self, project_id: str) -> None:
        newest = (
            select(updates.c.id)
            .join(update_reports, update_reports.c.update_id == updates.c.id)
            .where(updates.c.project_id == project_id)
            .order_by(updates.c.sequence.desc())
        )
        with self._database.transaction() as connection:
            if old := connection.execute(newest).scalars().all()[_KEPT:]:
                connection.execute(
                    delete(update_reports).where(update_reports.c.update_id.in_(old))
                )
