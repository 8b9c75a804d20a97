"""Answerers: quotes from the documentation, or a chat model whose sentences are checked.

Failure rule: before a model's first word, whatever goes wrong with it is answered by quotes
where the settings say so; later it raises, and what was said stands.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Protocol

from anyio import move_on_after, to_thread

from docstead.assistant.checking.checker import Checker
from docstead.assistant.checking.judgments import JudgeLimits, SentenceJudgments
from docstead.assistant.closest import closest_sections, linked, noted
from docstead.assistant.conversation import Message, Question, Readable, Speaker
from docstead.assistant.events import (
    Noted,
    ReasoningDelta,
    SourceFound,
    TextDelta,
    ToolAnswered,
    ToolCalled,
    Usage,
)
from docstead.assistant.grounds import Check, Given, given
from docstead.assistant.judge import ModelJudge
from docstead.assistant.links import Links
from docstead.assistant.prompt import NOT_COVERED_MARK, messages_for, rewriting, rules_for
from docstead.assistant.refusals import Support, helpers, refusal, words_of
from docstead.assistant.replies import one_per_page, quoted, quoted_links, repair_note
from docstead.assistant.retrieval import Found, Retrieval
from docstead.assistant.shelf import Shelf
from docstead.assistant.small_talk import REPLY, is_small_talk
from docstead.assistant.suggestions import follow_ups
from docstead.assistant.tools.library import Library
from docstead.assistant.tools.tools import Tools
from docstead.assistant.writing.guard import Guard
from docstead.assistant.writing.link_policy import LinkPolicy
from docstead.assistant.writing.scribe import Policy, Scribe
from docstead.assistant.writing.units import Kind, Unit
from docstead.base.errors import InvalidRequest, ModelError, NotFound, RateLimited
from docstead.models import chat
from docstead.models.chat import ChatModel, FinishReason, Role, ToolUse
from docstead.models.completion import Transcript, complete
from docstead.models.embedding import Embedder
from docstead.models.extractive import escaped

_log = logging.getLogger(__name__)

_REWRITE_SECONDS = 10.0
_REWRITE_TOKENS = 200
_LONGEST_REWRITE = 400
_LONGEST_REFUSAL = 600  # characters of a model that refuses
_LONGEST_PAGE = 50_000  # characters of the page that the reader is on
_MOST_SHOWN = 5  # passages below an answer of which much was left out

CHECKS = "checks"  #: The note with how many sentences were supported, and how many were not.

Said = (
    SourceFound
    | TextDelta
    | ReasoningDelta
    | ToolCalled
    | ToolAnswered
    | Noted
    | Usage
    | Given
    | Check
)


@dataclass(frozen=True, slots=True)
class Task:
    """A question with all that an answer may rest on."""

    question: Question
    earlier: tuple[Message, ...]
    edition: Readable
    links: Links
    site_url: str
    thread_id: str


class Answerer(Protocol):
    """Answers the readers of one deployment."""

    def admit(self) -> None:
        """Let a question in, or raise while it can still be refused. Blocking."""
        ...

    def answer(self, task: Task) -> AsyncGenerator[Said, None]: ...


class Purse(Protocol):
    """Budget of a deployment's answers. Blocking."""

    def admit(self) -> None:
        """Raises `RateLimited` or `ModelError` where nothing is left."""
        ...

    def record(self, usage: chat.Usage) -> None: ...


class FreePurse:
    """Without a limit, and without a count."""

    def admit(self) -> None: ...

    def record(self, usage: chat.Usage) -> None: ...


@dataclass(frozen=True, slots=True)
class Manner:
    """Options of a deployment's answers."""

    policy: Policy = Policy.DROP
    tool_calls: int = 6
    link_hosts: tuple[str, ...] = ()
    support: Support | None = None
    falls_back: bool = True  # to quotes, where no model can answer
    suggests: bool = True
    longest: int = 100_000  # characters that a model may write and think for one answer


