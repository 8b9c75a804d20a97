"""The closest sections for a question without a direct answer.

They are links in the text and a data part, but not sources: they do not claim to answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from docstead.assistant.events import AnswerData, TextDelta
from docstead.assistant.extractive.evidence import Excerpt, evidence_in
from docstead.assistant.retrieval import RetrievedPassages
from docstead.assistant.section_links import SectionLink, listed, section_link

CLOSEST = "closest"  #: Name of the data part with the sections.

_MOST = 3
_LEAST_COVERAGE = 0.2  # fraction of the question's words
_LEAST_COSINE = 0.45  # or semantic similarity
_LEAST_RELATED = 0.25  # minimum similarity of sections that have those words, if it is known


def closest_sections(found: RetrievedPassages) -> tuple[SectionLink, ...]:
    """Return at most three sections from different pages, best first."""
    pages: dict[str, Excerpt] = {}
    for excerpt in found.candidates:
        if _is_near(excerpt, found):
            pages.setdefault(excerpt.link.partition("#")[0], excerpt)
    best = list(pages.values())[:_MOST]
    return tuple(section_link(each, each.markdown, found) for each in best)


def noted(sections: Sequence[SectionLink]) -> AnswerData:
    """Return the sections as a data part."""
    return AnswerData(CLOSEST, [asdict(each) for each in sections])


def linked(line: str, sections: Sequence[SectionLink]) -> Iterator[TextDelta]:
    """Yield the notice that there is no direct answer, and links to the sections."""
    yield TextDelta(f"{line}\n\n")
    yield from listed(sections)


def _is_near(excerpt: Excerpt, found: RetrievedPassages) -> bool:
    if (excerpt.cosine or 0.0) >= _LEAST_COSINE:
        return True
    # Of a question that was translated in part, a word in common may be a chance.
    least = _LEAST_RELATED if found.is_understood else _LEAST_COSINE
    is_unrelated = excerpt.cosine is not None and excerpt.cosine < least
    if is_unrelated or not _has_word(excerpt, found):
        return False
    return evidence_in(excerpt, found.words, found.stems).coverage >= _LEAST_COVERAGE


def _has_word(excerpt: Excerpt, found: RetrievedPassages) -> bool:
    """Report whether a word or a synonym occurs; near-synonyms are too vague."""
    stems = found.stems(excerpt.name) | found.stems(excerpt.markdown)
    return any(not stems.isdisjoint((*word.stems, *word.also)) for word in found.words)
