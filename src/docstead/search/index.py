"""The index of one edition: built once into a folder, then only read, from any thread.

Failure rule: a folder that holds no readable index raises `Unavailable`; a query never
fails, it finds nothing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import tantivy
from tantivy import Occur, Query

from docstead.base.errors import Unavailable
from docstead.base.units import MIB
from docstead.search.chunks import split_section
from docstead.search.documents import Document, Passage
from docstead.search.ranking import NO_PREFERENCE, Candidate, Preference, ranked
from docstead.search.spelling import suggestions
from docstead.search.stop_words import GENERIC_WORDS
from docstead.search.synonyms import synonyms
from docstead.search.words import Analyser, is_cjk

_HEAP_BYTES = 50 * MIB
_LEAST_CANDIDATES = 60
_TYPO_WEIGHT = 0.7
_SYNONYM_WEIGHT = 0.4
_PAIR_WEIGHT = 0.3
_PAIR_SLOP = 3  # words that may stand between two neighbours of the query
_SATURATION = 2.2  # tantivy's k1 + 1: what one word can score at most, times its rarity
_TYPICAL_PASSAGES = 1000  # in less, every word looks common
_UNSET = ""  # stands in filters for "no version", "no language"


class _Record(msgspec.Struct, array_like=True):
    """What is stored of a passage."""

    slug: str
    title: str
    heading_path: tuple[str, ...]
    anchor: str
    markdown: str
    language: str | None
    version: str | None
    boost: float


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A word of a query, with the stems that stand for it."""

    word: str
    stems: tuple[str, ...]  # its own, those it was corrected to, or none
    rarity: float  # how much it tells, above 0; the same in small documentations and large ones
    reach: float  # the most that it can add to a score
    corrected: bool = False
    also: tuple[str, ...] = ()  # stems of words that mean the same


def build(documents: Iterable[Document], directory: Path) -> None:
    """Write the index of these documents into an empty folder."""
    directory.mkdir(parents=True, exist_ok=True)
    index = tantivy.Index(_schema(), path=str(directory))
    analyser = Analyser()
    # One writing thread makes one segment: the smallest file, and the fastest to open.
    with index.writer(heap_size=_HEAP_BYTES, num_threads=1) as writer:
        for document in documents:
            for row in _rows(document, analyser):
                writer.add_document(tantivy.Document(**row))


