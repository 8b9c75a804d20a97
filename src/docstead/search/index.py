"""Read-only, thread-safe search index of an edition.

Failure rule: a folder without a readable index raises `Unavailable`; queries never fail but find
nothing. Without vectors, or without one for the query, only words count.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import tantivy
from tantivy import Occur, Query

from docstead.base.decoders import json_decoder
from docstead.base.errors import Unavailable
from docstead.markup.words import language_tag
from docstead.search.analyser import Analyser, is_cjk
from docstead.search.documents import Passage
from docstead.search.fusion import (
    LanguageVectors,
    PageVectors,
    SemanticIndex,
    are_near,
    confidence,
    fused,
)
from docstead.search.query import IndexVocabulary, QueryTerm, any_of
from docstead.search.ranking import NO_PREFERENCE, Preference, SearchCandidate, ranked
from docstead.search.records import UNSET, PassageRecord, digest_term, opened
from docstead.search.spelling_repair import LONGEST_REPAIRED, QueryRepairs
from docstead.search.translation import LONGEST_TRANSLATED, QueryTranslations, Translation

if TYPE_CHECKING:
    from docstead.search.vectors import Vector

_LEAST_CANDIDATES = 60
_NEAREST = 50  # semantic candidates
_NEAREST_BEFORE_FILTERS = 400
_REMEMBERED = 10_000  # cached passages of about 2 kB, because readers' searches overlap
_LAST_QUERIES = 64
_REMEMBERED_CHARACTERS = 10_000  # words of such a query
_RECORD = json_decoder(PassageRecord)
_OPEN_TO_ALL = ("language", "version")  # pages without a value match every known one


@dataclass(frozen=True, slots=True)
class _NearestPassages:
    """Vector of a query, and the nearest passages."""

    vector: Vector
    digests: list[int]


class Index:
    """Finds passages."""

    def __init__(self, directory: Path) -> None:
        try:
            index = opened(directory)
        except (ValueError, OSError) as error:
            raise Unavailable("The search index could not be read.") from error
        self._schema = index.schema
        self._searcher = index.searcher()
        self._analyser = Analyser()
        self._vocabulary = IndexVocabulary(self._searcher, self._schema, self._analyser)
        self._groups = self._vocabulary.values("group") - {UNSET}
        # Caches do not hold methods of their index: a cycle would keep its files open until
        # the garbage collector runs.
        self._stored = partial(_stored, self._searcher)
        self._remembered = lru_cache(_REMEMBERED)(self._stored)
        # Used by a search, its excerpts and its answer.
        self._terms = lru_cache(_LAST_QUERIES)(self._vocabulary.terms)
        words = self._vocabulary
        repairs = QueryRepairs(words.knows, words.is_public, words.words_with_prefix)
        self._repaired = lru_cache(_LAST_QUERIES)(repairs.repaired)
        translations = QueryTranslations(words.has)
        self._translated = lru_cache(_LAST_QUERIES)(translations.translated)
        self._meaning: SemanticIndex | None = None
        self._pages: PageVectors | None = None
        self._languages: LanguageVectors | None = None

    def with_meaning(self, meaning: SemanticIndex) -> Index:
        """Return the same index with semantic search."""
        other = copy.copy(self)
        other._meaning = meaning
        of_pages: dict[str, list[int]] = defaultdict(list)
        of_languages: dict[str | None, set[int]] = defaultdict(set)
        for each in self.passages():
            of_pages[each.slug].append(each.digest)
            of_languages[each.language].add(each.digest)
        other._pages = PageVectors(of_pages, meaning.vectors)
        other._languages = LanguageVectors(of_languages, meaning.vectors)
        return other

    @property
    def analyser(self) -> Analyser:
        return self._analyser

    def knows(self, slug: str, groups: Sequence[str] = ()) -> bool:
        """Report whether readers of these groups may find the page."""
        page = Query.term_query(self._schema, "slug", slug)
        return bool(self._hits([page, *self._open_to(groups)], 1))

    def passages(self) -> Iterator[Passage]:
        """Yield every passage, unordered."""
        every = Query.all_query()
        for _, at in self._searcher.search(every, max(1, self._searcher.num_docs)).hits:
            yield self._stored(at.segment_ord, at.doc).passage

    def passages_of(self, slug: str, limit: int) -> list[Passage]:
        """Return the first passages of a page."""
        page = Query.term_query(self._schema, "slug", slug)
        return [each.passage for each in self._hits([page], limit)]

    def similarities(self, passage: Passage, others: Sequence[Passage]) -> list[float | None]:
        """Return the semantic similarity of other passages to this one, None where unknown."""
        if self._meaning is None:
            return [None] * len(others)
        own, *vectors = self._meaning.vectors.get([e.digest for e in (passage, *others)])
        return [None if own is None or v is None else float(own @ v) for v in vectors]

    def search(
        self,
        query: str,
        *,
        limit: int,
        further: int = 0,
        language: str | None = None,
        version: str | None = None,
        tag: str | None = None,
        groups: Sequence[str] = (),
        near: str | None = None,
        prefer: Preference = NO_PREFERENCE,
    ) -> list[Passage]:
        """Return the best passages on pages with this language, version and tag, best first.

        At most `limit` are returned, and `further` ones that are worse, which change no score.
        Pages without a language or version match every known one; an unknown one finds nothing.
        Restricted pages are found for their `groups` only. `near` is the slug of the reader's
        current page; `prefer` only boosts pages. If no word of the query is known, only passages
        that are clearly similar are found.
        """
        query = self.repaired(query)
        terms = self._terms_of(query)
        filters = self._filters({"language": language, "version": version, "tag": tag})
        if filters is None:
            return []
        is_filtered = bool(filters)
        filters += self._open_to(groups)
        coming = self._begin_by_meaning(query, terms, is_filtered=is_filtered)
        by_words = any_of(terms, self._schema)
        found = self._by_words(by_words, filters, max(_LEAST_CANDIDATES, 3 * limit), terms)
        both = self._by_meaning(coming(), terms, filters, found)
        if both is None:
            return _by_share(ranked(found, near, prefer)[: limit + further], terms)
        if not any(term.is_known for term in terms) and not are_near(both):
            return []
        # the page's similarity is already included
        best = ranked(both, near, prefer, page_sections=1)
        return _by_confidence(best[: limit + further], confidence(both))

    def has_pages(self, *, language: str | None, version: str | None) -> bool:
        """Report whether a search with these filters can find anything."""
        return self._filters({"language": language, "version": version}) is not None

    def repaired(self, query: str) -> str:
        """Return the query in English with misspelled words corrected, as search uses it."""
        if translation := self.translation(query):
            return translation.text
        return self._repaired(query) if len(query) <= LONGEST_REPAIRED else query

    def translation(self, query: str) -> Translation | None:
        """Return a foreign query in words of this documentation, or None.

        Misspelled English may resemble foreign words: "procesor" is no Spanish "proceso".
        """
        if len(query) > LONGEST_TRANSLATED or not (found := self._translated(query)):
            return None
        is_misspelled = found.is_guess and self._is_explained(self._repaired(query))
        return None if is_misspelled else found

    def _is_explained(self, query: str) -> bool:
        """Report whether the documentation or English has all words of a corrected query."""
        return all(map(self._vocabulary.knows, self._analyser.words(query)))

    def terms(self, query: str) -> tuple[QueryTerm, ...]:
        """Return the query's distinct words in order, without stop words."""
        return self._terms_of(self.repaired(query))

    def _terms_of(self, query: str) -> tuple[QueryTerm, ...]:
        is_short = len(query) <= _REMEMBERED_CHARACTERS
        return self._terms(query) if is_short else self._vocabulary.terms(query)

    def lead(self, query: str, language: str | None = None) -> float | None:
        """Return the gap between the most similar passage and the others, or None if unknown.

        If `language` is set, translations into other languages do not count.
        """
        query = self.repaired(query)
        if self._meaning is None or any(map(is_cjk, self._analyser.words(query))):
            return None
        vector = self._meaning.queries.vector(query) if query.strip() else None
        if vector is None or self._languages is None:
            return None
        return self._meaning.vectors.lead(vector, self._languages.rows(language))

    def nearness(self, query: str, texts: Sequence[str]) -> float:
        """Return the highest cosine of the texts with the query; 0 if unknown."""
        if self._meaning is None or not texts:
            return 0.0
        found = self._meaning.queries.vectors([self.repaired(query), *texts])
        return max(float(found[0] @ each) for each in found[1:]) if found else 0.0

    # --- search -------------------------------------------------------------

    def _by_words(
        self,
        query: Query | None,
        filters: list[Query],
        limit: int,
        terms: tuple[QueryTerm, ...],
    ) -> list[SearchCandidate]:
        max_score = sum(term.max_score for term in terms)
        return [] if query is None else self._hits([query, *filters], limit, max_score)

    def _begin_by_meaning(
        self, query: str, terms: tuple[QueryTerm, ...], *, is_filtered: bool
    ) -> Callable[[], _NearestPassages | None]:
        """Start the semantic search; return None if only words are used.

        The model is English, so Chinese, Japanese and Korean queries only use words.
        """
        meaning = self._meaning
        if meaning is None or any(is_cjk(term.word) for term in terms) or not query.strip():
            return lambda: None
        count = _NEAREST_BEFORE_FILTERS if is_filtered else _NEAREST
        return meaning.queries.begin(
            query, lambda vector: _NearestPassages(vector, meaning.vectors.nearest(vector, count))
        )

    def _by_meaning(
        self,
        near: _NearestPassages | None,
        terms: tuple[QueryTerm, ...],
        filters: list[Query],
        found: list[SearchCandidate],
    ) -> list[SearchCandidate] | None:
        """Merge keyword candidates with semantically similar ones."""
        if near is None or self._meaning is None or self._pages is None:
            return None
        digests = set(near.digests) - {each.passage.digest for each in found}
        both = [*found, *self._of_digests(digests, terms, filters)]
        vectors = self._meaning.vectors
        cosines = vectors.cosines(near.vector, [each.passage.digest for each in both])
        pages = self._pages.cosines(near.vector, (each.passage.slug for each in both))
        placed = [each.near(cosine) for each, cosine in zip(both, cosines, strict=True)]
        return fused(placed, pages)

    def _of_digests(
        self, digests: Iterable[int], terms: tuple[QueryTerm, ...], filters: list[Query]
    ) -> list[SearchCandidate]:
        """Return these passages with their keyword scores."""
        names = [digest_term(each) for each in digests]
        if not names:
            return []
        among = Query.const_score_query(Query.term_set_query(self._schema, "digest", names), 0.0)
        query = any_of(terms, self._schema)
        scored = [] if query is None else [(Occur.Should, query)]
        clauses = [(Occur.Must, each) for each in (among, *filters)]
        hits = self._searcher.search(
            Query.boolean_query([*clauses, *scored]), len(names), count=False
        ).hits
        max_score = sum(term.max_score for term in terms)
        return [self._candidate(score, document, max_score) for score, document in hits]

    def _filters(self, conditions: dict[str, str | None]) -> list[Query] | None:
        """Return one filter clause per condition, without score; None if nothing can match."""
        clauses = []
        for field, value in conditions.items():
            if value is None:
                continue
            if not self._is_known(field, value):
                return None
            clauses.append(self._one_of(field, [value, UNSET][: 1 + (field in _OPEN_TO_ALL)]))
        return clauses

    def _is_known(self, field: str, value: str) -> bool:
        """Report whether pages have this value. Those without a language are shown as English."""
        is_of_unset = field == "language" and value == language_tag(None)
        known = (value, UNSET) if is_of_unset else (value,)
        return bool(value) and any(self._vocabulary.count(field, each) for each in known)

    def _open_to(self, groups: Sequence[str]) -> list[Query]:
        """Return a clause for restricted pages, unless there are none, because it takes time."""
        return [self._one_of("group", [UNSET, *groups])] if self._groups else []

    def _one_of(self, field: str, values: Sequence[str]) -> Query:
        clause = Query.term_set_query(self._schema, field, list(values))
        return Query.const_score_query(clause, 0.0)

    def _hits(
        self, musts: Sequence[Query], limit: int, max_score: float = 0.0
    ) -> list[SearchCandidate]:
        query = Query.boolean_query([(Occur.Must, each) for each in musts])
        hits = self._searcher.search(query, limit, count=False).hits
        return [self._candidate(score, document, max_score) for score, document in hits]

    def _candidate(
        self, score: float, document: tantivy.DocAddress, max_score: float
    ) -> SearchCandidate:
        """Return a passage with its score, also relative to the maximum for the query's words."""
        known = self._remembered(document.segment_ord, document.doc)
        share = min(1.0, score / max_score) if max_score else 0.0
        return SearchCandidate(known.passage, known.boost, score, share)


def _stored(searcher: tantivy.Searcher, segment: int, position: int) -> SearchCandidate:
    stored = searcher.doc(tantivy.DocAddress(segment, position))["passage"][0]
    record = _RECORD.decode(stored)
    return SearchCandidate(record.passage(0.0), record.boost, 0.0)


def _by_share(candidates: list[SearchCandidate], terms: tuple[QueryTerm, ...]) -> list[Passage]:
    """Return scores as fractions of the maximum for the query's words."""
    max_score = sum(term.max_score for term in terms)
    return [
        _found(each, min(1.0, each.score / max_score) if max_score else 0.0) for each in candidates
    ]


def _by_confidence(candidates: list[SearchCandidate], best: float) -> list[Passage]:
    """Return scores relative to the first, which is the confidence of the best candidates."""
    most = candidates[0].score if candidates else 0.0
    return [
        _found(each, best * max(each.score, 0.0) / most if most > 0 else 0.0) for each in candidates
    ]


def _found(candidate: SearchCandidate, score: float) -> Passage:
    return replace(candidate.passage, score=score, share=candidate.share, cosine=candidate.cosine)
