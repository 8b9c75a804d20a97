"""Answers questions about a deployment's documentation, as a stream of events.

Failure rule: problems with the question (unknown thread, unpublished site) are raised before the
first event; later problems end the stream with `AnswerFailed`. In every case, also without
listeners, what was said is stored.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from anyio import CancelScope, to_thread

from docstead.assistant.answer_in_progress import CHECKS
from docstead.assistant.answer_task import Answerer, AnswerTask, Said
from docstead.assistant.answer_trace import TraceCheck, TracePassage, TraceRecorder, selected
from docstead.assistant.closest import CLOSEST
from docstead.assistant.conversation import (
    AnswerDeployment,
    AnswerFallback,
    AnswerSource,
    ConversationMessage,
    Question,
    ReadableEdition,
    Speaker,
    ThreadAccess,
    ThreadTurn,
)
from docstead.assistant.events import (
    AnswerData,
    AnswerFailed,
    AnswerFinished,
    AnswerStarted,
    Event,
    SourceFound,
    TextDelta,
    TokenUsage,
)
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.refusals import NEAREST
from docstead.assistant.small_talk import is_small_talk
from docstead.assistant.stored_text import stored_question
from docstead.assistant.threads import Thread, ThreadRecords, unstored_thread
from docstead.base.clock import Clock
from docstead.base.errors import OUTAGES, DocsteadError, Unavailable
from docstead.base.ids import new_id
from docstead.storage.database import Database

_log = logging.getLogger(__name__)

D_contra = TypeVar("D_contra", bound=AnswerDeployment, contravariant=True)
D = TypeVar("D", bound=AnswerDeployment)


class CurrentEditions(Protocol[D_contra]):
    """Provides a deployment's current edition."""

    def current(self, deployment: D_contra) -> ReadableEdition | None: ...


@dataclass(slots=True)
class _Answer:
    """Text of the answer so far. `asks` is False for messages that need no answer."""

    asks: bool
    parts: list[str] = field(default_factory=list)
    sources: list[AnswerSource] = field(default_factory=list)
    usage: TokenUsage | None = None
    recorder: TraceRecorder = field(default_factory=TraceRecorder)
    is_complete: bool = False  # not interrupted
    supported: int = 0  # of a model; skills that support them are not sources
    notes: set[str] = field(default_factory=set)  # names of data parts

    @property
    def answered(self) -> bool:
        return bool(self.sources or self.supported) or not self.asks

    @property
    def fallback(self) -> AnswerFallback | None:
        """The result instead of an answer; None for answers, refusals with pages, and failures."""
        if self.answered or not self.is_complete or self.notes & {NEAREST, CHECKS}:
            return None
        return AnswerFallback.CLOSEST if CLOSEST in self.notes else AnswerFallback.NOTHING

    def add(self, said: Said) -> None:
        if isinstance(said, TokenUsage):
            self.usage = said
        elif isinstance(said, SourceFound):
            self.sources.append(said.source)
        elif isinstance(said, TextDelta):
            self.parts.append(said.text)
        elif isinstance(said, TracePassage | TraceCheck):
            self.recorder.add(said)
        elif isinstance(said, AnswerData):
            self.notes.add(said.name)
            if said.name == CHECKS:
                self.supported = said.value["supported"]

    def turn(self, question: Question) -> ThreadTurn:
        origins = (
            selected(item.path, item.element_id)
            for item in question.context
            if item.path or item.element_id
        )
        return ThreadTurn(
            question.text,
            "".join(self.parts),
            tuple(self.sources),
            answered=self.answered,
            trace=self.recorder.trace(origins),
            fallback=self.fallback,
        )


@dataclass(frozen=True, slots=True)
class _Conversation:
    question: Question
    edition: ReadableEdition
    site_url: str
    thread: Thread
    answer_id: str
    answerer: Answerer

    @property
    def task(self) -> AnswerTask:
        return AnswerTask(
            question=self.question,
            earlier=self.earlier,
            edition=self.edition,
            links=AbsoluteLinks(self.site_url),
            site_url=self.site_url,
            thread_id=self.thread.id,
        )

    @property
    def earlier(self) -> tuple[ConversationMessage, ...]:
        """Earlier messages, as stored if possible, because clients may send a different history."""
        stored = self.thread.turns[:-1] if self.is_retry else self.thread.turns
        if not stored:
            return () if self.is_retry else self.question.earlier
        return tuple(
            message
            for turn in stored
            for message in (
                ConversationMessage(Speaker.USER, turn.question),
                ConversationMessage(Speaker.ASSISTANT, turn.answer),
            )
        )

    @property
    def is_retry(self) -> bool:
        """Whether the last question is asked again, so that its answer is replaced."""
        last = self.thread.turns[-1].question if self.thread.turns else None
        return (
            last == stored_question(self.question.text)
            and self.question.asked <= self.thread.turn_count
        )

    @property
    def replaces(self) -> int | None:
        """Position of the turn that this one replaces, or None."""
        return self.thread.turn_count - 1 if self.is_retry else None


