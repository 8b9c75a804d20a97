"""A tenant that owns one of everything."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import update

from docstead.agent.records import AgentRecords
from docstead.agent.turn_ends import EndReason, turn_end
from docstead.agent.values import Instruction
from docstead.app.services import AppServices
from docstead.assistant.conversation import ThreadTurn
from docstead.assistant.events import AnswerFinished, AnswerStarted, TextDelta
from docstead.assistant.streams.records import RecordedAnswers, UnstoredParts
from docstead.assistant.threads import ThreadRecords
from docstead.base.api_keys import KeyKind
from docstead.export.records import ExportRecords
from docstead.publishing.update_records import UpdateRecords
from docstead.storage.schema import api_keys
from handmade_sites import HandmadeSites
from stored_jobs import new_job


@dataclass
class MatrixTenant:
    """An organization that owns one of everything, with keys of every kind."""

    services: AppServices
    name: str
    folder: Path
    ids: dict[str, str] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        services = self.services
        self.sites = HandmadeSites(services.database, services.objects, self.folder, services.clock)
        self.site = self.sites.deployment(self.name, f"docs.{self.name}.example")
        edition_id = self.sites.publish(self.site, ("index", self.name))
        self.ids = {
            "domain": self.site.domain,
            "hostname": self.site.hostname,
            "projectId": self.site.project_id,
            "statusId": self._update(),
            "jobId": self._export(edition_id),
            "id": self._job(),
            "chatId": f"chat-of-{self.name}-0123456789",
            **self._conversation(edition_id),
        }

    @property
    def secrets(self) -> set[str]:
        """Return words that nobody else may read."""
        return {*self.ids.values(), f"secret of {self.name}", *self.keys.values()}

    def key(self, kind: KeyKind, **options: Any) -> str:
        site = {"deployment_id": self.site.id} if kind is KeyKind.ASSISTANT else {}
        created = self.services.api_keys.create(
            self.site.organization_id, kind, "test", **site, **options
        )
        self.keys[created.record.id] = created.key
        return created.key

    def revoked(self, kind: KeyKind) -> str:
        key = self.key(kind)
        self.services.api_keys.revoke(self.site.organization_id, list(self.keys)[-1])
        return key

    def expired(self, kind: KeyKind) -> str:
        key = self.key(kind)
        mine = api_keys.c.id == list(self.keys)[-1]
        values = {"expires_at": datetime(2020, 1, 1, tzinfo=UTC)}
        with self.services.database.transaction() as connection:
            connection.execute(update(api_keys).where(mine).values(values))
        return key

    def _update(self) -> str:
        records = UpdateRecords(self.services.database, self.services.clock)
        return records.create(self.site.project_id, "api").id

    def _export(self, edition_id: str) -> str:
        records = ExportRecords(self.services.database, self.services.clock)
        return records.create(
            deployment_id=self.site.id,
            organization_id=self.site.organization_id,
            edition_id=edition_id,
            version=f"secret of {self.name}",
            paths=None,
        ).id

    def _job(self) -> str:
        job_id = f"aj_{self.name}"
        records = AgentRecords(self.services.database, self.services.clock)
        project = self.services.tenancy.project(self.site.project_id)
        instruction = Instruction.of(f"secret of {self.name}")
        new_job(records, project, job_id, instruction, branch=f"docstead/{self.name}")
        records.begin_next(f"{job_id}_1")
        records.end_turn(f"{job_id}_1", turn_end(EndReason.FINISHED))
        return job_id

    def _conversation(self, edition_id: str) -> dict[str, str]:
        database, clock = self.services.database, self.services.clock
        threads, kept = ThreadRecords(database, clock), RecordedAnswers(database, clock)
        thread, answer_id = threads.create(self.site.id, "reader"), f"msg-{self.name}"
        said = f"secret of {self.name}"
        started = AnswerStarted(answer_id, thread.id, None)
        events = (started, TextDelta(said), AnswerFinished(thread.id, True))
        fresh = UnstoredParts(
            started, self.site.id, f"chat chat-of-{self.name}-0123456789", 0, events, over=True
        )
        kept.write([fresh], [])
        threads.record(
            thread.id,
            ThreadTurn("Question", said),
            answer_id=answer_id,
            edition_id=edition_id,
            current_path=None,
        )
        return {"threadId": thread.id, "messageId": answer_id}
