"""Retrieval of passages, given the reader's page, selection and earlier questions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter

from docstead.assistant.asked_pages import AskedPages
from docstead.assistant.conversation import Question
from docstead.assistant.extractive.answerability import CONSIDERED, SemanticSimilarity, is_covered
from docstead.assistant.extractive.definitions import DefinitionQuestion
from docstead.assistant.extractive.evidence import Excerpt, QuestionWord, Stems, remembering
from docstead.assistant.extractive.name_lookup import AskedNames, is_listed
from docstead.assistant.extractive.quotes import considered
from docstead.assistant.follow_up_questions import asks_for_another, readings
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.reader_language import language_of
from docstead.assistant.reader_location import page_around, preference_of_answers
from docstead.assistant.small_talk import is_small_talk
from docstead.base.texts import without_middle
from docstead.content.pages import Site
from docstead.search.chunks import blocks
from docstead.search.documents import Passage
from docstead.search.english import is_english
from docstead.search.index import Index
from docstead.search.query import QueryTerm

_SELECTION_CHARACTERS = 600
_END_CHARACTERS = 2_000  # read at either end of a text
_BLANKS = re.compile(r"[^\S\n]+")
_BLANK_LINES = re.compile(r"\s*\n\s*")
_MOST_ASKED = 20  # maximum number of questions in a text, from its end
_SENTENCE_END = re.compile(r"(?<=[.?!:])\s+|\n")
_ASKING = re.compile(
    r"(?:how|what|which|when|where|who|why|is|are|do|does|can|could|should|would|will|may)\b.*",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?:\[[^\]]{1,20}\]|\w{1,20}:)\s+(?=\S)")  # typical starts of issue titles
_WRITTEN = re.compile(r"[\w.+-]+")
# Single letters, and the reader's own URLs and numbers.
_OWN_VALUE = re.compile(r"[a-z]|\d+(?:\.\d+){3,}|\d{5,}")
_ASIDE = re.compile(r"(?:^|/)(?:changelogs?|release-?notes|releases|whats-new)(?:/|$)")
_FURTHER = 30  # passages after the candidates, for follow-up questions
_INTRODUCING = 50  # passages among which an introduction is looked for
_FIRST_OF_PAGE = 2  # passages of it that precede others
_NAMED = 1.0  # score of its passages, which are in reading order
_SHORT_QUESTION = 4  # minimum number of words of a self-contained question
_POINTING = frozenset(
    {
        "code",
        "detail",
        "elabor",
        "exampl",
        "explain",
        "line",
        "mean",
        "page",
        "point",
        "second",
        "select",
        "show",
        "snippet",
        "summar",
        "summari",
        "tell",
        "understand",
        "work",
    }
)  # stems of words that refer to something else


@dataclass(frozen=True, slots=True)
class RetrievedPassages:
    """Passages, best first. `covered` reports whether they cover the question."""

    asked: str  # the question as understood
    passages: tuple[Passage, ...]
    candidates: tuple[Excerpt, ...]  # for quotes: the passages and those that follow
    words: tuple[QuestionWord, ...]
    covered: bool
    stems: Stems  # evidence for `covered`
    nearness: SemanticSimilarity | None = None
    repaired: str = ""  # the question translated to English or corrected, if it was
    language: str = ""  # original language of the question, if it is clear
    near: tuple[Passage, ...] = ()  # the candidates' passages and further ones, for follow-ups
    is_understood: bool = True  # whether each distinctive word was translated, if it had to be
    named: str = ""  # slug of the page that is asked for by its name
    section: tuple[Excerpt, ...] = ()  # of a section that is, likewise
    page: tuple[Excerpt, ...] = ()  # of the page that is asked for by its name, in reading order

    @property
    def excerpts(self) -> tuple[Excerpt, ...]:
        """Excerpts of the passages."""
        return self.candidates[: len(self.passages)]


class Retrieval:
    """Searches one edition."""

    def __init__(self, index: Index, site: Site, links: AbsoluteLinks) -> None:
        self._index = index
        self._site = site
        self._links = links
        self._stems = remembering(index.analyser.terms)

    def find(
        self,
        question: Question,
        earlier: Sequence[str],
        shown: Collection[str] = (),
        previous: str = "",
    ) -> RetrievedPassages:
        """Return passages for a question; `earlier` are the reader's previous ones, oldest first.

        `shown` are the links of sections quoted before, `previous` is the one that the last answer
        quotes first. A request for another answer gets the passages of the previous question
        without them. Of a short question, the previous page is the likely topic.

        A follow-up is only read together with its context. A question that is not covered is read
        again by each of its sentences; one that is too short is read with the reader's selection
        and earlier questions, unless it has unknown words. The page that a question asks for by its
        name or role comes first; for "what is" questions, the section that defines the name.
        Misspelled words are corrected and foreign words translated beforehand; a question whose
        words were mostly lost in this is not covered.
        """
        text = _bounded(question.text)
        own = self._index.repaired(text)
        before = [each for each in map(_bounded, earlier) if not asks_for_another(each)]
        if before and asks_for_another(own):
            return _without(self._found(question, before[-1], before[:-1]), shown)
        if before and previous and self._leans(self._index.terms(own)):
            question = replace(question, topic=page_around(self._site, previous))
        found = self._found(question, own, before)
        found = self._asked_for(question, found, own, first=not before)
        repaired = own if own != text else ""
        translation = self._index.translation(text)
        language = language_of(text)
        if translation is None:
            return replace(found, repaired=repaired, language=language)
        return replace(
            found,
            repaired=translation.keywords,
            language=language or translation.language,
            covered=found.covered and not translation.is_partial,
            is_understood=not translation.missed,
        )

    def _found(self, question: Question, own: str, earlier: Sequence[str]) -> RetrievedPassages:
        earlier = [self._index.repaired(each) for each in earlier if not is_small_talk(each)]
        meant = () if question.context else readings(own, earlier)
        if meant:  # contains the topic, or another one: "and for Python?"
            return self._first_covered(replace(question, topic=None), meant)
        selections = (item.text[:_SELECTION_CHARACTERS] for item in question.context)
        selected = _bounded("\n".join(selections))
        if selected and not self._content_terms(self._index.terms(own)):
            # "Explain this" has no content: only the selection is searched for.
            about = self.read(question, selected)
            if about.covered or _stands_in(about.excerpts, selected):
                return replace(about, covered=True)
        found = self.read(question, f"{own}\n{selected}".strip(), own)
        if found.covered:
            return found
        sentences = self._first_covered(question, tuple(_asked_in(own))[-_MOST_ASKED:], found)
        if sentences.covered or not self._leans(self._index.terms(own)):
            return sentences
        around = [f"{own}\n{each}" for each in (selected, *earlier[-1:]) if each]
        return self._first_covered(question, around, found)

    def read(self, question: Question, text: str, part: str = "") -> RetrievedPassages:
        """Return the passages for a text, and whether they cover it or `part` of it."""
        asked = part or text
        terms = self._index.terms(asked)
        limit = max(CONSIDERED, considered(question.page_size))
        near = self._search(question, text, limit, _FURTHER)
        passages = near[:limit]
        excerpts = tuple(self._excerpt(each) for each in passages)
        words = self._words(text, terms)
        nearness = self._nearness(asked.strip(), near[0].language if near else None)
        asks = "?" in asked or bool(_ASKING.match(asked))
        covered = is_covered(asked, excerpts, words, self._stems, nearness, asks=asks)
        return RetrievedPassages(
            asked,
            tuple(passages[: question.page_size]),
            excerpts,
            words,
            covered,
            self._stems,
            nearness,
            near=tuple(near),
        )

    def _introduced(self, question: Question, found: RetrievedPassages) -> RetrievedPassages:
        """Move the section that introduces the name in question to the front.

        Sections that list operations and fields by its name rank higher in search.
        """
        meant = DefinitionQuestion(found.asked, found.words, self._stems, blocks)
        if not (meant and found.covered):
            return found
        if is_listed((each.markdown for each in found.excerpts), AskedNames(found.asked)):
            return found
        like = found.passages[0]
        introducing = [
            (said[0], position, passage, excerpt)
            for position, passage in enumerate(self._search(question, found.asked, _INTRODUCING))
            if passage.language == like.language and passage.version == like.version
            if self._site.pages[passage.slug].method is None
            if (said := meant.introduced(excerpt := self._excerpt(passage)))
        ]
        if not introducing:
            return found
        *_, passage, excerpt = min(introducing, key=itemgetter(0, 1))
        others = [each for each in found.passages if each.digest != passage.digest]
        passages = (passage, *others)[: question.page_size]
        return replace(
            found,
            passages=passages,
            candidates=(excerpt, *(e for e in found.candidates if not _is_same(e, excerpt))),
        )

    def _asked_for(
        self, question: Question, found: RetrievedPassages, own: str, *, first: bool
    ) -> RetrievedPassages:
        """Return what was found, below the page that a question asks for, if it asks for one."""
        if question.context:
            return self._introduced(question, found)
        near = self._near(question)
        pages = AskedPages(self._index, self._site, self._stems, question, near)
        if page := pages.with_role(own, found.near, first=first):
            return self._below(page, found, question)
        found = self._introduced(question, found)
        is_entry = is_listed((each.markdown for each in found.excerpts), AskedNames(found.asked))
        named = None if is_entry else pages.named(own, found.near)
        if named and named.is_whole:
            return self._below(named.passages, found, question)
        if named and named.is_section:
            is_definition = DefinitionQuestion(found.asked, found.words, self._stems, blocks)
            section = () if is_definition else tuple(map(self._excerpt, named.passages))
            return replace(found, section=section)
        return replace(found, covered=True, named=named.slug) if named else found

    def _below(
        self, page: Sequence[Passage], found: RetrievedPassages, question: Question
    ) -> RetrievedPassages:
        """Return what was found below the passages of a page, which are in reading order."""
        page = [replace(each, score=_NAMED) for each in page]
        digests = {each.digest for each in page}
        excerpts = tuple(map(self._excerpt, page))
        others = [each for each in found.passages if each.digest not in digests]
        further = (e for e in found.candidates if all(not _is_same(e, each) for each in excerpts))
        return replace(
            found,
            covered=True,
            passages=(*page[:_FIRST_OF_PAGE], *others)[: question.page_size],
            candidates=(*excerpts[:_FIRST_OF_PAGE], *further),
            page=excerpts,
        )

    def _search(self, question: Question, text: str, limit: int, further: int = 0) -> list[Passage]:
        near = self._near(question)
        return self._index.search(
            text,
            limit=limit,
            further=further,
            language=question.language,
            version=question.version,
            near=near,
            groups=question.groups,
            prefer=replace(preference_of_answers(self._site, near), topic=question.topic),
        )

    def _nearness(self, asked: str, language: str | None) -> SemanticSimilarity | None:
        lead = self._index.lead(asked, language)
        return (
            None if lead is None else SemanticSimilarity(lead, partial(self._index.nearness, asked))
        )

    def _first_covered(
        self, question: Question, texts: Sequence[str], otherwise: RetrievedPassages | None = None
    ) -> RetrievedPassages:
        """Return the passages of the first covered text, or those of the first text."""
        for text in texts:
            found = self.read(question, text)
            if found.covered:
                return found
            otherwise = otherwise or found
        assert otherwise is not None  # noqa: S101 - there is a text, or something found
        return otherwise

    def _words(self, text: str, terms: tuple[QueryTerm, ...]) -> tuple[QuestionWord, ...]:
        names = self._names(text)
        return tuple(
            QuestionWord(
                t.stems,
                t.weight,
                t.also,
                guessed=t.corrected,
                is_name=t.word in names or not is_english(t.word),
                near=t.near,
            )
            for t in terms
            if not _OWN_VALUE.fullmatch(t.word)
        )

    def _excerpt(self, passage: Passage) -> Excerpt:
        return Excerpt(
            link=self._links.to(passage.slug, passage.anchor),
            title=passage.title,
            heading_path=passage.heading_path,
            markdown=self._links.absolute(passage.markdown, passage.slug),
            score=passage.score,
            share=passage.share,
            cosine=passage.cosine,
            is_aside=bool(self._site.pages[passage.slug].method or _ASIDE.search(passage.slug)),
            language=passage.language,
        )

    def _names(self, text: str) -> frozenset[str]:
        """Return words that are capitalized within sentences."""
        found: set[str] = set()
        for sentence in _SENTENCE_END.split(text):
            for position, word in enumerate(_WRITTEN.findall(sentence)):
                if any(letter.isupper() for letter in word[not position :]):
                    found.update(self._index.analyser.words(word))
        return frozenset(found)

    def _near(self, question: Question) -> str | None:
        """Return the reader's page, or that of a selection."""
        paths = [question.current_path, *(item.path for item in question.context)]
        pages = (page_around(self._site, path) for path in paths if path)
        return next(filter(None, pages), None)

    def _content_terms(self, terms: tuple[QueryTerm, ...]) -> list[QueryTerm]:
        return [t for t in terms if not _POINTING.intersection(t.stems)]

    def _leans(self, terms: tuple[QueryTerm, ...]) -> bool:
        """Report whether a question depends on its context."""
        terms_with_meaning = self._content_terms(terms)
        return len(terms_with_meaning) < _SHORT_QUESTION and not any(
            t.corrected and self._index.analyser.stem(t.word) not in _POINTING
            for t in terms_with_meaning
        )


