"""Suggested questions, derived from headings near an answer or on a page.

They come from the documentation, so each has an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from operator import itemgetter

from docstead.assistant.conversation import ReadableEdition
from docstead.assistant.extractive.evidence import Excerpt, share_of
from docstead.assistant.heading_questions import question_of
from docstead.assistant.reader_location import page_at
from docstead.assistant.retrieval import RetrievedPassages
from docstead.assistant.topic_questions import question_about, question_on_page
from docstead.content.pages import Site
from docstead.markup.words import language_tag
from docstead.search.documents import Passage

MOST = 3
_LEAST = (0.3, 0.3, 1.0)  # strength of the first question, the second and the third
_NEAR = 0.25  # minimum cosine with the question
_MOST_OF_PAGE = 60  # passages of the answer's page
_MOST_TITLES = 300  # pages that may lend a question to one that asks none
# A section is as strong as it is similar to the question and to the answered section. What is
# hardly similar to the answered one loses once more what it lacks.
_TO_QUESTION, _TO_ANSWER, _SIMILAR = 0.3, 0.7, 0.6
_FOLLOWING = 0.1  # bonus of sections that come after the answered one
_NAMED = 0.6  # bonus for the share of the reader's words that title and headings have
# Bonus of a question with a distinctive word of the reader's, and for its share of words that the
# answered section has. Loss of questions of other pages that are about something else.
_SHARED, _ANSWERED, _UNRELATED = 0.2, 0.2, 0.25
_HALF = 0.5  # least share of the words of a question that the answer's topic has
_DISTINCTIVE = 0.5  # least weight of a word, relative to the question's most distinctive one
# Factors: of titles of other pages, of sections that the answer links, of questions that few ask.
_TITLE, _LINKED = 0.7, 0.4
_RARELY_ASKED = (
    (re.compile(r"How do(?:es)? (?!I ).* work\?$"), 0.6),
    (re.compile(r".*\b(?:community|contribute|each|feedback|help|it|other|support)\b"), 0.6),
    (re.compile(r"How do I (?:build|get|install|load|migrate|upgrade|use|verify) "), 0.75),
    (re.compile(r"Which .* are there\?$"), 0.75),
)
_FRAME = "work"  # of "How does it work?"
_NEARLY_THE_SAME = 0.75  # share of the words of two questions
_BEFORE = frozenset({"prerequisites", "requirements", "before you begin", "before you start"})


@dataclass(frozen=True, slots=True)
class _AnsweredSection:
    """The section that an answer quotes first, and its context."""

    section: Passage
    stems: frozenset[str]  # of the section's text
    topic: frozenset[str]  # stems of the question, and of the section's title and headings
    name: frozenset[str]  # stems of the site's name, which say nothing
    words: frozenset[str]  # stems of the question's distinctive words, without that name
    order: Mapping[tuple[str, ...], int]  # of the sections of its page
    linked: tuple[frozenset[str], ...]  # stems of the names of the sections that it links

    def precedes(self, passage: Passage) -> bool:
        """Report whether a section comes later on the same page."""
        if passage.slug != self.section.slug:
            return False
        return self._position(passage) > self._position(self.section) >= 0

    def bonus(self, stems: frozenset[str], *, is_own: bool) -> float:
        """Return what the words of a question, maybe of the answer's own page, add to it."""
        shares = not self.words.isdisjoint(stems)
        is_about = is_own or shares or _share(stems - self.name, self.topic) >= _HALF
        bonus = _ANSWERED * _share(stems, self.stems) + _SHARED * shares
        return bonus - _UNRELATED * (not is_about)

    def _position(self, passage: Passage) -> int:
        return self.order.get(passage.heading_path, -1)


def follow_ups(
    edition: ReadableEdition,
    found: RetrievedPassages,
    question: str,
    sources: Sequence[str] = (),
) -> Iterator[str]:
    """Yield at most three questions in the answer's language that a reader may ask next.

    They come from sections near the question and from the page of the first of the `sources`, an
    answer's links. A heading or title that asks, begins with a verb or names a topic makes one.
    Sections that are similar to the answered one come first. Without passages, as for an answer
    from skills only, it yields nothing.
    """
    if not found.passages:
        return
    answer = _answer(edition, found, question, sources)
    candidates = _candidates(edition, found, answer)
    covered = answer.section.heading_path or (answer.section.title,)
    new = _NewQuestions(edition, (question, *covered))
    given = 0
    for strength, each in sorted(candidates, key=itemgetter(0), reverse=True):
        if given == MOST or strength < _LEAST[given]:
            return
        if new.takes(each):
            given += 1
            yield each