class Assistant(Generic[D]):
    """The assistant. `site_url` returns a deployment's URL, `answerer` its answerer."""

    def __init__(
        self,
        database: Database,
        editions: CurrentEditions[D],
        answerer: Callable[[D], Answerer],
        clock: Clock,
        site_url: Callable[[D], str],
        *,
        thread_key_required: bool = False,
        thread_must_exist: bool = False,
    ) -> None:
        self._threads = ThreadRecords(
            database, clock, key_required=thread_key_required, must_exist=thread_must_exist
        )
        self._editions = editions
        self._answerer = answerer
        self._site_url = site_url

    async def answer(
        self,
        deployment: D,
        question: Question,
        *,
        recorded: bool = True,
        site_url: str | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of an answer, in the order defined in `events`.

        An answer that is not `recorded` has a new thread and is not stored. Links begin with
        `site_url`, by default the deployment's URL.

        Raises:
            Unavailable: the deployment is not published, or no model is available.
            RateLimited: its organization has no tokens left.
            NotFound: threads must exist and this one does not, or its key is wrong.
        """
        conversation = await to_thread.run_sync(
            self._begin, deployment, question, recorded, site_url
        )
        answer = _Answer(asks=not is_small_talk(question.text))
        thread, failure = conversation.thread, None
        try:
            yield AnswerStarted(conversation.answer_id, thread.id, thread.key)
            async with aclosing(conversation.answerer.answer(conversation.task)) as said:
                async for event in said:
                    answer.add(event)
                    if not isinstance(event, TokenUsage | TracePassage | TraceCheck):
                        yield event
            answer.is_complete = True
        except DocsteadError as error:
            failure = error
        except Exception:
            _log.exception("an answer in thread %s was interrupted", thread.id)
            failure = DocsteadError()
        finally:
            if recorded:
                with CancelScope(shield=True):
                    await to_thread.run_sync(self._record, conversation, answer)
        if failure is not None:
            yield AnswerFailed(thread.id, failure.message)
        else:
            yield AnswerFinished(thread.id, answer.answered, answer.usage)

    def admit(self, deployment: D, thread_id: str, access: ThreadAccess) -> None:
        """Check access to a thread. Blocking: run it in a thread.

        Raises:
            NotFound: the thread does not exist, or access is denied.
        """
        self._threads.admit(deployment.id, thread_id, access)

    def _begin(
        self, deployment: D, question: Question, recorded: bool, site_url: str | None
    ) -> _Conversation:
        edition = self._editions.current(deployment)
        if edition is None:
            raise Unavailable("This deployment has not been published yet.")
        _ = edition.index  # raises immediately if the index is being rebuilt
        answerer = self._answerer(deployment)
        answerer.admit()
        thread = self._thread(deployment, question) if recorded else unstored_thread()
        url = self._site_url(deployment) if site_url is None else site_url
        return _Conversation(question, edition, url, thread, new_id("msg"), answerer)

    def _thread(self, deployment: D, question: Question) -> Thread:
        return self._threads.resume_or_create(
            deployment.id,
            question.thread_id,
            question.access,
            question.fp,
            for_groups=bool(question.groups),
        )

    def _record(self, conversation: _Conversation, answer: _Answer) -> None:
        try:
            self._threads.record(
                conversation.thread.id,
                answer.turn(conversation.question),
                answer_id=conversation.answer_id,
                edition_id=conversation.edition.id,
                current_path=conversation.question.current_path,
                channel=conversation.question.channel,
                replaces=conversation.replaces,
            )
        except Exception as error:
            # The reader has received the answer; only its stored turn is lost.
            trace = None if isinstance(error, OUTAGES) else error
            thread_id = conversation.thread.id
            _log.error("a turn of thread %s cannot be stored: %s", thread_id, error, exc_info=trace)
