"""Proposals for `answers.yaml`, derived from conversations and formatted as YAML."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import yaml

from docstead.assistant.answer_trace import CheckOutcome
from docstead.assistant.conversation import ThreadTurn
from docstead.assistant.expected_answers.reader import FILES
from docstead.assistant.reader_location import page_around, page_at
from docstead.assistant.writing.markdown_units import MarkdownSplitter, UnitKind
from docstead.content.pages import Site

_MOST_FACTS = 3
_QUOTED = re.compile(r"(?:^>.*\n?)+", re.MULTILINE)
_MARK = re.compile(r"^> ?", re.MULTILINE)
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")  # its URL is that of the service
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


def proposed(turn: ThreadTurn, site: Site) -> ProposedAnswer:
    """Return an entry with the pages that an answer cites and the first sentences it quotes."""
    urls = (source.url for source in turn.sources)
    pages = (page_at(site, url) or page_around(site, url) for url in urls)
    facts = list(islice(dict.fromkeys(_facts(turn)), _MOST_FACTS))
    question = " ".join(turn.question.split())
    return ProposedAnswer(question, facts, list(dict.fromkeys(filter(None, pages))))


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
