"""Suggested questions, derived from headings near an answer or on a page.

They come from the documentation, so each has an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
_TASK = "How do I "  # what most readers ask next
_TOPIC = 0.85  # share of the strength of other questions
_WEAK = 0.2  # of questions that only follow if there are too few
# Least cosines with the question: of a section of the answer's page, of another with a
# distinctive word of the question or the page's title, of any other, and of one that fills up.
_NEAR, _RELATED, _VERY_NEAR, _REMOTE = 0.3, 0.35, 0.65, 0.45
_DISTINCTIVE = 0.5  # least weight of a word, relative to the question's or title's most distinctive
_SAYING = 0.25  # of one that says something
_BONUS = 0.1  # for the answer's page, and for distinctive words
_FRAME = "work"  # of "How does it work?"
_NEARLY_THE_SAME = 0.75  # share of the words of two questions
_BEFORE = frozenset({"prerequisites", "requirements", "before you begin", "before you start"})

Heading = tuple[str, str]  # the page's slug, and the text


def follow_ups(
    edition: ReadableEdition,
    found: RetrievedPassages,
    question: str,
    sources: Sequence[str] = (),
) -> Iterator[str]:
    """Yield at most three questions in the answer's language that a reader may ask next.

    They come from sections near the question and from the page of the first of the `sources`, an
    answer's links. A heading or title that asks, begins with a verb or names a topic makes one.
    Without passages, as for an answer from skills only, it yields nothing.
    """
    if not found.passages:
        return
    answered = _answered(found, sources)
    given: list[str] = []
    candidates = _candidates(edition, found, question, answered, sources)
    for strength, each in sorted(candidates, key=itemgetter(0), reverse=True):
        if len(given) < (MOST if strength >= _STRONG else _ENOUGH):
            given += _new(edition, [each], (question, _name(answered), *given))
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
    name = frozenset(stems_of(edition.site.config.name))
    distinctive = (_stems(edition, question) | _stems(edition, answered.title)) - name
    words = _stems(edition, question, least=_SAYING) - name
    linked = [frozenset(stems_of(_name(e))) for e in found.candidates if e.link in sources]
    near = (each for each in found.near if _nearness(each) >= _NEAR and _is_like(each, answered))
    for passage in near:
        for each in _asked_by(edition, passage, answered):
            stems = frozenset(stems_of(each))
            shares, touches = not distinctive.isdisjoint(stems), not words.isdisjoint(stems)
            if strength := _strength(passage, answered, shares=shares, touches=touches):
                is_linked = any(_are_alike(stems, other) for other in linked)
                is_task = each.startswith(_TASK)
                yield strength * (_WEAK if is_linked else 1 if is_task else _TOPIC), each
    own = _headings(edition, answered.slug)
    for position, each in enumerate(_questions_of(edition, answered.slug, own), 1):
        yield _WEAK / position, each


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


def _stems(edition: ReadableEdition, text: str, least: float = _DISTINCTIVE) -> frozenset[str]:
    """Return stems of the words that say most about a text, and their synonyms."""
    terms = edition.index.terms(text)
    most = max((each.weight for each in terms), default=0.0)
    return frozenset(
        stem for each in terms if each.weight >= least * most for stem in (*each.stems, *each.also)
    )


def _strength(passage: Passage, answered: Passage, *, shares: bool, touches: bool) -> float:
    """Return how well a section's question follows an answer, 0 to 1.

    The question `shares` a distinctive word with the answered one or the page's title, or `touches`
    any word of the former.
    """
    nearness = _nearness(passage)
    is_own = passage.slug == answered.slug
    if nearness >= (_NEAR if is_own else _RELATED if shares else _VERY_NEAR):
        return nearness + _BONUS * is_own + _BONUS * shares
    if nearness < _REMOTE:
        return 0.0
    return _WEAK * nearness * (1 if touches else _TOPIC)


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
