"""Suggested questions, derived from headings near an answer or on a page.

They come from the documentation, so each has an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter

from docstead.assistant.conversation import ReadableEdition
from docstead.assistant.extractive.evidence import Excerpt
from docstead.assistant.heading_questions import question_of
from docstead.assistant.reader_location import page_at
from docstead.assistant.retrieval import RetrievedPassages
from docstead.assistant.topic_questions import question_about, question_on_page
from docstead.markup.words import language_tag
from docstead.search.documents import Passage

MOST = 3
_ENOUGH = 2  # questions after which only strong ones follow
_STRONG = 0.55  # of a third
_NEAR = 0.3  # minimum cosine with the question
_HALF = 0.5  # least share of a question's words in the answer's topic, or its page if it fills up
_BONUS = 0.1  # for the answer's page, and for distinctive words
_DISTINCTIVE = 0.5  # least weight of a word, relative to the question's most distinctive one
# Strength of other headings of the answer's page, and factors of questions that only fill up.
_OWN, _WEAK, _WEAKEST = 0.5, 0.2, 0.05
_RARE = 0.65  # factor of questions that few readers ask next
_RARELY_ASKED = re.compile(
    r"How do I (?:install|use) |How do(?:es)? (?!I ).* work\?$|Which .* are there\?$"
)
_FRAME = "work"  # of "How does it work?"
_NEARLY_THE_SAME = 0.75  # share of the words of two questions
_BEFORE = frozenset({"prerequisites", "requirements", "before you begin", "before you start"})

Heading = tuple[str, str]  # the page's slug, and the text


@dataclass(frozen=True, slots=True)
class _AnswerTopic:
    """Stems of the words that an answer is about, without the site's name."""

    question: frozenset[str]  # its distinctive words
    section: frozenset[str]  # all of the question, and the answered section's title and headings
    page: frozenset[str]  # those, and the text of the page's sections that were found
    name: frozenset[str]

    def shares(self, stems: frozenset[str]) -> bool:
        """Report whether a distinctive word of the question occurs."""
        return not self.question.isdisjoint(stems - self.name)

    def share(self, stems: frozenset[str], among: frozenset[str]) -> float:
        """Return the share of stems that are `among` others."""
        own = stems - self.name
        return len(own & among) / (len(own) or 1)


def follow_ups(
    edition: ReadableEdition,
    found: RetrievedPassages,
    question: str,
    sources: Sequence[str] = (),
) -> Iterator[str]:
    """Yield at most three questions in the answer's language that a reader may ask next.

    They come from sections near the question and from the page of the first of the `sources`, an
    answer's links. A heading or title that asks, begins with a verb or names a topic makes one.
    Sections of other pages have to share words with the question, the section or its page.
    Without passages, as for an answer from skills only, it yields nothing.
    """
    if not found.passages:
        return
    answered = _answered(found, sources)
    covered = answered.heading_path or (answered.title,)
    given: list[str] = []
    candidates = _candidates(edition, found, question, answered, sources)
    for strength, each in sorted(candidates, key=itemgetter(0), reverse=True):
        if len(given) < (MOST if strength >= _STRONG else _ENOUGH):
            given += _new(edition, [each], (question, *covered, *given))
    yield from given


def _candidates(
    edition: ReadableEdition,
    found: RetrievedPassages,
    question: str,
    answered: Passage,
    sources: Sequence[str],
) -> Iterator[tuple[float, str]]:
    """Yield questions with their strength: those of near sections, and of the answer's page."""
    stems_of = edition.index.analyser.terms
    topic = _topic(edition, found, question, answered)
    linked = [frozenset(stems_of(_name(e))) for e in found.candidates if e.link in sources]
    near = (each for each in found.near if _nearness(each) >= _NEAR and _is_like(each, answered))
    for passage in near:
        for each in _asked_by(edition, passage, answered):
            stems = frozenset(stems_of(each))
            strength = _strength(passage, answered, stems, topic)
            is_linked = any(_are_alike(stems, other) for other in linked)
            if strength:
                yield strength * _factor(each) * (_WEAK if is_linked else 1), each
    is_operation = bool(edition.site.pages[answered.slug].method)
    own = () if is_operation else _headings(edition, answered.slug)
    headings = _following(own, _name(answered))
    for each in _questions_of(edition, answered.slug, headings):
        is_about = topic.share(frozenset(stems_of(each)), topic.section) > 0
        yield (_OWN if is_about else _WEAKEST) * _factor(each), each