def _without(found: RetrievedPassages, links: Collection[str]) -> RetrievedPassages:
    """Remove the sections at these links."""
    pairs = zip(found.passages, found.candidates, strict=False)
    return replace(
        found,
        passages=tuple(passage for passage, excerpt in pairs if excerpt.link not in links),
        candidates=tuple(each for each in found.candidates if each.link not in links),
    )


def _is_same(one: Excerpt, other: Excerpt) -> bool:
    return (one.link, one.markdown) == (other.link, other.markdown)


def _stands_in(excerpts: Sequence[Excerpt], text: str) -> bool:
    words = " ".join(text.split())
    return any(words in " ".join(each.markdown.split()) for each in excerpts)


def _bounded(text: str) -> str:
    """Return a reader's text without repeated blanks, and without the middle if it is long.

    Rules with many regular expressions read it, some of which take quadratic time.
    """
    return without_middle(_BLANK_LINES.sub("\n", _BLANKS.sub(" ", text)), 2 * _END_CHARACTERS)


def _asked_in(text: str) -> Iterator[str]:
    """Yield the questions within a longer text."""
    sentences = [each.strip() for each in _SENTENCE_END.split(text) if each.strip()]
    if len(sentences) > 1:
        yield from (each for each in sentences if each.endswith("?") or _ASKING.match(each))
    if label := _LABEL.match(text):
        yield text[label.end() :]