class Quoting:
    """Answers with quotes; no model is asked."""

    def __init__(self, manner: Manner | None = None) -> None:
        self._manner = manner or Manner()

    def admit(self) -> None: ...

    async def answer(self, task: Task) -> AsyncGenerator[Said, None]:
        for said in await to_thread.run_sync(self._quoted, task):
            yield said
        yield Usage(0, 0)

    def _quoted(self, task: Task) -> list[Said]:
        if is_small_talk(task.question.text):
            return list(_refused(task, self._manner, []))
        found = _found(task, task.question)
        passages = given(found.candidates)
        words = words_of(task.question, task.edition.site)
        if quotes := list(quoted(found, task.question.context, words)):
            suggested = [_suggested(task, found)] if self._manner.suggests else []
            return [*passages, *quotes, *suggested]
        if sections := closest_sections(found):
            help_ = helpers(self._manner.support, task.thread_id)
            said = (*repair_note(found, words), *linked(words.closest, sections))
            return [*passages, *said, *help_, noted(sections)]
        return [*passages, *_refused(task, self._manner, [found.repaired or task.question.text])]


class Writing:
    """Answers with a model's words, checked sentence by sentence."""

    def __init__(
        self,
        model: ChatModel,
        manner: Manner | None = None,
        *,
        embedder: Embedder | None = None,
        judge: ChatModel | None = None,
        judge_limits: JudgeLimits | None = None,
        purse: Purse | None = None,
    ) -> None:
        self._model = model
        self._manner = manner or Manner()
        self._embedder = embedder
        self._purse: Purse = purse or FreePurse()
        self._judge = ModelJudge(judge, self._purse.record) if judge else None
        self._judge_limits = judge_limits
        self._quoting = Quoting(self._manner)

    def admit(self) -> None:
        if not self._manner.falls_back:
            self._purse.admit()

    async def answer(self, task: Task) -> AsyncGenerator[Said, None]:
        has_said = False
        try:
            await to_thread.run_sync(self._purse.admit)
            async with aclosing(self._written(task)) as written:
                async for said in written:
                    has_said = has_said or isinstance(said, TextDelta)
                    yield said
        except (ModelError, RateLimited) as error:
            if has_said or not self._manner.falls_back:
                raise
            _log.warning("quotes stand in for the model: %s", getattr(error, "detail", error))
            async for said in self._quoting.answer(task):
                yield said

    async def _written(self, task: Task) -> AsyncGenerator[Said, None]:
        question = await self._understood(task)
        found = await to_thread.run_sync(_found, task, question)
        seen = await to_thread.run_sync(_seen, task)
        checker = Checker(task.edition.index.analyser, self._embedder)
        judgments = SentenceJudgments(self._judge, self._judge_limits)
        answer = _Answer(task, question, found, seen, self._manner, checker, judgments)
        async with aclosing(judgments), aclosing(self._spoken(answer)) as spoken:
            async for said in spoken:
                yield said
        for said in await to_thread.run_sync(answer.closing):
            yield said
        yield Usage(answer.usage.input_tokens, answer.usage.output_tokens)

    async def _spoken(self, answer: _Answer) -> AsyncGenerator[Said, None]:
        """The model's turns: tools as long as it wants any and may, and then its words."""
        while True:
            for passage in answer.new_passages():
                yield passage
            heard = Transcript()
            tool_use = ToolUse.NONE if answer.tools.is_spent else ToolUse.AUTO
            stream = self._model.stream(
                answer.messages, tools=answer.tools.specs(), tool_use=tool_use
            )
            async with aclosing(stream) as events:
                async for event in events:
                    heard.add(event)
                    async for said in answer.heard(event):
                        yield said
                    if answer.is_too_long:
                        break
            completion = heard.completion()
            answer.usage += completion.usage
            await to_thread.run_sync(self._purse.record, completion.usage)
            is_last = not completion.tool_calls or tool_use is ToolUse.NONE
            if is_last or answer.is_too_long:
                finish = FinishReason.LENGTH if answer.is_too_long else completion.finish
                async for said in answer.end(finish):
                    yield said
                return
            answer.messages.append(completion.message)
            for call in completion.tool_calls:
                call_id = answer.call_id(call)
                yield ToolCalled(call_id, call.name, _arguments(call))
                used = await to_thread.run_sync(answer.tools.use, call)
                answer.messages.append(chat.Message(Role.TOOL, used.text, tool_call_id=call.id))
                yield ToolAnswered(call_id, call.name, dict(used.summary))

    async def _understood(self, task: Task) -> Question:
        """The question as somebody would ask it who was not there; itself where that fails."""
        question = task.question
        if not task.earlier:
            return question
        text = ""
        try:
            with move_on_after(_REWRITE_SECONDS):
                asked = rewriting(question.text, task.earlier)
                completion = await complete(self._model, asked, max_output_tokens=_REWRITE_TOKENS)
                text = " ".join(completion.text.split())
                await to_thread.run_sync(self._purse.record, completion.usage)
        except ModelError as error:
            _log.warning("the question was not rewritten: %s", error.detail)
        if not text or len(text) > _LONGEST_REWRITE or text == question.text:
            return question
        # Search alone uses it: the model reads the question as it was asked.
        return replace(question, messages=(Message(Speaker.USER, text),))


