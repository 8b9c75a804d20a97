"""Answerers: quotes from the documentation, or a chat model with checked sentences.

Failure rule: if a model fails before its first word, the answer falls back to quotes if configured.
Later failures raise, and what was sent is kept.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

from anyio import to_thread

from docstead.assistant.answer_in_progress import AnswerInProgress
from docstead.assistant.answer_parts import found_for, refusal_for, seen_text, suggestions_for
from docstead.assistant.answer_task import (
    AnswerBudget,
    AnswerOptions,
    AnswerTask,
    Said,
    UnlimitedBudget,
)
from docstead.assistant.answer_trace import given
from docstead.assistant.checking.checker import Checker
from docstead.assistant.checking.judgments import JudgeLimits, SentenceJudgments
from docstead.assistant.closest import closest_sections, linked, noted
from docstead.assistant.context import context_for
from docstead.assistant.events import SourceFound, TextDelta, TokenUsage, ToolAnswered, ToolCalled
from docstead.assistant.judge import ModelJudge
from docstead.assistant.model_search import ModelSearch
from docstead.assistant.outline import outline
from docstead.assistant.refusals import helpers, words_of
from docstead.assistant.replies import quoted, repair_note
from docstead.assistant.retrieval import RetrievedPassages
from docstead.assistant.small_talk import is_small_talk
from docstead.assistant.tools.library import DocumentationLookup
from docstead.base.errors import ModelError, RateLimited
from docstead.markup.words import ShellTexts
from docstead.models import chat
from docstead.models.chat import ChatModel, ChatRole, FinishReason, ToolUse
from docstead.models.completion import Transcript
from docstead.models.embedding import Embedder

_log = logging.getLogger(__name__)


class QuoteAnswerer:
    """Answers with quotes, without a model."""

    def __init__(self, options: AnswerOptions | None = None) -> None:
        self._options = options or AnswerOptions()

    def admit(self) -> None: ...

    async def answer(self, task: AnswerTask) -> AsyncGenerator[Said, None]:
        said, answered = await to_thread.run_sync(self._said, task)
        for each in said:
            yield each
        if answered and self._options.suggests:  # when readers have the text
            sources = [each.source.id for each in said if isinstance(each, SourceFound)]
            yield await to_thread.run_sync(suggestions_for, task, answered, sources)
        yield TokenUsage(0, 0)

    def _said(self, task: AnswerTask) -> tuple[list[Said], RetrievedPassages | None]:
        """Return the reply, and the passages if it answers. Blocking."""
        if is_small_talk(task.question.text):
            return list(refusal_for(task, self._options, [])), None
        found = found_for(task, task.question)
        words = words_of(task.question, task.edition.site, found.language)
        if quotes := list(quoted(found, task.question.context, words)):
            return [*given(found.candidates), *quotes], found
        return self._without_answer(task, found, words), None

    def _without_answer(
        self, task: AnswerTask, found: RetrievedPassages, words: ShellTexts
    ) -> list[Said]:
        passages = given(found.candidates)
        if sections := closest_sections(found):
            help_ = helpers(self._options.support, task.thread_id, words)
            said = (*repair_note(found, words), *linked(words.closest, sections))
            return [*passages, *said, *help_, noted(sections)]
        looked_for = [found.repaired or task.question.text]
        return [*passages, *refusal_for(task, self._options, looked_for, language=found.language)]


class ModelAnswerer:
    """Answers with a model's text, checked sentence by sentence.

    A question about a version or language without pages is refused without the model.
    """

    def __init__(
        self,
        model: ChatModel,
        options: AnswerOptions | None = None,
        *,
        embedder: Embedder | None = None,
        judge: ChatModel | None = None,
        judge_limits: JudgeLimits | None = None,
        budget: AnswerBudget | None = None,
    ) -> None:
        self._model = model
        self._options = options or AnswerOptions()
        self._embedder = embedder
        self._budget: AnswerBudget = budget or UnlimitedBudget()
        self._judge = ModelJudge(judge, self._budget.record) if judge else None
        self._judge_limits = judge_limits
        self._search = ModelSearch(model, self._budget.record)
        self._quoting = QuoteAnswerer(self._options)

    def admit(self) -> None:
        if not self._options.falls_back:
            self._budget.admit()

    async def answer(self, task: AnswerTask) -> AsyncGenerator[Said, None]:
        if await to_thread.run_sync(_excludes_every_page, task):
            async for said in self._quoting.answer(task):
                yield said
            return
        has_said = False
        try:
            await to_thread.run_sync(self._budget.admit)
            async with aclosing(self._written(task)) as written:
                async for said in written:
                    has_said = has_said or isinstance(said, TextDelta)
                    yield said
        except (ModelError, RateLimited) as error:
            if has_said or not self._options.falls_back:
                raise
            _log.warning("quotes replace the model's answer: %s", getattr(error, "detail", error))
            async for said in self._quoting.answer(task):
                yield said

    async def _written(self, task: AnswerTask) -> AsyncGenerator[Said, None]:
        question, found = await self._search.find(task)
        library = DocumentationLookup(task.edition, task.links, question)
        context = await to_thread.run_sync(context_for, task.question, found, library)
        seen = await to_thread.run_sync(seen_text, task)
        shown = outline(task.edition.site, task.question.groups)
        checker = Checker(task.edition.index.analyser, self._embedder)
        judgments = SentenceJudgments(self._judge, self._judge_limits)
        answer = AnswerInProgress(
            task, question, found, context, seen, shown, self._options, checker, judgments
        )
        async with aclosing(judgments), aclosing(self._spoken(answer)) as spoken:
            async for said in spoken:
                yield said
        for said in await to_thread.run_sync(answer.closing):
            yield said
        yield TokenUsage(answer.usage.input_tokens, answer.usage.output_tokens)

    async def _spoken(self, answer: AnswerInProgress) -> AsyncGenerator[Said, None]:
        """Yield the model's turns: tool calls while allowed, then its text."""
        while True:
            for passage in answer.new_passages():
                yield passage
            transcript = Transcript()
            tool_use = ToolUse.NONE if answer.tools.is_spent else ToolUse.AUTO
            tools = answer.tools.specs()
            stream = self._model.stream(answer.messages, tools=tools, tool_use=tool_use)
            try:
                async with aclosing(stream) as events:
                    async for event in events:
                        transcript.add(event)
                        async for said in answer.receive(event):
                            yield said
                        if answer.is_too_long:
                            transcript.usage = transcript.paid(
                                self._model.name, answer.messages, tools
                            )
                            break
            finally:
                await self._record(answer, transcript.usage)
            completion = transcript.completion()
            is_last = not completion.tool_calls or tool_use is ToolUse.NONE
            if is_last or answer.is_too_long:
                finish = FinishReason.LENGTH if answer.is_too_long else completion.finish
                async for said in answer.end(finish):
                    yield said
                return
            answer.messages.append(completion.message)
            for call in completion.tool_calls:
                call_id = answer.call_id(call)
                yield ToolCalled(call_id, call.name, call.values_or_text())
                used = await to_thread.run_sync(answer.tools.use, call)
                answer.messages.append(
                    chat.ChatMessage(ChatRole.TOOL, used.text, tool_call_id=call.id)
                )
                yield ToolAnswered(call_id, call.name, dict(used.summary))

    async def _record(self, answer: AnswerInProgress, usage: chat.ModelUsage) -> None:
        """Record the usage of a call, which may have failed before anything was paid.

        Clients are sent what the provider reported, not estimates.
        """
        if not usage.is_estimated:
            answer.usage += usage
        if usage.has_tokens:
            await to_thread.run_sync(self._budget.record, usage)


def _excludes_every_page(task: AnswerTask) -> bool:
    asked = task.question
    return not task.edition.index.has_pages(language=asked.language, version=asked.version)
