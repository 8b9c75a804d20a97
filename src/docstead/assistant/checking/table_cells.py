"""Contradictions by cells of tables that say yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.opposites import says_no
from docstead.assistant.checking.similar_sentences import whole_words
from docstead.assistant.checking.spans import ExcerptSpans, PassageSpan
from docstead.search.analyser import Analyser

_NO = re.compile(r"(?:no|false|✗|✘|❌|✕|not (?:supported|available|included))\.?", re.IGNORECASE)
_YES = re.compile(r"(?:yes|true|✓|✔|✅|☑️?|supported|available|included)\.?", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,;]|\b(?:but|while|whereas|and not)\b")
_ALL = whole_words(r"both|all|every|any|each")


@dataclass(frozen=True, slots=True)
class _AnswerRow:
    words: frozenset[str]  # of what is no answer
    answers: Sequence[tuple[TextFacts, str]]  # names of columns, with yes or no


def denied_by_cell(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> str:
    """Return a contradiction by the only row on the topic of a claim, or ""."""
    if " ; " in claim.text:
        return ""
    spans = (span for material in materials for span in material.spans if span.is_row)
    rows = [row for span in spans if (row := _row(span, claim.analyser))]
    about = [row for row in rows if row.words <= claim.subjects]
    longest = max((len(row.words) for row in about), default=0)
    about = [row for row in about if len(row.words) == longest]
    if len(about) != 1:
        return ""
    return next(_denials(claim, about[0]), "")


def _row(span: PassageSpan, analyser: Analyser) -> _AnswerRow | None:
    pairs = [cell.partition(":")[::2] for cell in span.facts.text.split(" ; ")]
    answers = [(TextFacts(name, analyser), cell.strip()) for name, cell in pairs if _answer(cell)]
    if not answers:
        return None
    rest = " ".join(cell for _, cell in pairs if not _answer(cell))
    words = TextFacts(rest, analyser).subjects
    return _AnswerRow(words, answers) if words else None


def _answer(cell: str) -> bool:
    return bool(_NO.fullmatch(cell.strip()) or _YES.fullmatch(cell.strip()))


def _denials(claim: TextFacts, row: _AnswerRow) -> Iterator[str]:
    """Yield the cells of a row that a clause contradicts, once the claim has named the row."""
    said: frozenset[str] = frozenset()
    for text in _CLAUSE_END.split(claim.text):
        clause = TextFacts(text, claim.analyser)
        said |= clause.subjects
        if row.words <= said:
            yield from _denied(clause, row)


def _denied(clause: TextFacts, row: _AnswerRow) -> Iterator[str]:
    denies, of_all = says_no(clause.text), _ALL.search(clause.text)
    for name, answer in row.answers:
        is_no = bool(_NO.fullmatch(answer))
        is_named = bool(name.word_set) and name.word_set <= clause.word_set
        is_one_of_all = bool(of_all and name.word_set & clause.word_set)
        if is_no and not denies and (is_named or is_one_of_all):
            yield f"{name.text.strip()} is {answer} there"
        if not is_no and clause.denials and is_named and not of_all:
            yield f"{name.text.strip()} is {answer} there"
