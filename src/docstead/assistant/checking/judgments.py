"""Judgments of a second model on sentences, requested while the answer is streamed.

Where there is a judge, it also decides on contradictions that the rules find.

Failure rule: a judge that fails or times out is not used again for the same answer. Then only
the rules decide.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from docstead.assistant.checking.checker import SentenceCheck, SentenceStatus
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.extractive.evidence import Excerpt
from docstead.base.errors import ModelError

_log = logging.getLogger(__name__)

_MOST_CHARACTERS = 20_000  # of the passages per request


@dataclass(frozen=True, slots=True)
class SentenceJudgment:
    """Whether passages contradict a sentence, and which `passage` does, if known.

    `by_rules` is the reason of the rules, which decide without a judge.
    """

    contradicts: bool
    passage: Excerpt | None = None
    by_rules: str = ""

    @property
    def reason(self) -> str:
        if self.by_rules:
            return self.by_rules
        source = f"“{self.passage.name}”" if self.passage else "a passage"
        return f"the judge found that {source} contradicts it"


class SentenceJudge(Protocol):
    """Decides whether passages contradict a sentence."""

    async def judge(self, sentence: str, passages: Sequence[Excerpt]) -> SentenceJudgment:
        """Judge a sentence.

        Raises:
            ModelError: the judge failed.
        """
        ...


@dataclass(frozen=True, slots=True)
class JudgeLimits:
    """Limits per answer. `at_once` and `most` are numbers of sentences."""

    wait_seconds: float = 0.15  # maximum delay of a sentence
    judgment_seconds: float = 10.0
    closing_seconds: float = 3.0  # maximum delay of the end of an answer
    at_once: int = 8
    most: int = 200


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence with the result of the rules.

    `text` is the model's, `claim` the part that is checked, `shown` what readers get.
    """

    text: str
    claim: str
    shown: str
    checked: SentenceCheck

    @property
    def is_questionable(self) -> bool:
        """Whether its facts are known, and it makes a claim in words that no passage contains."""
        status = self.uncontradicted.status
        return (
            status in (SentenceStatus.SUPPORTED, SentenceStatus.UNCITED)
            and not self.uncontradicted.is_quoted
        )

    @property
    def uncontradicted(self) -> SentenceCheck:
        """The result if the judge finds no contradiction."""
        return self.checked.if_unconfirmed or self.checked


@dataclass(frozen=True, slots=True)
class _LateRequest:
    """A request for a sentence that was sent, and the reason of the rules against it, if any."""

    sentence: CheckedSentence
    by_rules: str
    task: asyncio.Task[SentenceJudgment | None]

    @property
    def judgment(self) -> SentenceJudgment:
        """The judge's, or that of the rules if there is none."""
        own = self.task.result() if self.task.done() else None
        return own or SentenceJudgment(bool(self.by_rules), by_rules=self.by_rules)


class SentenceJudgments:
    """Judgments on one answer; none without a judge. `aclose` ends open requests."""

    def __init__(
        self, judge: SentenceJudge | None = None, limits: JudgeLimits | None = None
    ) -> None:
        self._judge = judge
        self._limits = limits or JudgeLimits()
        self._slots = asyncio.Semaphore(self._limits.at_once)
        self._tasks: list[asyncio.Task[SentenceJudgment | None]] = []
        self._late: list[_LateRequest] = []  # sent before they were checked
        self._has_failed = False

    async def in_time(
        self, sentences: Sequence[CheckedSentence], materials: Sequence[ExcerptSpans]
    ) -> list[SentenceCheck]:
        """Return the results; sentences that are contradicted in time become unsupported.

        All sentences together are delayed by at most `wait_seconds`.
        """
        tasks = [self._requested(each, materials) for each in sentences]
        if started := [task for task in tasks if task is not None]:
            await asyncio.wait(started, timeout=self._limits.wait_seconds)
        return [self._result(*pair) for pair in zip(sentences, tasks, strict=True)]

    def late(self) -> list[tuple[CheckedSentence, SentenceJudgment]]:
        """Return the sentences found to be contradicted since the last call."""
        done = [each for each in self._late if each.task.done()]
        self._late = [each for each in self._late if not each.task.done()]
        return _contradicted(done)

    async def last(self) -> list[tuple[CheckedSentence, SentenceJudgment]]:
        """Return the remaining ones at the end of an answer, after a last wait."""
        if self._late:
            tasks = [each.task for each in self._late]
            await asyncio.wait(tasks, timeout=self._limits.closing_seconds)
        remaining, self._late = self._late, []
        return _contradicted(remaining)

    async def aclose(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _requested(
        self, sentence: CheckedSentence, materials: Sequence[ExcerptSpans]
    ) -> asyncio.Task[SentenceJudgment | None] | None:
        is_spent = self._has_failed or len(self._tasks) >= self._limits.most
        if self._judge is None or is_spent or not sentence.is_questionable:
            return None
        passages = _passages(materials, sentence.uncontradicted.material)
        task = asyncio.create_task(self._judgment(self._judge, sentence.claim, passages))
        self._tasks.append(task)
        return task

    def _result(
        self, sentence: CheckedSentence, task: asyncio.Task[SentenceJudgment | None] | None
    ) -> SentenceCheck:
        if task is None:
            return sentence.checked
        if not task.done():
            sent = replace(sentence, checked=sentence.uncontradicted)
            self._late.append(_LateRequest(sent, sentence.checked.reason, task))
            return sentence.uncontradicted
        judgment = task.result()
        if judgment is None:
            return sentence.checked
        if not judgment.contradicts:
            return sentence.uncontradicted
        return SentenceCheck(SentenceStatus.UNSUPPORTED, reason=judgment.reason)

    async def _judgment(
        self, judge: SentenceJudge, claim: str, passages: Sequence[Excerpt]
    ) -> SentenceJudgment | None:
        async with self._slots:
            if self._has_failed:
                return None
            try:
                async with asyncio.timeout(self._limits.judgment_seconds):
                    return await judge.judge(claim, passages)
            except TimeoutError:
                _log.warning("the judge took too long")
            except ModelError as error:
                _log.warning("the judge failed: %s", error.detail)
            except Exception:  # the failure rule: continue without the judge
                _log.exception("the judge failed")
            self._has_failed = True
            return None


def _contradicted(
    requests: Sequence[_LateRequest],
) -> list[tuple[CheckedSentence, SentenceJudgment]]:
    results = [(each.sentence, each.judgment) for each in requests]
    return [(sentence, judgment) for sentence, judgment in results if judgment.contradicts]


def _passages(materials: Sequence[ExcerptSpans], cited: ExcerptSpans | None) -> list[Excerpt]:
    """Return the passages within the limit, and the cited one.

    Their order is the same for all sentences, so that providers can cache the prompt.
    """
    passages: list[Excerpt] = []
    left = _MOST_CHARACTERS
    for material in materials:
        if left > 0 or material is cited:
            markdown = material.excerpt.markdown[:_MOST_CHARACTERS]
            passages.append(replace(material.excerpt, markdown=markdown))
            left -= len(markdown)
    return passages