@dataclass(slots=True)
class _Answer:
    """One answer on its way."""

    task: Task
    understood: Question
    found: Found
    seen: str
    manner: Manner
    checker: Checker
    judgments: SentenceJudgments
    usage: chat.Usage = field(default_factory=chat.Usage)
    messages: list[chat.Message] = field(init=False)
    tools: Tools = field(init=False)
    _scribe: Scribe = field(init=False)
    _shelf: Shelf = field(init=False)
    _call_ids: list[str] = field(default_factory=list)
    _heard: int = 0  # characters of the model
    _told: int = 0  # passages that maintainers know of
    _opening: str = ""
    _is_open: bool = True
    _refusal: str | None = None  # what the model says where it refuses

    def __post_init__(self) -> None:
        task, site = self.task, self.task.edition.site
        library = Library(task.edition, task.links, self.understood)
        shelf = self._shelf = Shelf(task.edition.index.analyser)
        passages = shelf.shown(self.found.excerpts)
        for item in task.question.context:
            shelf.add_background(item.text)
        shelf.add_background(site.assistant.instructions)
        shelf.add_known(self.seen)
        self.tools = Tools(library, shelf, site.assistant.skills, self.manner.tool_calls)
        self.messages = messages_for(task.question, task.earlier, passages, site)
        self._scribe = Scribe(
            self.checker,
            Guard(_links_allowed(task, library, self.manner)),
            shelf,
            question=task.question.text,
            policy=self.manner.policy,
            rules=rules_for(site),
            judgments=self.judgments,
        )

    def new_passages(self) -> list[Given]:
        """Return the passages that the model was given since the last call."""
        excerpts = self._shelf.excerpts
        new, self._told = excerpts[self._told :], len(excerpts)
        return given(new)

    def call_id(self, call: chat.ToolCall) -> str:
        """An identifier of its own in this answer: some servers begin anew with each turn."""
        again = f"{call.id}-{len(self._call_ids)}" if call.id in self._call_ids else call.id
        self._call_ids.append(again)
        return again

    async def heard(self, event: chat.ModelEvent) -> AsyncIterator[Said]:
        if isinstance(event, chat.ReasoningDelta) and event.text:
            yield ReasoningDelta(self._within(event.text))
        elif isinstance(event, chat.TextDelta):
            async for said in self._text(self._within(event.text)):
                yield said

    @property
    def is_too_long(self) -> bool:
        return self._heard > self.manner.longest

    def _within(self, text: str) -> str:
        """The text, or as much of it as the answer may still have."""
        left = max(0, self.manner.longest - self._heard)
        self._heard += len(text)
        return text[:left]

    async def _text(self, text: str) -> AsyncIterator[Said]:
        """Words of the model, once it is clear that they are no refusal."""
        if self._refusal is not None:
            self._refusal = (self._refusal + text)[:_LONGEST_REFUSAL]
            return
        if self._is_open:
            self._opening = (self._opening + text).lstrip()
            if NOT_COVERED_MARK.startswith(self._opening):
                return
            self._is_open = False
            text = self._opening
            if text.startswith(NOT_COVERED_MARK):
                self._refusal = text.removeprefix(NOT_COVERED_MARK)
                return
        async for said in self._scribe.add(text):
            yield said

    async def end(self, finish: FinishReason) -> AsyncIterator[Said]:
        if self._refusal is not None:
            self._refusal = await self._scribe.refusal(self._refusal)
        elif self._is_open and self._opening not in ("", NOT_COVERED_MARK):
            async for said in self._scribe.add(self._opening):
                yield said
        async for said in self._scribe.end(is_cut=finish is FinishReason.LENGTH):
            yield said
        if self._is_unchecked_and_uncited:
            for source in one_per_page(self.found.excerpts):
                yield source

    @property
    def _is_unchecked_and_uncited(self) -> bool:
        """Whether nobody knows what the answer rests on: then on all that the model was given."""
        scribe = self._scribe
        return self.manner.policy is Policy.OFF and scribe.has_said and not scribe.has_cited

    def _unconfirmed(self) -> list[Said]:
        """Return the notice and the model's passages if much was left out."""
        if not self._scribe.has_lost_much or not self._shelf.excerpts:
            return []
        task = self.task
        note = words_of(task.question, task.edition.site).unconfirmed
        library = Library(task.edition, task.links, task.question)
        guard = Guard(_links_allowed(task, library, self.manner))
        items = [
            guard.safe(Unit(Kind.PROSE, f"[{escaped(each.name)}]({each.link})", "- ", "\n"))
            for each in self._shelf.excerpts[:_MOST_SHOWN]
        ]
        before = "\n\n" if self._scribe.has_said else ""
        return [TextDelta(f"{before}*{note}*\n\n{''.join(each.markdown for each in items)}")]

    def closing(self) -> list[Said]:
        """Return the ending of an answer: topics searched for, or further links. Blocking."""
        scribe = self._scribe
        if scribe.has_said or (scribe.has_lost and self._shelf.excerpts):
            checks = Noted(
                CHECKS, {"supported": scribe.supported, "unsupported": scribe.unsupported}
            )
            suggested = [_suggested(self.task, self.found)] if self.manner.suggests else []
            return [*self._unconfirmed(), *suggested, checks]
        looked_for = list(dict.fromkeys([self.understood.text, *self.tools.queries]))
        return list(_refused(self.task, self.manner, looked_for, self._refusal or ""))


