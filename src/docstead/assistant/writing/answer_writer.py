"""Writer of a model's answer: checked, cited and sanitized, sentence by sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

from anyio import to_thread

from docstead.assistant.answer_trace import CheckOutcome, TraceCheck, check
from docstead.assistant.checking.checker import Checker, SentenceCheck, SentenceStatus
from docstead.assistant.checking.facts import CODE_SPAN
from docstead.assistant.checking.judgments import (
    CheckedSentence,
    SentenceJudgment,
    SentenceJudgments,
)
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.conversation import AnswerSource
from docstead.assistant.events import AnswerData, SourceFound, TextDelta
from docstead.assistant.passage_store import PassageStore
from docstead.assistant.writing.fragments import fragment_url
from docstead.assistant.writing.markdown_units import (
    LONGEST_SENTENCE,
    MarkdownSplitter,
    MarkdownUnit,
    UnitKind,
)
from docstead.assistant.writing.reply_formats import says_nothing
from docstead.assistant.writing.rule_text import RuleText
from docstead.assistant.writing.sanitizer import MarkdownSanitizer
from docstead.assistant.writing.sentence_forms import needs_no_citation, without_connective
from docstead.assistant.writing.table_rows import read_rows
from docstead.assistant.writing.time_slices import TimeSlicer

_MARK = re.compile(r"[ \t]*(?:\[|【)\^?(\d+(?:[ \t]*[,;][ \t]*\^?\d+)*)(?:†[^】]*)?(?:\]|】)(?!\()")
_LINK = re.compile(r"\]\(<?([^()\s<>]+)>?\)")
_FLAG = " *(not confirmed by the documentation)*"
_MUCH = 1 / 3
_CUT_END = re.compile(r"[.!?…:。！？|`)\]*_\"'”’]\s*\Z")


_OK = SentenceStatus.SUPPORTED
_REFUTED = (CheckOutcome.DROPPED, CheckOutcome.FLAGGED, CheckOutcome.CONTRADICTED)


class SentencePolicy(StrEnum):
    """Treatment of sentences with unknown facts or contradictions."""

    DROP = "drop"
    FLAG = "flag"
    OFF = "off"


#: Name of the data part about a sentence that was contradicted after it was sent.
CONTRADICTED = "contradicted"

Said = SourceFound | TextDelta | TraceCheck | AnswerData


class AnswerWriter:
    """Writes one answer. `rules` must not be repeated to readers."""

    def __init__(
        self,
        checker: Checker,
        sanitizer: MarkdownSanitizer,
        passage_store: PassageStore,
        *,
        question: str,
        policy: SentencePolicy = SentencePolicy.DROP,
        rules: str = "",
        judgments: SentenceJudgments | None = None,
    ) -> None:
        self._checker = checker
        self._judgments = judgments or SentenceJudgments()
        self._sanitizer = sanitizer
        self._passage_store = passage_store
        self._question = question
        self._policy = policy
        self._rules = RuleText(rules)
        self._turns = TimeSlicer()
        self._units = MarkdownSplitter(by_word=policy is SentencePolicy.OFF)
        self._numbers: dict[str, int] = {}  # numbers of sources, by link, in citation order
        self._fresh: list[SourceFound] = []  # sources of pending text
        self._leading: list[MarkdownUnit] = []  # text that needs what follows it
        self._lead = ""  # list mark of a removed sentence
        self._is_after_removed = False
        self._checks: list[TraceCheck] = []  # checks of pending text
        self._counts: Counter[CheckOutcome] = Counter()
        self.has_said = False

    @property
    def supported(self) -> int:
        """Number of supported sentences."""
        return self._counts[CheckOutcome.SUPPORTED]

    @property
    def unsupported(self) -> int:
        return sum(self._counts[each] for each in _REFUTED)

    @property
    def has_lost(self) -> bool:
        """Whether anything was removed because of its content."""
        return self._counts[CheckOutcome.DROPPED] > 0

    @property
    def has_lost_much(self) -> bool:
        """Whether more than a third of the claims were removed."""
        dropped = self._counts[CheckOutcome.DROPPED]
        kept = self._counts[CheckOutcome.SUPPORTED] + self._counts[CheckOutcome.UNCITED]
        return dropped > _MUCH * (dropped + kept)

    @property
    def has_cited(self) -> bool:
        return bool(self._numbers)

    async def add(self, text: str) -> AsyncIterator[Said]:
        for unit in self._units.add(text):
            async for said in self._written(unit):
                yield said
            for marked in self._marked_late(self._judgments.late()):
                yield marked
            await self._turns.give()

    async def end(self, *, is_cut: bool = False) -> AsyncIterator[Said]:
        """Yield the rest, without the incomplete sentence of a truncated answer."""
        for unit in self._units.rest():
            if is_cut and unit.kind is UnitKind.PROSE and not _CUT_END.search(unit.text):
                continue
            async for said in self._written(unit):
                yield said
        if self._policy is SentencePolicy.OFF and self._leading:
            yield TextDelta("".join(unit.markdown for unit in self._leading))
        for marked in self._marked_late(await self._judgments.last()):
            yield marked

    async def refusal(self, text: str) -> str:
        """Return the first sentence of a refusal, sanitized, or "" if it must not be sent."""
        units = MarkdownSplitter()
        prose = (u for u in (*units.add(text.strip()), *units.rest()) if u.kind is UnitKind.PROSE)
        unit = next(prose, None)
        if unit is None or self._is_echo(unit.text):
            return ""
        bare, _ = _without_marks(unit)
        passage_store, question = self._passage_store, self._question
        refuses = self._checker.refuses(
            bare.text, passage_store.materials, question, passage_store.known
        )
        return (await self._safe(bare)).text.strip() if refuses else ""

    async def _written(self, unit: MarkdownUnit) -> AsyncIterator[Said]:
        if unit.kind is UnitKind.BREAK:
            if self.has_said or self._leading:
                self._leading.append(unit)
            self._lead = ""
            return
        if self._lead and not unit.lead:
            unit = replace(unit, lead=self._lead)
        self._lead = ""
        if self._is_after_removed and unit.kind is UnitKind.PROSE:
            unit = replace(unit, text=without_connective(unit.text))
        kept = await self._kept(unit)
        self._is_after_removed = kept is None
        for each in self._taken_checks():
            yield each
        if kept is None:
            self._lead = "" if unit.tail.endswith("\n") else unit.lead
        elif self._introduces(kept):
            self._leading.append(kept)
        else:
            for source in self._fresh:
                yield source
            yield TextDelta("".join(each.markdown for each in (*self._leading, kept)))
            self._fresh, self._leading, self.has_said = [], [], True

    def _taken_checks(self) -> list[TraceCheck]:
        taken, self._checks = self._checks, []
        return taken

    def _introduces(self, unit: MarkdownUnit) -> bool:
        """Report whether a unit needs what follows it: a heading, or a sentence with a colon."""
        if self._policy is SentencePolicy.OFF or self._fresh:
            return False
        return unit.kind is UnitKind.HEADING or unit.text.rstrip("*_ ").endswith(":")

    async def _kept(self, unit: MarkdownUnit) -> MarkdownUnit | None:
        """Return the unit as it may be shown, or None."""
        bare, numbers = _without_marks(unit)
        is_empty = not bare.text.strip() or (
            bare.kind is UnitKind.PROSE
            and says_nothing(bare.text, self._question, points=bool(numbers))
        )
        if is_empty or self._is_echo(bare.text):
            return None
        if self._policy is SentencePolicy.OFF:
            cited = self._passage_store.cited(numbers)
            safe = await self._safe(bare)
            return self._marked(safe, [SentenceCheck(_OK, each) for each in cited])
        match bare.kind:
            case UnitKind.FENCE:
                return await self._code(bare)
            case UnitKind.TABLE:
                return await self._table(bare, numbers)
            case UnitKind.HEADING:
                known = self._checker.heading(
                    bare.text,
                    self._passage_store.materials,
                    self._question,
                    self._passage_store.known,
                )
                return self._sanitizer.safe(bare) if known else None
            case _:
                return await self._sentence(bare, numbers)

    async def _safe(self, unit: MarkdownUnit) -> MarkdownUnit:
        """Sanitize a unit, in a thread if it takes long."""
        if len(unit.text) <= LONGEST_SENTENCE:
            return self._sanitizer.safe(unit)
        return await to_thread.run_sync(self._sanitizer.safe, unit)

    async def _sentence(self, unit: MarkdownUnit, numbers: Sequence[int]) -> MarkdownUnit | None:
        cited = [
            *self._passage_store.cited(numbers),
            *self._passage_store.at(_LINK.findall(unit.text)),
        ]
        safe = self._sanitizer.safe(unit)
        by_rules = await self._by_rules(unit.text, cited)
        [checked] = await self._with_judgments(
            [CheckedSentence(unit.text, unit.text, safe.text, by_rules)]
        )
        if checked.is_kept:
            is_cited = bool(numbers) or not needs_no_citation(unit.text)
            return self._marked(safe, [checked]) if is_cited else safe
        return (
            None if self._policy is SentencePolicy.DROP else replace(safe, text=safe.text + _FLAG)
        )

    async def _by_rules(self, claim: str, cited: Sequence[ExcerptSpans]) -> SentenceCheck:
        return await self._checker.sentence(
            claim, self._passage_store.materials, cited, self._question, self._passage_store.known
        )

    async def _with_judgments(self, sentences: Sequence[CheckedSentence]) -> list[SentenceCheck]:
        """Return the results of rules and, if in time, the judge, and record them."""
        results = await self._judgments.in_time(sentences, self._passage_store.materials)
        for sentence, checked in zip(sentences, results, strict=True):
            self._note(sentence.text, checked)
        return results

    def _marked_late(
        self, contradicted: Sequence[tuple[CheckedSentence, SentenceJudgment]]
    ) -> Iterator[Said]:
        """Yield data parts about sentences that were contradicted after they were sent."""
        for sentence, judgment in contradicted:
            self._counts[self._outcome(sentence.checked)] -= 1
            self._counts[CheckOutcome.CONTRADICTED] += 1
            link = judgment.passage.link if judgment.passage else ""
            title = judgment.passage.name if judgment.passage else ""
            yield check(sentence.text, CheckOutcome.CONTRADICTED, link, "", judgment.reason)
            yield AnswerData(
                CONTRADICTED, {"sentence": sentence.shown, "title": title, "url": link}
            )

    def _note(self, text: str, checked: SentenceCheck) -> None:
        outcome = self._outcome(checked)
        self._counts[outcome] += 1
        url = _source_url(checked) if checked.material else ""
        quote = checked.span.quote if checked.span else ""
        self._checks.append(check(text, outcome, url, quote, checked.reason))

    def _outcome(self, checked: SentenceCheck) -> CheckOutcome:
        match checked.status:
            case SentenceStatus.SUPPORTED:
                return CheckOutcome.SUPPORTED
            case SentenceStatus.CONNECTIVE:
                return CheckOutcome.CONNECTIVE
            case SentenceStatus.UNCITED:
                return CheckOutcome.UNCITED
            case SentenceStatus.UNSUPPORTED:
                return (
                    CheckOutcome.FLAGGED
                    if self._policy is SentencePolicy.FLAG
                    else CheckOutcome.DROPPED
                )

    async def _code(self, unit: MarkdownUnit) -> MarkdownUnit | None:
        safe = await self._safe(unit)
        code = "\n".join(unit.text.strip().splitlines()[1:-1])
        checked = await to_thread.run_sync(self._checker.code, code, self._passage_store.materials)
        self._note(code, checked)
        if checked.is_kept:
            self._number(checked)  # its source, because a mark cannot be part of code
            return safe
        if self._policy is SentencePolicy.DROP:
            return None
        return replace(safe, text=f"{safe.text}\n{_FLAG.strip()}\n\n")

    async def _table(self, unit: MarkdownUnit, numbers: Sequence[int]) -> MarkdownUnit | None:
        """Return the supported rows of a table, with sources below."""
        lines = [line for line in unit.text.splitlines() if line.strip()]
        cited = self._passage_store.cited(numbers)
        rows = []
        header, *read = read_rows(lines)
        for line, row in zip(lines[2:], read[1:], strict=True):
            claim = _row_text(header, row)
            rows.append(CheckedSentence(line, claim, line, await self._by_rules(claim, cited)))
        kept: list[str] = []
        checks: list[SentenceCheck] = []
        for line, checked in zip(lines[2:], await self._with_judgments(rows), strict=True):
            if checked.is_kept or self._policy is SentencePolicy.FLAG:
                kept.append(line if checked.is_kept else f"{line.rstrip().rstrip('|')}{_FLAG} |")
                checks.append(checked)
        if not kept:
            return None
        safe = await self._safe(replace(unit, text="\n".join([*lines[:2], *kept]) + "\n"))
        marks = "".join(self._marks(checks)).strip()
        return replace(safe, text=f"{safe.text}{marks}\n\n") if marks else safe

    def _marked(self, unit: MarkdownUnit, checks: Iterable[SentenceCheck]) -> MarkdownUnit:
        marks = "".join(self._marks(checks))
        if unit.kind is UnitKind.FENCE or not marks:
            return unit
        return replace(unit, text=unit.text + marks)

    def _marks(self, checks: Iterable[SentenceCheck]) -> list[str]:
        """Return links with the numbers of the sources, each once."""
        links = {number: _source_url(each) for each in checks if (number := self._number(each))}
        return [f" [{number}]({url})" for number, url in links.items()]

    def _number(self, checked: SentenceCheck) -> int:
        """Return the number of a sentence's source, new or known; 0 for none."""
        excerpt = checked.material.excerpt if checked.material else None
        if excerpt is None or not excerpt.link:
            return 0
        if excerpt.link not in self._numbers:
            self._numbers[excerpt.link] = len(self._numbers) + 1
            source = AnswerSource(id=excerpt.link, url=_source_url(checked), title=excerpt.name)
            self._fresh.append(SourceFound(source))
        return self._numbers[excerpt.link]

    def repeats_rules(self, text: str) -> bool:
        """Report whether a text repeats a part of the rules, also backwards."""
        return self._rules.is_repeated_in(text)

    def _is_echo(self, text: str) -> bool:
        is_echo = self.repeats_rules(text)
        if is_echo:
            self._checks.append(check("", CheckOutcome.DROPPED, "", "", "it repeated our rules"))
        return is_echo


def _source_url(checked: SentenceCheck) -> str:
    assert checked.material is not None  # noqa: S101 - what has a number has its material
    link = checked.material.excerpt.link
    return fragment_url(link, checked.span.markdown) if checked.span else link


def _without_marks(unit: MarkdownUnit) -> tuple[MarkdownUnit, list[int]]:
    """Return the unit without citation marks, and their numbers. Code is unchanged."""
    if unit.kind is UnitKind.FENCE:
        return unit, []
    numbers: list[int] = []

    def taken(text: str) -> str:
        for mark in _MARK.finditer(text):
            numbers.extend(int(digits) for digits in re.findall(r"\d{1,6}", mark[1]))
        return _MARK.sub("", text)

    text, position = "", 0
    for code in CODE_SPAN.finditer(unit.text):
        text += taken(unit.text[position : code.start()]) + code[0]
        position = code.end()
    return replace(unit, text=text + taken(unit.text[position:])), numbers


def _row_text(header: Sequence[str], row: Sequence[str]) -> str:
    """Return a row with the names of its columns, as rows of passages are read."""
    return " ; ".join(f"{name}: {cell}" for name, cell in zip(header, row, strict=False))
