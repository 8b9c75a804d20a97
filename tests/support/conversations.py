"""Conversations as they are stored, without an assistant."""

from __future__ import annotations

from docstead.assistant.conversation import AnswerFallback, AnswerSource, Channel, ThreadTurn
from docstead.assistant.events import Started
from docstead.assistant.feedback import Feedback, Opinion
from docstead.assistant.grounds import Grounds
from docstead.assistant.streams.kept import Fresh, KeptAnswers
from docstead.assistant.threads import Thread, Threads
from docstead.base.clock import Clock
from docstead.base.ids import new_id
from docstead.storage.database import Database

SOURCE = AnswerSource("1", "https://docs.acme.test/guides/start#install", "Start › Install")


class Talks:
    """Adds conversations to a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.threads = Threads(database, clock)
        self._kept = KeptAnswers(database, clock)
        self._feedback = Feedback(database, clock)

    def ask(
        self,
        deployment_id: str,
        question: str,
        answer: str = "",
        *,
        thread: Thread | None = None,
        fp: str = "anonymous",
        path: str | None = None,
        channel: Channel = Channel.API,
        opinion: Opinion | None = None,
        grounds: Grounds | None = None,
        fallback: AnswerFallback | None = None,
    ) -> Thread:
        """Ask in a thread, a new one by default. Without an answer it is one nobody had."""
        thread = thread or self.threads.create(deployment_id, fp)
        answer_id, sources = new_id("msg"), (SOURCE,) if answer else ()
        started = Started(answer_id, thread.id, None)
        self._kept.write([Fresh(started, deployment_id, None, 0, (started,), over=True)], [])
        self.threads.record(
            thread.id,
            ThreadTurn(
                question,
                answer or "The documentation does not say.",
                sources,
                bool(answer),
                grounds or Grounds(),
                fallback,
            ),
            answer_id=answer_id,
            edition_id="ed_1",
            current_path=path,
            channel=channel,
        )
        if opinion is not None:
            self._feedback.give(deployment_id, answer_id, opinion)
        return thread
