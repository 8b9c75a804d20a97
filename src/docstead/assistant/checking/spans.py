"""Spans of a passage that can support a sentence: sentences, items, rows and code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from docstead.assistant.checking.facts import TextFacts, by_beginning, plain
from docstead.assistant.checking.read_tables import TableRow
from docstead.assistant.extractive.evidence import Excerpt
from docstead.assistant.writing.markdown_units import MarkdownSplitter, MarkdownUnit, UnitKind
from docstead.assistant.writing.table_rows import cells, is_rule, read_rows
from docstead.search.analyser import Analyser

MOST_SPANS = 3  #: Of one window.
_COMMENT = re.compile(r"^\s*(?:#|//)\s?(.*)$", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class PassageSpan:
    """A part of a passage. `quote` is its displayed text, in one line."""

    facts: TextFacts
    quote: str
    markdown: str
    is_prose: bool = True  # words are in their natural order
    is_row: bool = False  # of a table
    cells: tuple[tuple[str, str], ...] = ()  # of a row, with the names of their columns


@dataclass(frozen=True, slots=True)
class SpanWindow:
    """Neighboring spans that are read together."""

    facts: TextFacts
    spans: tuple[PassageSpan, ...]


class ExcerptSpans:
    """An excerpt, split into spans once for all sentences."""

    def __init__(self, excerpt: Excerpt, analyser: Analyser) -> None:
        self.excerpt = excerpt
        self.context = TextFacts(" . ".join((excerpt.title, *excerpt.heading_path)), analyser)
        self.spans = tuple(_spans(excerpt.markdown, analyser))
        self.whole = TextFacts(excerpt.markdown, analyser)
        self._windows: dict[tuple[int, int], SpanWindow] = {}
        self.sentences = tuple(self._sentences(analyser))

    @cached_property
    def spans_with(self) -> Mapping[str, Sequence[int]]:
        """The positions of the spans with each word."""
        found: dict[str, list[int]] = {}
        for position, span in enumerate(self.spans):
            for word in span.facts.word_set:
                found.setdefault(word, []).append(position)
        return found

    @cached_property
    def word_beginnings(self) -> Mapping[str, Sequence[str]]:
        """The words of all spans by prefix."""
        return by_beginning(self.spans_with)

    @cached_property
    def rows(self) -> Sequence[TableRow]:
        """The rows of tables."""
        analyser = self.whole.analyser
        return [
            TableRow(
                [(TextFacts(n, analyser), TextFacts(cell, analyser)) for n, cell in span.cells]
            )
            for span in self.spans
            if span.is_row
        ]

    def _sentences(self, analyser: Analyser) -> Iterator[TextFacts]:
        """Yield headings, prose, rows, and comments in code."""
        yield from (TextFacts(heading, analyser) for heading in self.excerpt.heading_path)
        for span in self.spans:
            if span.is_prose or span.is_row:
                yield span.facts
            else:
                comments = " ".join(line[1] for line in _COMMENT.finditer(span.facts.text))
                yield from (TextFacts(each, analyser) for each in _SENTENCE_END.split(comments))

    def window(self, start: int, size: int) -> SpanWindow:
        """Return neighboring spans, joined once."""
        if (start, size) not in self._windows:
            spans = self.spans[start : start + size]
            facts = spans[0].facts if size == 1 else _joined(spans, self.whole.analyser)
            self._windows[start, size] = SpanWindow(facts, spans)
        return self._windows[start, size]


def _joined(spans: tuple[PassageSpan, ...], analyser: Analyser) -> TextFacts:
    return TextFacts("\n".join(span.facts.source for span in spans), analyser)


def _spans(markdown: str, analyser: Analyser) -> Iterator[PassageSpan]:
    units = MarkdownSplitter()
    for unit in (*units.add(markdown), *units.rest()):
        yield from _span(unit, analyser)


def _span(unit: MarkdownUnit, analyser: Analyser) -> Iterator[PassageSpan]:
    if unit.kind is UnitKind.BREAK:
        return
    if unit.kind is UnitKind.TABLE:
        yield from _rows(unit.text, analyser)
    elif unit.kind is UnitKind.FENCE:
        code = "\n".join(unit.text.strip().splitlines()[1:-1])
        yield PassageSpan(
            TextFacts(f"`` {code} ``", analyser), _line(code), unit.text, is_prose=False
        )
    else:
        facts = TextFacts(unit.text, analyser)
        yield PassageSpan(facts, _line(facts.text), unit.text)


def _rows(table: str, analyser: Analyser) -> Iterator[PassageSpan]:
    """Yield each row with the names of its columns."""
    lines = table.splitlines()
    header, *rows = read_rows(lines)
    for line, row in zip(lines[1:], rows, strict=True):
        if is_rule(row):
            continue
        named = [f"{name}: {cell}" for name, cell in zip(header, row, strict=False)]
        markdown = f"| |\n| {' | '.join(cells(line))} |"
        yield PassageSpan(
            TextFacts(" ; ".join(named), analyser),
            _line(plain(row[0])),
            markdown,
            False,
            is_row=True,
            cells=tuple(zip(header, row, strict=False)),
        )


def _line(text: str) -> str:
    return " ".join(text.split())
