"""Checks of expected answers against an edition, by words, without vectors and model."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import cache

from docstead.assistant.conversation import ConversationMessage, Question, ReadableEdition, Speaker
from docstead.assistant.expected_answers.reader import ExpectedAnswer
from docstead.assistant.expected_answers.statements import StatedFacts
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.reader_location import page_at
from docstead.assistant.retrieval import Retrieval
from docstead.repository.nearest import NearestPages
from docstead.repository.positions import Diagnostics

_ANY_SITE = "https://localhost"  # links are not displayed
_MOST_SECONDS = 120  # processor time, less than half of what a build may take


def check_expected_answers(
    entries: Iterable[ExpectedAnswer], edition: ReadableEdition, diagnostics: Diagnostics
) -> None:
    """Add a diagnostic for each page, question and fact that is no longer correct."""
    checks = _EntryChecks(edition, diagnostics)
    end = time.process_time() + _MOST_SECONDS
    for entry in entries:
        if time.process_time() > end:
            message = f"checking took {_MOST_SECONDS} seconds; further entries are not checked"
            hint = "Shorten the file, or the pages of its facts."
            diagnostics.warning(entry.question.position, "answers-limit", message, hint)
            return
        checks.check(entry)


class _EntryChecks:
    def __init__(self, edition: ReadableEdition, diagnostics: Diagnostics) -> None:
        self._edition = edition
        self._site = edition.site
        self._diagnostics = diagnostics
        self._retrieval = Retrieval(edition.index, edition.site, AbsoluteLinks(_ANY_SITE))
        self._nearest = NearestPages(edition.site.pages)
        self._statements = cache(self._statements_of)
        groups = {group for page in edition.site.pages.values() for group in page.groups}
        self._groups = tuple(sorted(groups))

    def check(self, entry: ExpectedAnswer) -> None:
        slugs = self._pages(entry)
        if not slugs:
            return
        if not self._found(entry.question.text, slugs[0]).intersection(slugs):
            message = f"the question finds none of its pages: {entry.question.text!r}"
            hint = "Use the words of readers in the page, or correct the entry."
            self._diagnostics.warning(entry.question.position, "answer-not-found", message, hint)
        for fact in entry.facts:
            if not any(self._statements(slug).hold([fact.text]) for slug in slugs):
                message = f"none of the pages says this any more: {fact.text!r}"
                hint = "Correct the pages, or the fact; it must have the words of a page."
                self._diagnostics.warning(fact.position, "answer-fact-missing", message, hint)

    def _pages(self, entry: ExpectedAnswer) -> Sequence[str]:
        """Return the slugs of an entry's existing pages."""
        slugs = []
        for page in entry.pages:
            if slug := page_at(self._site, page.text):
                slugs.append(slug)
                continue
            near = self._nearest.find(page.text)
            hint = f"Did you mean {near}?" if near else "Correct the path, or remove it."
            message = f"there is no page {page.text!r}"
            self._diagnostics.warning(page.position, "answer-page-missing", message, hint)
        return slugs

    def _found(self, question: str, slug: str) -> set[str]:
        """Return the pages found for readers of a page's language and version."""
        page = self._site.pages[slug]
        asked = Question(
            (ConversationMessage(Speaker.USER, question),),
            language=page.language,
            version=page.version,
            groups=self._groups,
        )
        return {passage.slug for passage in self._retrieval.find(asked, ()).passages}

    def _statements_of(self, slug: str) -> StatedFacts:
        page, meta = self._edition.page(slug), self._site.pages[slug]
        sections = [section.markdown for section in page.sections] if page else []
        return StatedFacts("\n\n".join([meta.title, meta.description or "", *sections]))
