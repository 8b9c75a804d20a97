"""The passages to answer from, given the reader's page, selection and earlier questions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docstead.assistant.conversation import Question
from docstead.assistant.links import Links
from docstead.assistant.places import page_around, preference
from docstead.content.pages import Site
from docstead.models.evidence import Excerpt, Stems, Word, is_covered, remembering
from docstead.search.documents import Passage
from docstead.search.index import Index
from docstead.search.query import QueryTerm

_SELECTION_CHARACTERS = 600
_SENTENCE_END = re.compile(r"(?<=[.?!:])\s+|\n")
_WRITTEN = re.compile(r"[\w.+-]+")
_SHORT_QUESTION = 4  # words that a question needs to stand on its own
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
)  # stems of words that point at something else


@dataclass(frozen=True, slots=True)
class Found:
    """Passages, best first. `covered` is whether they speak of what is asked at all."""

    passages: tuple[Passage, ...]
    excerpts: tuple[Excerpt, ...]
    words: tuple[Word, ...]
    covered: bool
    stems: Stems  # what `covered` was judged by


class Retrieval:
    """Searches one edition."""

    def __init__(self, index: Index, site: Site, links: Links) -> None:
        self._index = index
        self._site = site
        self._links = links
        self._stems = remembering(index.analyser.terms)

    def find(self, question: Question, earlier: str) -> Found:
        """The passages for a question; `earlier` is what the reader asked before it.

        A question that is too short to stand on its own is read together with what the
        reader selected and asked before, unless it has words of which nothing is known.
        """
        own = question.text
        selected = "\n".join(item.text[:_SELECTION_CHARACTERS] for item in question.context)
        terms = self._index.terms(own)
        found = self._search(question, terms, f"{own}\n{selected}".strip())
        if found.covered or not self._leans(terms):
            return found
        for background in filter(None, (selected, earlier)):
            text = f"{own}\n{background}"
            wider = self._search(question, self._index.terms(text), text)
            if wider.covered:
                return wider
            found = max(found, wider, key=lambda each: len(each.passages))
        return found

    def _search(self, question: Question, terms: tuple[QueryTerm, ...], text: str) -> Found:
        near = self._near(question)
        passages = self._index.search(
            text,
            limit=question.page_size,
            language=question.language,
            version=question.version,
            near=near,
            groups=question.groups,
            prefer=preference(self._site, near),
        )
        names = self._names(text)
        words = tuple(
            Word(t.stems, t.weight, guessed=t.corrected, is_name=t.word in names) for t in terms
        )
        excerpts = tuple(self._excerpt(each) for each in passages)
        covered = is_covered(excerpts, words, self._stems, self._index.lead(question.text.strip()))
        return Found(tuple(passages), excerpts, words, covered, self._stems)

    def _excerpt(self, passage: Passage) -> Excerpt:
        return Excerpt(
            link=self._links.to(passage.slug, passage.anchor),
            title=passage.title,
            heading_path=passage.heading_path,
            markdown=self._links.absolute(passage.markdown),
            score=passage.score,
            cosine=passage.cosine,
        )

    def _names(self, text: str) -> frozenset[str]:
        """Words that are written like names: with capitals where no sentence begins."""
        found: set[str] = set()
        for sentence in _SENTENCE_END.split(text):
            for place, word in enumerate(_WRITTEN.findall(sentence)):
                if any(letter.isupper() for letter in word[not place :]):
                    found.update(self._index.analyser.words(word))
        return frozenset(found)

    def _near(self, question: Question) -> str | None:
        """The page the reader looks at, or else the one a selection comes from."""
        paths = [question.current_path, *(item.path for item in question.context)]
        pages = (page_around(self._site, path) for path in paths if path)
        return next(filter(None, pages), None)

    def _leans(self, terms: tuple[QueryTerm, ...]) -> bool:
        """Whether a question only makes sense with what stands around it."""
        telling = [t for t in terms if not _POINTING.intersection(t.stems)]
        return len(telling) < _SHORT_QUESTION and not any(
            t.corrected and self._index.analyser.stem(t.word) not in _POINTING for t in telling
        )