def _topic(
    edition: ReadableEdition, found: RetrievedPassages, question: str, answered: Passage
) -> _AnswerTopic:
    stems = found.stems
    named = (question, answered.title, *answered.heading_path)
    section = frozenset().union(*map(stems, named))
    of_page = (each.markdown for each in found.near if each.slug == answered.slug)
    return _AnswerTopic(
        _distinctive(edition, question),
        section,
        section.union(*map(stems, of_page)),
        stems(edition.site.config.name) | stems(_FRAME),
    )


def _following(headings: Sequence[str], name: str) -> Sequence[str]:
    """Return the headings after the one with this name, then those before it."""
    begin = headings.index(name) + 1 if name in headings else 0
    return (*headings[begin:], *headings[:begin])


def _factor(question: str) -> float:
    return _RARE if _RARELY_ASKED.match(question) else 1.0


def _name(section: Passage | Excerpt) -> str:
    return section.heading_path[-1] if section.heading_path else section.title


def _answered(found: RetrievedPassages, sources: Sequence[str]) -> Passage:
    """Return the passage of an answer's first source, or else the first that was found."""
    named = next((each for each in found.candidates if each.link in sources[:1]), None)
    same = (
        each
        for each in found.near
        if named and (each.title, each.heading_path) == (named.title, named.heading_path)
    )
    return next(same, found.passages[0])


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


def _strength(
    passage: Passage, answered: Passage, stems: frozenset[str], topic: _AnswerTopic
) -> float:
    """Return how well a section's question with these stems follows an answer."""
    nearness = _nearness(passage)
    is_own, shares = passage.slug == answered.slug, topic.shares(stems)
    about = topic.share(stems, topic.section)
    if is_own or shares or about >= _HALF:
        return nearness + _BONUS * is_own + _BONUS * shares
    if topic.share(stems, topic.page) >= _HALF:
        return nearness * (_WEAK if about else _WEAKEST)
    return 0.0


def _asked_by(edition: ReadableEdition, passage: Passage, answered: Passage) -> Iterator[str]:
    """Yield the questions of a passage's heading and of its page's title, if it is another page."""
    path = passage.heading_path
    is_operation = bool(edition.site.pages[passage.slug].method)
    is_before = not _BEFORE.isdisjoint(map(str.lower, path))
    if _is_same(passage, answered) or is_operation or is_before:
        return
    titles = () if passage.slug == answered.slug else (passage.title,)
    yield from _questions_of(edition, passage.slug, (*path[-1:], *titles))


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
    """Return at most three questions, by the maintainers or from the page at this path."""
    written = edition.site.assistant.questions
    if written:
        return written[:MOST]
    slug = page_at(edition.site, path) if path else None
    if slug is None or not edition.index.knows(slug):
        return ()
    is_english = _is_english(edition.site.pages[slug].language)
    names = edition.site.config.name
    headings = _headings(edition, slug)
    asked = (question_of(each, names=names, is_english_text=is_english) for each in headings)
    return tuple(islice(_new(edition, asked), MOST))


def _headings(edition: ReadableEdition, slug: str) -> list[str]:
    page = edition.page(slug)
    paths = [section.heading_path for section in page.sections if page] if page else []
    return list(dict.fromkeys(path[-1] for path in paths if path))


def _new(
    edition: ReadableEdition, questions: Iterable[str], before: Iterable[str] = ()
) -> Iterator[str]:
    """Yield questions, none in nearly the same words as one before it."""
    stems = edition.index.analyser.terms
    frame = frozenset(stems(_FRAME))
    asked = [frozenset(stems(each)) - frame for each in before]
    for question in questions:
        words = frozenset(stems(question)) - frame
        if words and not any(_are_alike(words, each) for each in asked):
            asked.append(words)
            yield question


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or len(one & other) >= _NEARLY_THE_SAME * len(one | other)


def _is_english(language: str | None) -> bool:
    return language_tag(language).partition("-")[0] == "en"
