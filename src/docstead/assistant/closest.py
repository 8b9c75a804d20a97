"""The sections that come closest to a question without a direct answer.

They are links in the text and a note, never sources: nothing is claimed to answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from docstead.assistant.events import AnswerData, TextDelta
from docstead.assistant.extractive.evidence import Excerpt, evidence_in
from docstead.assistant.retrieval import RetrievedPassages
from docstead.assistant.section_links import SectionLink, listed, section_link

CLOSEST = "closest"  #: The note with the sections.

_MOST = 3
_LEAST_COVERAGE = 0.2  # share of the question's words that a section has
_LEAST_COSINE = 0.45  # or its nearness in meaning


def closest_sections(found: RetrievedPassages) -> tuple[SectionLink, ...]:
    """At most three, one of a page, best first; none where nothing is near."""
    pages: dict[str, Excerpt] = {}
    for excerpt in found.candidates:
        if _is_near(excerpt, found):
            pages.setdefault(excerpt.link.partition("#")[0], excerpt)
    best = list(pages.values())[:_MOST]
    return tuple(section_link(each, each.markdown, found) for each in best)


def noted(sections: Sequence[SectionLink]) -> AnswerData:
    """The sections for clients, in addition to the text."""
    return AnswerData(CLOSEST, [asdict(each) for each in sections])


def linked(line: str, sections: Sequence[SectionLink]) -> Iterator[TextDelta]:
    """The line that no direct answer was found, and the sections as links."""
    yield TextDelta(f"{line}\n\n")
    yield from listed(sections)


def _is_near(excerpt: Excerpt, found: RetrievedPassages) -> bool:
    if (excerpt.cosine or 0.0) >= _LEAST_COSINE:
        return True
    has_words = bool(found.words)
    return has_words and evidence_in(excerpt, found.words, found.stems).coverage >= _LEAST_COVERAGE