class Index:
    """Finds passages."""

    def __init__(self, directory: Path) -> None:
        try:
            index = tantivy.Index.open(str(directory))
        except (ValueError, OSError) as error:
            raise Unavailable("The search index could not be read.") from error
        self._schema = index.schema
        self._searcher = index.searcher()
        self._analyser = Analyser()
        self._synonyms = synonyms(self._analyser.stem)
        self._decoder = msgspec.json.Decoder(_Record)

    @property
    def analyser(self) -> Analyser:
        return self._analyser

    def knows(self, slug: str) -> bool:
        """Whether the page is among those that may be found."""
        return self._count("slug", slug) > 0

    def search(
        self,
        query: str,
        *,
        limit: int,
        language: str | None = None,
        version: str | None = None,
        tag: str | None = None,
        near: str | None = None,
        prefer: Preference = NO_PREFERENCE,
    ) -> list[Passage]:
        """The best passages, best first, on pages of this language, version and tag.

        Pages without a language or version count for each that the documentation knows; one
        it does not know finds nothing (decisions 30). `near` is the slug of the page that
        the reader looks at; `prefer` only moves pages up.
        """
        terms = self.terms(query)
        wanted = self._any_of(terms)
        filters = self._filters({"language": language, "version": version, "tag": tag})
        if wanted is None or filters is None:
            return []
        best = sum(term.reach for term in terms)
        found = self._candidates(wanted, filters, max(_LEAST_CANDIDATES, 3 * limit))
        return [_passage(each, best) for each in ranked(found, near, prefer)[:limit]]

    def terms(self, query: str) -> tuple[QueryTerm, ...]:
        """The query's words, each once, in order.

        Words in a script that the documentation does not use are left out, and generic ones
        that it does not use.
        """
        words = dict.fromkeys(self._analyser.words(query))
        terms = tuple(filter(None, map(self._term, words)))
        if any(term.stems and is_cjk(term.word) for term in terms):
            return terms
        return tuple(term for term in terms if not is_cjk(term.word))

    def _term(self, word: str) -> QueryTerm | None:
        stem = self._analyser.stem(word)
        count = self._count("text", stem)
        also = tuple(each for each in self._synonyms.get(stem, ()) if self._count("text", each))
        if count:
            return QueryTerm(word, (stem,), *self._weights(count), also=also)
        if word in GENERIC_WORDS:
            return None
        stems = also or self._suggested(word)
        count = max((self._count("text", each) for each in stems), default=0)
        return QueryTerm(word, stems, *self._weights(count), corrected=True)

    def _suggested(self, word: str) -> tuple[str, ...]:
        meant = suggestions(word, lambda start: self._searcher.terms_with_prefix("words", start))
        return tuple(dict.fromkeys(self._analyser.stem(each) for each in meant))

    def _weights(self, count: int) -> tuple[float, float]:
        passages = self._searcher.num_docs
        return _rarity(count, max(passages, _TYPICAL_PASSAGES)), _SATURATION * _rarity(
            count, passages
        )

    def _count(self, field: str, value: str) -> int:
        return self._searcher.doc_freq(field, value)

    def _any_of(self, terms: tuple[QueryTerm, ...]) -> Query | None:
        clauses = [each for term in terms for each in self._clauses(term)]
        clauses += self._pairs([stem for term in terms for stem in term.stems[:1]])
        return Query.boolean_query([(Occur.Should, each) for each in clauses]) if clauses else None

    def _clauses(self, term: QueryTerm) -> Iterator[Query]:
        for stem in term.stems:
            clause = Query.term_query(self._schema, "text", stem, index_option="freq")
            yield Query.boost_query(clause, _TYPO_WEIGHT) if term.corrected else clause
        for stem in term.also:
            clause = Query.term_query(self._schema, "text", stem, index_option="freq")
            yield Query.boost_query(clause, _SYNONYM_WEIGHT)

    def _pairs(self, stems: list[str]) -> Iterator[Query]:
        """Neighbours in the query that are near each other in the text say more than apart."""
        for pair in itertools.pairwise(stems):
            if pair[0] != pair[1]:
                clause = Query.phrase_query(self._schema, "text", list(pair), slop=_PAIR_SLOP)
                yield Query.boost_query(clause, _PAIR_WEIGHT)

    def _filters(self, wanted: dict[str, str | None]) -> list[Query] | None:
        """One clause per filter, none adding to the score; None where nothing can match."""
        clauses = []
        for field, value in wanted.items():
            if value is None:
                continue
            if not value or not self._count(field, value):
                return None
            values = [value] if field == "tag" else [value, _UNSET]
            clause = Query.term_set_query(self._schema, field, values)
            clauses.append(Query.const_score_query(clause, 0.0))
        return clauses

    def _candidates(self, wanted: Query, filters: list[Query], limit: int) -> list[Candidate]:
        query = wanted
        if filters:
            query = Query.boolean_query([(Occur.Must, each) for each in (wanted, *filters)])
        hits = self._searcher.search(query, limit, count=False).hits
        return [self._candidate(score, address) for score, address in hits]

    def _candidate(self, score: float, address: tantivy.DocAddress) -> Candidate:
        record = self._decoder.decode(self._searcher.doc(address)["passage"][0])
        passage = Passage(
            slug=record.slug,
            title=record.title,
            heading_path=record.heading_path,
            anchor=record.anchor,
            markdown=record.markdown,
            score=score,
            language=record.language,
            version=record.version,
        )
        return Candidate(passage, record.boost)


def _rarity(count: int, passages: int) -> float:
    """BM25's inverse document frequency."""
    return math.log(1 + (passages - count + 0.5) / (count + 0.5))


def _passage(candidate: Candidate, best: float) -> Passage:
    passage = candidate.passage
    return replace(passage, score=min(1.0, passage.score / best) if best else 0.0)


def _schema() -> tantivy.Schema:
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("text", tokenizer_name="whitespace", index_option="position")
    schema.add_text_field("words", tokenizer_name="whitespace", index_option="basic")
    for name in ("slug", "language", "version", "tag"):
        schema.add_text_field(name, tokenizer_name="raw", index_option="basic")
    schema.add_bytes_field("passage", stored=True)  # and not indexed: nobody looks for it whole
    return schema.build()


def _rows(document: Document, analyser: Analyser) -> Iterator[dict[str, Any]]:
    extra = " ".join(filter(None, (document.description, *document.keywords)))
    for anchor, path, markdown in _pieces(document):
        # Title and headings count twice: what they name, the section is about.
        named = "\n".join((document.title, *path))
        words = analyser.words(f"{named}\n{named}\n{extra}\n{markdown}")
        yield {
            "text": " ".join(map(analyser.stem, words)),
            "words": " ".join(dict.fromkeys(words)),
            "slug": document.slug,
            "language": document.language or _UNSET,
            "version": document.version or _UNSET,
            "tag": document.tag or _UNSET,
            "passage": _stored(document, anchor, path, markdown),
        }
        extra = ""


def _pieces(document: Document) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Anchor, headings and text of each passage; a page without text has one, so it is found."""
    found = False
    for section in document.sections:
        for markdown in split_section(section.markdown):
            found = True
            yield section.anchor, section.heading_path, markdown
    if not found:
        yield "", (), document.description or ""


def _stored(document: Document, anchor: str, path: tuple[str, ...], markdown: str) -> bytes:
    record = _Record(
        slug=document.slug,
        title=document.title,
        heading_path=path,
        anchor=anchor,
        markdown=markdown,
        language=document.language,
        version=document.version,
        boost=document.boost,
    )
    return msgspec.json.encode(record)