def _answer(
    edition: ReadableEdition, found: RetrievedPassages, question: str, sources: Sequence[str]
) -> _AnsweredSection:
    section, text = _answered(found, sources)
    page = edition.page(section.slug)
    paths = [each.heading_path for each in page.sections] if page else []
    stems = found.stems
    name = stems(edition.site.config.name) | stems(_FRAME)
    return _AnsweredSection(
        section,
        stems(text),
        frozenset().union(*map(stems, (question, section.title, *section.heading_path))),
        name,
        _distinctive(edition, question) - name,
        {path: position for position, path in enumerate(paths)},
        tuple(stems(_name(each)) for each in found.candidates if each.link in sources),
    )


def _candidates(
    edition: ReadableEdition, found: RetrievedPassages, answer: _AnsweredSection
) -> Iterator[tuple[float, str]]:
    """Yield questions with their strength: those of near sections, and of the answer's page."""
    section = answer.section
    near = [e for e in found.near if _nearness(e) >= _NEAR and _is_like(e, section)]
    known = {each.digest for each in near}
    own = edition.index.passages_of(section.slug, _MOST_OF_PAGE)
    others = [*near, *(each for each in own if each.digest not in known)]
    others = [each for each in others if _is_askable(edition, each, section)]
    for passage, cosine in zip(others, edition.index.similarities(section, others), strict=True):
        asked = list(_asked_by(edition, passage, section))
        if not asked:
            continue
        is_own, nearness = passage.slug == section.slug, _nearness(passage)
        unknown = max(nearness, _SIMILAR) if is_own else nearness
        similarity = unknown if cosine is None else cosine
        strength = _TO_QUESTION * nearness + _TO_ANSWER * similarity
        strength -= max(0.0, _SIMILAR - similarity)
        strength += _FOLLOWING * answer.precedes(passage)
        named = frozenset().union(*map(found.stems, (passage.title, *passage.heading_path)))
        strength += _NAMED * share_of(found.words, named)
        for factor, each in asked:
            if (strength + _SHARED + _ANSWERED) * factor < _LEAST[0]:
                continue
            stems = frozenset(edition.index.analyser.terms(each))
            bonus = answer.bonus(stems, is_own=is_own)
            is_linked = any(_are_alike(stems, other) for other in answer.linked)
            yield (strength + bonus) * factor * (_LINKED if is_linked else 1), each


def _is_askable(edition: ReadableEdition, passage: Passage, answered: Passage) -> bool:
    """Report whether a section is no operation, nor the answered one, nor what comes before it."""
    is_before = not _BEFORE.isdisjoint(map(str.lower, passage.heading_path))
    is_operation = bool(edition.site.pages[passage.slug].method)
    return not (is_before or is_operation or _is_same(passage, answered))


def _factor(question: str) -> float:
    return next((factor for form, factor in _RARELY_ASKED if form.match(question)), 1.0)


def _name(section: Passage | Excerpt) -> str:
    return section.heading_path[-1] if section.heading_path else section.title


def _answered(found: RetrievedPassages, sources: Sequence[str]) -> tuple[Passage, str]:
    """Return the passage of an answer's first source, or else the first that was found; its text.

    The text is that of its excerpt if it has one, because the stems of excerpts are cached.
    """
    named = next((each for each in found.candidates if each.link in sources[:1]), None)
    for each in found.near:
        if named and (each.title, each.heading_path) == (named.title, named.heading_path):
            return each, named.markdown
    return found.passages[0], found.passages[0].markdown


def _nearness(passage: Passage) -> float:
    return passage.share if passage.cosine is None else passage.cosine


def _is_like(one: Passage, other: Passage) -> bool:
    return (one.language, one.version) == (other.language, other.version)


def _is_same(one: Passage, other: Passage) -> bool:
    return (one.slug, one.heading_path) == (other.slug, other.heading_path)


