"""The places of a passage that can support a sentence: its own sentences, items, rows, code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docstead.assistant.checking.facts import Facts, plain
from docstead.assistant.extractive.evidence import Excerpt
from docstead.assistant.writing.rows import cells, is_rule, read_rows
from docstead.assistant.writing.units import Kind, Unit, Units
from docstead.search.words import Analyser

_MOST_SPANS = 3  # of one window
_COMMENT = re.compile(r"^\s*(?:#|//)\s?(.*)$", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a passage. `quote` is what readers find on the page, in one line of text."""

    facts: Facts
    quote: str
    markdown: str
    is_prose: bool = True  # words follow one another as they are meant
    is_row: bool = False  # of a table


@dataclass(frozen=True, slots=True)
class Window:
    """Neighbouring spans that are read together."""

    facts: Facts
    spans: tuple[Span, ...]


class Material:
    """An excerpt, cut into spans once for all sentences that are held against it."""

    def __init__(self, excerpt: Excerpt, analyser: Analyser) -> None:
        self.excerpt = excerpt
        self.context = Facts(" . ".join((excerpt.title, *excerpt.heading_path)), analyser)
        self.spans = tuple(_spans(excerpt.markdown, analyser))
        self.whole = Facts(excerpt.markdown, analyser)
        self.windows = tuple(self._windows(analyser))
        self.sentences = tuple(self._sentences(analyser))

    def _sentences(self, analyser: Analyser) -> Iterator[Facts]:
        """Yield headings, prose, rows, and the comments of code."""
        yield from (Facts(heading, analyser) for heading in self.excerpt.heading_path)
        for span in self.spans:
            if span.is_prose or span.is_row:
                yield span.facts
            else:
                comments = " ".join(line[1] for line in _COMMENT.finditer(span.facts.text))
                yield from (Facts(each, analyser) for each in _SENTENCE_END.split(comments))

    def _windows(self, analyser: Analyser) -> Iterator[Window]:
        for size in range(1, _MOST_SPANS + 1):
            for start in range(len(self.spans) - size + 1):
                spans = self.spans[start : start + size]
                facts = spans[0].facts if size == 1 else _joined(spans, analyser)
                yield Window(facts, spans)


def _joined(spans: tuple[Span, ...], analyser: Analyser) -> Facts:
    return Facts("\n".join(span.facts.source for span in spans), analyser)


def _spans(markdown: str, analyser: Analyser) -> Iterator[Span]:
    units = Units()
    for unit in (*units.add(markdown), *units.rest()):
        yield from _span(unit, analyser)


def _span(unit: Unit, analyser: Analyser) -> Iterator[Span]:
    if unit.kind is Kind.BREAK:
        return
    if unit.kind is Kind.TABLE:
        yield from _rows(unit.text, analyser)
    elif unit.kind is Kind.FENCE:
        code = "\n".join(unit.text.strip().splitlines()[1:-1])
        yield Span(Facts(f"`` {code} ``", analyser), _line(code), unit.text, is_prose=False)
    else:
        yield Span(Facts(unit.text, analyser), _line(plain(unit.text)), unit.text)


def _rows(table: str, analyser: Analyser) -> Iterator[Span]:
    """Each row, read with the names of its columns."""
    lines = table.splitlines()
    header, *rows = read_rows(lines)
    for line, row in zip(lines[1:], rows, strict=True):
        if is_rule(row):
            continue
        named = [f"{name}: {cell}" for name, cell in zip(header, row, strict=False)]
        alone = f"| |\n| {' | '.join(cells(line))} |"
        yield Span(
            Facts(" ; ".join(named), analyser), _line(plain(row[0])), alone, False, is_row=True
        )


def _line(text: str) -> str:
    return " ".join(text.split())
