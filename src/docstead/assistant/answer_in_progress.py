"""State of a model's answer: messages, tools, passages and checked sentences."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from docstead.assistant.answer_parts import SUGGESTIONS, links_allowed, refusal_for, suggestions_for
from docstead.assistant.answer_task import AnswerOptions, AnswerTask, Said
from docstead.assistant.answer_trace import TracePassage, given
from docstead.assistant.checking.checker import Checker
from docstead.assistant.checking.judgments import SentenceJudgments
from docstead.assistant.conversation import Question
from docstead.assistant.events import AnswerData, ReasoningDelta, TextDelta
from docstead.assistant.extractive.evidence import Excerpt
from docstead.assistant.extractive.quotes import escaped
from docstead.assistant.passage_store import PassageStore
from docstead.assistant.prompt import NOT_COVERED_MARK, messages_for, rules_for
from docstead.assistant.refusals import words_of
from docstead.assistant.replies import one_per_page
from docstead.assistant.retrieval import RetrievedPassages
from docstead.assistant.tools.library import DocumentationLookup
from docstead.assistant.tools.tools import AnswerTools
from docstead.assistant.writing.answer_writer import AnswerWriter, SentencePolicy
from docstead.assistant.writing.markdown_units import MarkdownUnit, UnitKind
from docstead.assistant.writing.reply_formats import FurtherQuestions, may_be_object, unwrapped
from docstead.assistant.writing.sanitizer import MarkdownSanitizer
from docstead.models import chat
from docstead.models.chat import FinishReason

_LONGEST_REFUSAL = 600  # characters of a refusal in the model's words
_MOST_SHOWN = 5  # passages listed below an answer from which much was removed

CHECKS = "checks"  #: Name of the data part with the number of supported and removed sentences.


@dataclass(slots=True)
class AnswerInProgress:
    """State of one answer."""

    task: AnswerTask
    understood: Question
    found: RetrievedPassages
    context: Sequence[Excerpt]  # passages for the model
    seen: str
    outline: str
    options: AnswerOptions
    checker: Checker
    judgments: SentenceJudgments
    usage: chat.ModelUsage = field(default_factory=chat.ModelUsage)
    messages: list[chat.ChatMessage] = field(init=False)
    tools: AnswerTools = field(init=False)
    _writer: AnswerWriter = field(init=False)
    _passage_store: PassageStore = field(init=False)
    _call_ids: list[str] = field(default_factory=list)
    _received_characters: int = 0  # characters of the model
    _recorded_passages: int = 0  # passages stored for maintainers
    _opening: str = ""
    _is_open: bool = True
    _further: FurtherQuestions = field(default_factory=FurtherQuestions)
    _refusal: str | None = None  # the marker with which the model refuses

    def __post_init__(self) -> None:
        task, site = self.task, self.task.edition.site
        library = DocumentationLookup(task.edition, task.links, self.understood)
        passage_store = self._passage_store = PassageStore(task.edition.index.analyser)
        passages = passage_store.shown(self.context)
        for item in task.question.context:
            passage_store.add_background(item.text)
        passage_store.add_background(site.assistant.instructions)
        passage_store.add_known(site.config.name)
        passage_store.add_known(self.seen)
        self.tools = AnswerTools(
            library, passage_store, site.assistant.skills, self.options.tool_calls
        )
        passage_store.add_known(self.outline)
        self.messages = messages_for(task.question, task.earlier, passages, site, self.outline)
        self._writer = AnswerWriter(
            self.checker,
            MarkdownSanitizer(links_allowed(task, library, self.options)),
            passage_store,
            question=task.question.text,
            policy=self.options.policy,
            rules=rules_for(site),
            judgments=self.judgments,
        )

    def new_passages(self) -> list[TracePassage]:
        """Return the passages given to the model since the last call."""
        excerpts = self._passage_store.excerpts
        new, self._recorded_passages = excerpts[self._recorded_passages :], len(excerpts)
        return given(new)

    def call_id(self, call: chat.ToolCall) -> str:
        """Return a call id that is unique within the answer; some servers reuse ids each turn."""
        again = f"{call.id}-{len(self._call_ids)}" if call.id in self._call_ids else call.id
        self._call_ids.append(again)
        return again

    async def receive(self, event: chat.ModelEvent) -> AsyncIterator[Said]:
        if isinstance(event, chat.ModelReasoningDelta) and event.text:
            yield ReasoningDelta(self._within(event.text))
        elif isinstance(event, chat.ModelTextDelta):
            async for said in self._text(self._within(event.text)):
                yield said

    @property
    def is_too_long(self) -> bool:
        return self._received_characters > self.options.longest

    def _within(self, text: str) -> str:
        """Return the text, cut to what the answer may still contain."""
        left = max(0, self.options.longest - self._received_characters)
        self._received_characters += len(text)
        return text[:left]

    async def _text(self, piece: str) -> AsyncIterator[Said]:
        """Yield the model's text, once it is certain not to be a refusal or a JSON object."""
        text = self._further.add(piece)
        if self._refusal is not None:
            self._refusal = (self._refusal + text)[:_LONGEST_REFUSAL]
            return
        if self._is_open:
            self._opening = (self._opening + text).lstrip()
            if NOT_COVERED_MARK.startswith(self._opening) or may_be_object(self._opening):
                return
            self._is_open = False
            text = self._opening
            if text.startswith(NOT_COVERED_MARK):
                self._refusal = text.removeprefix(NOT_COVERED_MARK)
                return
        async for said in self._writer.add(text):
            yield said

    async def end(self, finish: FinishReason) -> AsyncIterator[Said]:
        if self._refusal is not None:
            self._refusal = await self._writer.refusal(self._refusal)
        elif self._is_open and self._opening not in ("", NOT_COVERED_MARK):
            async for said in self._writer.add(unwrapped(self._opening)):
                yield said
        async for said in self._writer.add(self._further.rest()):
            yield said
        async for said in self._writer.end(is_cut=finish is FinishReason.LENGTH):
            yield said
        if self._is_unchecked_and_uncited:
            for source in one_per_page(self.found.excerpts):
                yield source

    @property
    def _is_unchecked_and_uncited(self) -> bool:
        """Report whether nothing was checked or cited, so that all passages count as sources."""
        writer = self._writer
        return (
            self.options.policy is SentencePolicy.OFF and writer.has_said and not writer.has_cited
        )

    def _unconfirmed(self) -> list[Said]:
        """Return the notice and the model's passages if much was removed."""
        if not self._writer.has_lost_much or not self._passage_store.excerpts:
            return []
        task = self.task
        note = words_of(task.question, task.edition.site, self.found.language).unconfirmed
        library = DocumentationLookup(task.edition, task.links, task.question)
        sanitizer = MarkdownSanitizer(links_allowed(task, library, self.options))
        items = [
            sanitizer.safe(
                MarkdownUnit(UnitKind.PROSE, f"[{escaped(each.name)}]({each.link})", "- ", "\n")
            )
            for each in self._passage_store.excerpts[:_MOST_SHOWN]
        ]
        before = "\n\n" if self._writer.has_said else ""
        return [TextDelta(f"{before}*{note}*\n\n{''.join(each.markdown for each in items)}")]

    def _suggested(self) -> list[AnswerData]:
        """Return follow-up questions, the model's or else those of the passages."""
        if not self.options.suggests:
            return []
        safe = [each for each in self._further.questions if not self._writer.repeats_rules(each)]
        if safe:
            return [AnswerData(SUGGESTIONS, safe)]
        return [suggestions_for(self.task, self.found)]

    def closing(self) -> list[Said]:
        """Return the end of an answer: searched topics, or further links. Blocking."""
        writer = self._writer
        if writer.has_said or (writer.has_lost and self._passage_store.excerpts):
            checks = AnswerData(
                CHECKS, {"supported": writer.supported, "unsupported": writer.unsupported}
            )
            return [*self._unconfirmed(), *self._suggested(), checks]
        looked_for = list(dict.fromkeys([self.understood.text, *self.tools.queries]))
        said, language = self._refusal or "", self.found.language
        return list(refusal_for(self.task, self.options, looked_for, said, language))
