"""Stored conversations, created without an assistant."""

from __future__ import annotations

from docstead.assistant.answer_trace import AnswerTrace
from docstead.assistant.conversation import (
    AnswerFallback,
    AnswerSource,
    QuestionChannel,
    ThreadTurn,
)
from docstead.assistant.events import AnswerStarted
from docstead.assistant.feedback import AnswerFeedback, AnswerFeedbackRecords
from docstead.assistant.streams.records import RecordedAnswers, UnstoredParts
from docstead.assistant.threads import Thread, ThreadRecords
from docstead.base.clock import Clock
from docstead.base.ids import new_id
from docstead.storage.database import Database

SOURCE = AnswerSource("1", "https://docs.acme.test/guides/start#install", "Start › Install")


class Talks:
    """Adds conversations to a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.threads = ThreadRecords(database, clock)
        self._kept = RecordedAnswers(database, clock)
        self._feedback = AnswerFeedbackRecords(database, clock)

    def ask(
        self,
        deployment_id: str,
        question: str,
        answer: str = "",
        *,
        thread: Thread | None = None,
        fp: str = "anonymous",
        path: str | None = None,
        channel: QuestionChannel = QuestionChannel.API,
        feedback: AnswerFeedback | None = None,
        trace: AnswerTrace | None = None,
        fallback: AnswerFallback | None = None,
    ) -> Thread:
        """Store a question, by default in a new thread; without an answer, as an unanswered one."""
        thread = thread or self.threads.create(deployment_id, fp)
        answer_id, sources = new_id("msg"), (SOURCE,) if answer else ()
        started = AnswerStarted(answer_id, thread.id, None)
        self._kept.write(
            [UnstoredParts(started, deployment_id, None, 0, (started,), over=True)], []
        )
        self.threads.record(
            thread.id,
            ThreadTurn(
                question,
                answer or "The documentation does not say.",
                sources,
                bool(answer),
                trace or AnswerTrace(),
                fallback,
            ),
            answer_id=answer_id,
            edition_id="ed_1",
            current_path=path,
            channel=channel,
        )
        if feedback is not None:
            self._feedback.give(deployment_id, answer_id, feedback)
        return thread
