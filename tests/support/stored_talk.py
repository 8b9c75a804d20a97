"""Stored conversations on one site."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from docstead.accounts.tenancy import Deployment
from docstead.assistant.conversation import (
    AnswerSource,
    QuestionChannel,
    ThreadTurn,
)
from docstead.assistant.events import AnswerFinished, AnswerStarted, TextDelta
from docstead.assistant.streams.records import RecordedAnswers, UnstoredParts
from docstead.assistant.threads import Thread, ThreadRecords
from docstead.storage.database import Database
from manual_clock import ManualClock


class Talk:
    """Conversations on one site, in the database of the service."""

    def __init__(self, database: Database, clock: ManualClock, site: Deployment) -> None:
        self.database, self.clock, self.site = database, clock, site
        self.threads = ThreadRecords(database, clock)
        self.kept = RecordedAnswers(database, clock)

    def thread(self, fp: str = "reader") -> Thread:
        return self.threads.create(self.site.id, fp)

    def turn(self, thread: Thread, answer_id: str, **more: Any) -> None:
        """Store a turn with its recorded answer, which `is_recorded=False` leaves out."""
        values = {
            "answered": True, "path": "/guides", "chat": "chat", "replaces": None,
            "is_recorded": True, **more,
        }  # fmt: skip
        said = ThreadTurn(
            "Question", f"Said {answer_id}", (AnswerSource("1", "/a", "A"),), values["answered"]
        )
        if values["replaces"] is None and values["is_recorded"]:
            started = AnswerStarted(answer_id, thread.id, None)
            events = (started, TextDelta("Said"), AnswerFinished(thread.id, True))
            fresh = UnstoredParts(started, self.site.id, values["chat"], 0, events, over=True)
            self.kept.write([fresh], [])
        self.threads.record(
            thread.id,
            said,
            answer_id=answer_id,
            edition_id="ed_1",
            current_path=values["path"],
            channel=QuestionChannel.API,
            replaces=values["replaces"],
        )

    def later(self, **time: float) -> None:
        self.clock.move_to(self.clock.now() + timedelta(**time))
