"""Search for a question that a model rewrites: self-contained, in the language of the pages.

Failure rule: if the model fails or times out, the original question is searched for.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace

from anyio import move_on_after, to_thread

from docstead.assistant.answer_parts import found_for
from docstead.assistant.answer_task import AnswerTask
from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.prompt import rewording, rewriting
from docstead.assistant.retrieval import RetrievedPassages
from docstead.assistant.small_talk import is_small_talk
from docstead.base.errors import ModelError
from docstead.models.chat import ChatMessage, ChatModel, ModelUsage
from docstead.models.completion import complete

_log = logging.getLogger(__name__)

_SECONDS = 10.0
_MOST_TOKENS = 200
_LONGEST = 400


class ModelSearch:
    """Search with rewriting by a model. `record` stores the tokens and may block."""

    def __init__(self, model: ChatModel, record: Callable[[ModelUsage], None]) -> None:
        self._model = model
        self._record = record

    async def find(self, task: AnswerTask) -> tuple[Question, RetrievedPassages]:
        """Return the passages and the question as understood.

        Follow-ups, and questions in a language other than the pages', are rewritten while the
        original is searched for. Other questions are rewritten afterwards if they are not covered.
        """
        if is_small_talk(task.question.text):
            return task.question, await _search(task, task.question)
        if task.earlier:
            site = task.edition.site
            asked = rewriting(task.question.text, task.earlier, site)
            return await self._find_both(task, asked)
        reworded = rewording(task.question.text, task.edition.site)
        if await to_thread.run_sync(task.edition.index.translation, task.question.text):
            _, found = await self._find_both(task, reworded)
        else:
            found = await _search(task, task.question)
            if not found.covered:
                again = await _search(task, await self._rewritten(task.question, reworded))
                found = replace(again, language=found.language)
        # Used for search only; readers do not see it.
        return task.question, found

    async def _find_both(
        self, task: AnswerTask, asked: list[ChatMessage]
    ) -> tuple[Question, RetrievedPassages]:
        """Search for the question and its rewriting, which is preferred if it is covered."""
        rewritten = asyncio.create_task(self._rewritten(task.question, asked))
        try:
            first = await _search(task, task.question)
            question = await rewritten
        finally:
            rewritten.cancel()
        if question is task.question:
            return question, first
        second = await _search(task, question)
        if first.covered and not second.covered:
            return question, first
        return question, replace(second, language=first.language)

    async def _rewritten(self, question: Question, asked: list[ChatMessage]) -> Question:
        text = ""
        try:
            with move_on_after(_SECONDS):
                completion = await complete(self._model, asked, max_output_tokens=_MOST_TOKENS)
                text = " ".join(completion.text.split())
                await to_thread.run_sync(self._record, completion.usage)
        except ModelError as error:
            _log.warning("the question was not rewritten: %s", error.detail)
        if not text or len(text) > _LONGEST or text == question.text:
            return question
        return replace(question, messages=(ConversationMessage(Speaker.USER, text),))


async def _search(task: AnswerTask, question: Question) -> RetrievedPassages:
    return await to_thread.run_sync(found_for, task, question)
