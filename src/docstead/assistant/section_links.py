"""One-line summaries of sections: a link, and the sentence that fits a question best."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docstead.assistant.checking.facts import plain
from docstead.assistant.events import TextDelta
from docstead.assistant.extractive.evidence import Excerpt, share_of
from docstead.assistant.extractive.quotable_blocks import quotable
from docstead.assistant.extractive.quotes import escaped, is_pointer
from docstead.assistant.retrieval import RetrievedPassages
from docstead.assistant.writing.fragments import fragment_url
from docstead.assistant.writing.markdown_units import MarkdownSplitter, UnitKind, visible
from docstead.search.chunks import blocks

_LONGEST_SENTENCE = 120  # characters
_SHORTEST_SENTENCE = 5  # minimum words of a sentence, not a label
_LENGTH_PENALTY = 0.012  # per word, so that the shorter of equals wins
_COLON = re.compile(r"[:：]\s*\Z")
_MARKUP = re.compile(r"([\\`*\[\]<]|(?<!\w)_|_(?!\w))")  # in text whose own marks were removed


@dataclass(frozen=True, slots=True)
class SectionLink:
    """A section with its best sentence. `url` contains the section's anchor."""

    title: str
    heading: str
    sentence: str
    url: str


def section_link(excerpt: Excerpt, markdown: str, found: RetrievedPassages) -> SectionLink:
    """Return the link of an excerpt with the best sentence of `markdown`, a part of it."""
    fitting = _fitting(markdown, found)
    sentence = " ".join(visible(plain(fitting)).split())
    url = fragment_url(excerpt.link, fitting) if fitting else excerpt.link
    return SectionLink(excerpt.title, " › ".join(excerpt.heading_path), _short(sentence), url)


def listed(links: Iterable[SectionLink]) -> Iterator[TextDelta]:
    """Yield a list with one item per section."""
    for each in links:
        name = escaped(" › ".join(filter(None, (each.title, each.heading))))
        said = _MARKUP.sub(r"\\\1", each.sentence)
        yield TextDelta(f"- [{name}]({each.url}){': ' if said else ''}{said}\n")


def _fitting(markdown: str, found: RetrievedPassages) -> str:
    """Return the first sentence with the best coverage of the question, or "".

    Of a section without sentences, which only introduces code or a list, it is an introduction.
    """
    units = MarkdownSplitter()
    text = "\n\n".join(quotable(blocks(markdown)))
    prose = [each.text for each in (*units.add(text), *units.rest()) if each.kind is UnitKind.PROSE]
    said = list(filter(_is_said, prose))
    whole = [each for each in said if not _COLON.search(plain(each))]
    return max(whole or said, key=lambda each: _weight(each, found), default="")


def _is_said(text: str) -> bool:
    """Report whether a text is neither a label nor a pointer to another page."""
    return len(plain(text).split()) >= _SHORTEST_SENTENCE and not is_pointer(text)


def _weight(sentence: str, found: RetrievedPassages) -> float:
    stems = found.stems(sentence)
    weight = share_of(found.words, stems)
    return weight - _LENGTH_PENALTY * len(sentence.split())


def _short(text: str) -> str:
    text = _COLON.sub("…", text)
    if len(text) <= _LONGEST_SENTENCE:
        return text
    return f"{text[:_LONGEST_SENTENCE].rpartition(' ')[0] or text[:_LONGEST_SENTENCE]}…"
