"""Context for a model: retrieved passages and the text around them."""

from __future__ import annotations

from collections.abc import Iterator

from docstead.assistant.conversation import Question
from docstead.assistant.extractive.evidence import Excerpt
from docstead.assistant.retrieval import RetrievedPassages
from docstead.assistant.tools.library import DocumentationLookup
from docstead.base.errors import NotFound

_MOST_PASSAGES = 20
_MOST_CHARACTERS = 16_000  # about 4,000 tokens in addition to the retrieved passages


def context_for(
    question: Question, found: RetrievedPassages, library: DocumentationLookup
) -> list[Excerpt]:
    """Return the passages for a model. Blocking.

    Retrieved passages are followed by the rest of their sections, the reader's current page, and
    the rest of their pages, as far as they fit.
    """
    context = list(found.excerpts)
    known = {(each.link, each.markdown) for each in context}
    left = _MOST_CHARACTERS
    for each in _around(question, found, library):
        key = (each.link, each.markdown)
        if key in known or len(each.markdown) > left:
            continue
        if len(context) >= _MOST_PASSAGES:
            break
        known.add(key)
        context.append(each)
        left -= len(each.markdown)
    return context


def _around(
    question: Question, found: RetrievedPassages, library: DocumentationLookup
) -> Iterator[Excerpt]:
    pages = {each.slug: _page(library, each.slug) for each in found.passages}
    links = [each.link for each in found.excerpts]
    yield from (
        each for link in links for page in pages.values() for each in page if each.link == link
    )
    if question.current_path:
        yield from _page(library, question.current_path)
    for page in pages.values():
        yield from page


def _page(library: DocumentationLookup, path: str) -> list[Excerpt]:
    try:
        return library.page(path)
    except NotFound:
        return []
