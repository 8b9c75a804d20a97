"""Suggested questions, derived from headings near an answer or on a page.

They come from the documentation, so each has an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from docstead.assistant.conversation import ReadableEdition
from docstead.assistant.heading_questions import question_of
from docstead.assistant.reader_location import page_at
from docstead.assistant.retrieval import RetrievedPassages
from docstead.markup.words import language_tag
from docstead.search.documents import Passage

MOST = 3
_ENOUGH = 2  # questions after which less related ones are left out
_NEAR = 40  # sections that are looked through
_RELATED, _REMOTE = 0.35, 0.25  # least cosines with the question
_NEARLY_THE_SAME = 0.75  # share of the words of two questions

Heading = tuple[str, str]  # the page's slug, and the text


def follow_ups(edition: ReadableEdition, found: RetrievedPassages, question: str) -> Iterator[str]:
    """Yield at most three questions in the answer's language, by their nearness to the question.

    Where only one section is near, those of the answer's page follow it. Without passages, as
    for an answer from skills only, it yields nothing.
    """
    if not found.passages:
        return
    first = found.passages[0]
    near = [each for each in edition.index.search(question, limit=_NEAR) if _is_like(each, first)]
    groups = [list(_headings_near(near, _RELATED)), list(_headings_near(near, _REMOTE))]
    groups.append([(first.slug, heading) for heading in _headings(edition, first.slug)])
    if first.heading_path:
        answered = first.slug, first.heading_path[-1]
        groups = [[each for each in group if each != answered] for group in groups]
    given: list[str] = []
    for group in groups:
        if len(given) < _ENOUGH:
            most = (_ENOUGH if given else MOST) - len(given)
            given += islice(_questions(edition, group, (question, *given)), most)
    yield from given


def _is_like(one: Passage, other: Passage) -> bool:
    return (one.language, one.version) == (other.language, other.version)


def _headings_near(passages: Iterable[Passage], least: float) -> Iterator[Heading]:
    """Yield headings of sections by nearness; as search has them if that is not known."""
    near = [each for each in passages if each.cosine is None or each.cosine >= least]
    for each in sorted(near, key=lambda each: -(each.cosine or 0.0)):
        if each.heading_path:
            yield each.slug, each.heading_path[-1]


def starters(edition: ReadableEdition, path: str | None) -> tuple[str, ...]:
    """Return at most three questions, by the maintainers or from the page at this path."""
    written = edition.site.assistant.questions
    if written:
        return written[:MOST]
    slug = page_at(edition.site, path) if path else None
    if slug is None or not edition.index.knows(slug):
        return ()
    headings = ((slug, heading) for heading in _headings(edition, slug))
    return tuple(islice(_questions(edition, headings), MOST))


def _headings(edition: ReadableEdition, slug: str) -> list[str]:
    page = edition.page(slug)
    paths = [section.heading_path for section in page.sections if page] if page else []
    return list(dict.fromkeys(path[-1] for path in paths if path))


def _questions(
    edition: ReadableEdition, headings: Iterable[Heading], before: Iterable[str] = ()
) -> Iterator[str]:
    """Yield questions, none in nearly the same words as one before it."""
    stems = edition.index.analyser.terms
    asked = [frozenset(stems(each)) for each in before]
    for slug, heading in headings:
        question = question_of(
            heading,
            names=edition.site.config.name,
            is_english_text=_is_english(edition.site.pages[slug].language),
        )
        words = frozenset(stems(question))
        if words and not any(_are_alike(words, each) for each in asked):
            asked.append(words)
            yield question


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or len(one & other) >= _NEARLY_THE_SAME * len(one | other)


def _is_english(language: str | None) -> bool:
    return language_tag(language).partition("-")[0] == "en"
