"""A chat model that judges another model's sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from anyio import to_thread

from docstead.assistant.checking.judgments import SentenceJudgment
from docstead.assistant.extractive.evidence import Excerpt
from docstead.assistant.prompt import CONTRADICTED, judging
from docstead.models.chat import ChatModel, ModelUsage
from docstead.models.completion import complete

_MOST_TOKENS = 400  # one word and a number, with room for reasoning
_CONTRADICTED = re.compile(rf"\W*{CONTRADICTED}\b(?:\D{{0,20}}(\d{{1,3}}))?", re.IGNORECASE)


class ModelJudge:
    """Judge backed by a chat model. `record` stores the tokens of each request and may block."""

    def __init__(self, model: ChatModel, record: Callable[[ModelUsage], None]) -> None:
        self._model = model
        self._record = record

    async def judge(self, sentence: str, passages: Sequence[Excerpt]) -> SentenceJudgment:
        asked = judging(sentence, passages)
        completion = await complete(self._model, asked, max_output_tokens=_MOST_TOKENS)
        await to_thread.run_sync(self._record, completion.usage)
        return judgment_in(completion.text, passages)


def judgment_in(text: str, passages: Sequence[Excerpt]) -> SentenceJudgment:
    """Parse a judgment; unexpected text counts as no contradiction."""
    found = _CONTRADICTED.match(text)
    if found is None:
        return SentenceJudgment(contradicts=False)
    number = int(found[1] or 0)
    passage = passages[number - 1] if 0 < number <= len(passages) else None
    return SentenceJudgment(contradicts=True, passage=passage)
