"""The sections that come closest to a question without a direct answer.

They are links in the text and a note beside it, never sources: nothing is claimed to answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from docstead.assistant.checking.facts import plain
from docstead.assistant.events import Noted, TextDelta
from docstead.assistant.retrieval import Found
from docstead.assistant.writing.fragments import address_of
from docstead.assistant.writing.units import Kind, Units, visible
from docstead.models.evidence import Excerpt, Stems, evidence_in
from docstead.models.extractive import escaped

_MOST = 3
_LEAST_COVERAGE = 0.2  # share of the question's words that a section has
_LEAST_COSINE = 0.45  # or its nearness in meaning
_LONGEST_SENTENCE = 160  # characters
_MARKUP = re.compile(r"([\\`*\[\]<]|(?<!\w)_|_(?!\w))")  # in text that had its own taken off


@dataclass(frozen=True, slots=True)
class ClosestSection:
    """A section with its most fitting sentence. `url` has the section's anchor."""

    title: str
    heading: str
    sentence: str
    url: str


def closest_sections(found: Found) -> tuple[ClosestSection, ...]:
    """At most three, one of a page, best first; none where nothing is near."""
    pages: dict[str, Excerpt] = {}
    for excerpt in found.candidates:
        if _is_near(excerpt, found):
            pages.setdefault(excerpt.link.partition("#")[0], excerpt)
    return tuple(_section(each, found) for each in list(pages.values())[:_MOST])


def noted(sections: Sequence[ClosestSection]) -> Noted:
    """The sections for clients, beside the text."""
    return Noted("closest", [asdict(each) for each in sections])


def linked(line: str, sections: Sequence[ClosestSection]) -> Iterator[TextDelta]:
    """The line that no direct answer was found, and the sections as links."""
    yield TextDelta(f"{line}\n\n")
    for each in sections:
        name = escaped(" › ".join(filter(None, (each.title, each.heading))))
        said = _MARKUP.sub(r"\\\1", each.sentence)
        yield TextDelta(f"- [{name}]({each.url}){': ' if said else ''}{said}\n")


def _is_near(excerpt: Excerpt, found: Found) -> bool:
    if (excerpt.cosine or 0.0) >= _LEAST_COSINE:
        return True
    has_words = bool(found.words)
    return has_words and evidence_in(excerpt, found.words, found.stems).coverage >= _LEAST_COVERAGE


def _section(excerpt: Excerpt, found: Found) -> ClosestSection:
    markdown = _fitting(excerpt.markdown, found.stems(found.asked), found.stems)
    sentence = " ".join(visible(plain(markdown)).split())
    url = address_of(excerpt.link, markdown) if markdown else excerpt.link
    return ClosestSection(excerpt.title, " › ".join(excerpt.heading_path), _short(sentence), url)


def _fitting(markdown: str, asked: frozenset[str], stems: Stems) -> str:
    """The sentence that has most words of the question; the first of several."""
    units = Units()
    sentences = [
        each.text for each in (*units.add(markdown), *units.rest()) if each.kind is Kind.PROSE
    ]
    return max(sentences, key=lambda each: len(asked & stems(each)), default="")


def _short(text: str) -> str:
    if len(text) <= _LONGEST_SENTENCE:
        return text
    return f"{text[:_LONGEST_SENTENCE].rpartition(' ')[0] or text[:_LONGEST_SENTENCE]}…"