def _distinctive(edition: ReadableEdition, text: str) -> frozenset[str]:
    """Return stems of the words that say most about a text, and their synonyms."""
    terms = edition.index.terms(text)
    most = max((each.weight for each in terms), default=0.0)
    return frozenset(
        stem
        for each in terms
        if each.weight >= _DISTINCTIVE * most
        for stem in (*each.stems, *each.also)
    )


def _asked_by(
    edition: ReadableEdition, passage: Passage, answered: Passage
) -> Iterator[tuple[float, str]]:
    """Yield the questions of a passage's heading and of its page's title, if it is another page.

    The first of each pair says how much weaker than others it is.
    """
    for each in _questions_of(edition, passage.slug, passage.heading_path[-1:]):
        yield _factor(each), each
    titles = () if passage.slug == answered.slug else (passage.title,)
    for each in _questions_of(edition, passage.slug, titles):
        yield _TITLE * _factor(each), each


def _questions_of(edition: ReadableEdition, slug: str, texts: Iterable[str]) -> Iterator[str]:
    """Yield the questions that headings ask, or that are about the topics that they name."""
    names, is_english = edition.site.config.name, _is_english(edition.site.pages[slug].language)
    title = edition.site.pages[slug].title
    for text in texts:
        asked = question_of(text, names=names, is_english_text=is_english)
        if is_english and not asked:
            asked = question_about(text, names=names) or question_on_page(text, title, names=names)
        if asked:
            yield asked


def starters(edition: ReadableEdition, path: str | None) -> tuple[str, ...]:
    """Return at most three questions: by the maintainers, of the page, or of pages after it."""
    written = edition.site.assistant.questions
    if written:
        return written[:MOST]
    slug = page_at(edition.site, path) if path else None
    if slug is None or not edition.index.knows(slug):
        return ()
    asked = chain(
        (_asked_in(edition, slug, each) for each in _headings(edition, slug)),
        (_asked_in(edition, each, title) for each, title in _titles_from(edition.site, slug)),
    )
    return tuple(islice(filter(_NewQuestions(edition).takes, asked), MOST))


def _asked_in(edition: ReadableEdition, slug: str, text: str) -> str:
    """Return the question of a heading or title; "" for a topic or a page that is not found."""
    is_english = _is_english(edition.site.pages[slug].language)
    asked = question_of(text, names=edition.site.config.name, is_english_text=is_english)
    return asked if asked and edition.index.knows(slug) else ""


def _titles_from(site: Site, slug: str) -> Iterator[tuple[str, str]]:
    """Yield pages and their titles as the navigation orders them, from this page on and round."""
    around = list(site.navigation.pages())
    start = around.index(slug) if slug in around else 0
    here = site.pages[slug]
    for each in islice(chain(around[start:], around[:start]), _MOST_TITLES):
        page = site.pages[each]
        if (page.language, page.version) == (here.language, here.version) and not page.method:
            yield each, page.title


def _headings(edition: ReadableEdition, slug: str) -> list[str]:
    page = edition.page(slug)
    paths = [section.heading_path for section in page.sections if page] if page else []
    return list(dict.fromkeys(path[-1] for path in paths if path))


class _NewQuestions:
    """Accepts questions, none in nearly the same words as one before it."""

    def __init__(self, edition: ReadableEdition, before: Iterable[str] = ()) -> None:
        self._terms = edition.index.analyser.terms
        self._frame = frozenset(self._terms(_FRAME))
        self._asked = [self._stems(each) for each in before]

    def takes(self, question: str) -> bool:
        stems = self._stems(question)
        if not stems or any(_are_alike(stems, each) for each in self._asked):
            return False
        self._asked.append(stems)
        return True

    def _stems(self, text: str) -> frozenset[str]:
        return frozenset(self._terms(text)) - self._frame


def _share(stems: frozenset[str], among: frozenset[str]) -> float:
    """Return the share of stems that are `among` others."""
    return len(stems & among) / (len(stems) or 1)


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or len(one & other) >= _NEARLY_THE_SAME * len(one | other)


def _is_english(language: str | None) -> bool:
    return language_tag(language).partition("-")[0] == "en"