def _seen(task: Task) -> str:
    """The reader's earlier questions, and the page that the reader is on. Blocking."""
    asked = [said.text for said in task.earlier if said.speaker is Speaker.USER]
    path = task.question.current_path
    if not path:
        return "\n".join(asked)
    try:
        page = Library(task.edition, task.links, task.question).page(path)
    except NotFound:
        page = []
    text = "\n\n".join(each.markdown for each in page)[:_LONGEST_PAGE]
    return "\n".join((*asked, text))


def _found(task: Task, question: Question) -> Found:
    asked = [m.text for m in task.earlier if m.speaker is Speaker.USER]
    answers = (m.text for m in task.earlier if m.speaker is Speaker.ASSISTANT)
    shown = frozenset(link for answer in answers for link in quoted_links(answer))
    retrieval = Retrieval(task.edition.index, task.edition.site, task.links)
    return retrieval.find(question, asked, shown)


def _refused(
    task: Task, manner: Manner, looked_for: Sequence[str], said: str = ""
) -> Iterator[Said]:
    """A refusal in the words of a model, or else in ours."""
    if is_small_talk(task.question.text):
        return iter([TextDelta(REPLY)])
    library = Library(task.edition, task.links, task.question)
    said = said or words_of(task.question, task.edition.site).not_covered
    return refusal(library, said, looked_for, manner.support, task.thread_id)


def _suggested(task: Task, found: Found) -> Noted:
    return Noted("suggestions", list(follow_ups(task.edition, found, found.asked)))


def _links_allowed(task: Task, library: Library, manner: Manner) -> LinkPolicy:
    addresses = [manner.support.address] if manner.support else []
    return LinkPolicy(task.site_url, library.address, manner.link_hosts, addresses)


def _arguments(call: chat.ToolCall) -> dict[str, object]:
    try:
        return call.values()
    except InvalidRequest:
        return {"malformed": call.arguments}
