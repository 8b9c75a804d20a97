"""Proposals for `answers.yaml`, derived from conversations and formatted as YAML."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

import yaml

from docstead.assistant.answer_trace import CheckOutcome
from docstead.assistant.conversation import ThreadTurn
from docstead.assistant.expected_answers.reader import FILES
from docstead.assistant.extractive.evidence import Stems
from docstead.assistant.reader_location import page_around, page_at
from docstead.assistant.writing.markdown_units import MarkdownSplitter, UnitKind
from docstead.content.pages import Site

_MOST_FACTS = 3
_QUOTED = re.compile(r"(?:^>.*\n?)+", re.MULTILINE)
_MARK = re.compile(r"^> ?", re.MULTILINE)
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")  # its URL is that of the service
_LEAD = re.compile(
    r"(?:in|throughout|on) (?:this|the following|our) "
    r"(?:article|chapter|document|example|guide|page|section|tutorial)\b"
    r"|this (?:article|chapter|document|guide|page|section|tutorial) "
    r"|(?:for (?:example|instance|more|further|full)|e\.g\.|see|learn (?:about|how|more)|let's"
    r"|you(?:'ll| will) learn|click here|read more|note that)\b",
    re.IGNORECASE,
)
_LINE_WIDTH = 96


@dataclass(frozen=True, slots=True)
class ProposedAnswer:
    """A proposed entry. `pages` are slugs."""

    question: str
    facts: Sequence[str]
    pages: Sequence[str]

    def as_yaml(self) -> str:
        """Return the entry as a YAML list item."""
        entry = {"question": self.question, "facts": [*self.facts], "pages": [*self.pages]}
        shown = {key: value for key, value in entry.items() if value}
        return yaml.safe_dump([shown], allow_unicode=True, sort_keys=False, width=_LINE_WIDTH)


def proposed(turn: ThreadTurn, site: Site, stems: Stems) -> ProposedAnswer:
    """Return an entry with the pages that an answer cites and facts that it quotes.

    Facts are the sentences with most words of the question, in their order. If no sentence has
    any, as for a question in another language, it is the first one.
    """
    urls = (source.url for source in turn.sources)
    pages = (page_at(site, url) or page_around(site, url) for url in urls)
    question = " ".join(turn.question.split())
    facts = [fact for fact in dict.fromkeys(_facts(turn)) if not _LEAD.match(fact)]
    words = stems(question)
    best = sorted(facts, key=lambda fact: -len(words & stems(fact)))[:_MOST_FACTS]
    shared = [fact for fact in facts if fact in best and words & stems(fact)]
    return ProposedAnswer(question, shared or facts[:1], list(dict.fromkeys(filter(None, pages))))


def file_for(files: Container[str]) -> tuple[str, bool]:
    """Return the path for new entries, and whether the file exists."""
    existing = next((name for name in FILES if name in files), None)
    return existing or FILES[0], existing is not None


def _facts(turn: ThreadTurn) -> Iterator[str]:
    """Yield quoted text that supports the answer."""
    for check in turn.trace.checks:
        if check.outcome is CheckOutcome.SUPPORTED and check.quote:
            yield " ".join(check.quote.split())
    if quote := _QUOTED.search(turn.answer):
        units = MarkdownSplitter()
        for each in (*units.add(_MARK.sub("", quote[0])), *units.rest()):
            fact = " ".join(_LINK.sub(r"\1", each.text).split())
            if each.kind is UnitKind.PROSE and not fact.endswith(":"):
                yield fact
