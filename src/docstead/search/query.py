"""Words of a query, resolved against the index."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tantivy import Occur, Query

from docstead.search.analyser import Analyser, is_cjk
from docstead.search.english import distinctiveness, is_common, is_english
from docstead.search.near_words import near_words
from docstead.search.records import UNSET
from docstead.search.spelling import suggestions
from docstead.search.stop_words import GENERIC_WORDS, STOP_WORDS
from docstead.search.synonyms import synonyms

_MOST_TERMS = 300
_TYPO_WEIGHT = 0.7
_SYNONYM_WEIGHT = 0.4
_PAIR_WEIGHT = 0.3
_NEAR_WEIGHT = 0.3
_GENERIC_WEIGHT = 0.4
_SHORTEST_HALF = 2  # maximum letters
_LONGEST_PAIR = 80  # minimum letters of two words written as one
_PAIR_SLOP = 3  # maximum words between neighbors of the query
_SATURATION = 2.2  # tantivy's k1 + 1: maximum score of a word, relative to its rarity
_TYPICAL_PASSAGES = 1000  # with fewer passages, every word looks common


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A word of a query, with its stems."""

    word: str
    stems: tuple[str, ...]  # its own, those it was corrected to, or none
    rarity: float  # weight above 0, independent of the documentation's size
    max_score: float  # maximum contribution to a score
    corrected: bool = False
    also: tuple[str, ...] = ()  # stems of synonyms
    near: tuple[tuple[str, float], ...] = ()  # stems of near-synonyms

    @property
    def is_known(self) -> bool:
        """Whether the documentation has the word, a correction or a synonym."""
        return bool(self.stems or self.also)

    @property
    def weight(self) -> float:
        """Weight of the term: highest for words that are rare here and in English."""
        weight = self.rarity * distinctiveness(self.word)
        return weight * _GENERIC_WEIGHT if self.word in GENERIC_WORDS else weight


class IndexVocabulary:
    """Words of an index."""

    def __init__(self, searcher: Any, schema: Any, analyser: Analyser) -> None:
        self._searcher = searcher
        self._schema = schema
        self._analyser = analyser
        self._synonyms: Mapping[str, tuple[str, ...]] = synonyms(analyser.stem)

    def terms(self, query: str) -> tuple[QueryTerm, ...]:
        """Return the query's distinct words, in order.

        Words in scripts that the documentation does not use, and generic words that it does not
        use, are dropped. Of long queries only the first and last words are used.
        """
        words = list(dict.fromkeys(self._analyser.words(query)))
        if len(words) > _MOST_TERMS:
            words = [*words[: _MOST_TERMS // 2], *words[-_MOST_TERMS // 2 :]]
        terms = tuple(filter(None, map(self._term, words)))
        if any(term.stems and is_cjk(term.word) for term in terms):
            return terms
        return tuple(term for term in terms if not is_cjk(term.word))

    def knows(self, word: str) -> bool:
        """Report whether a word, or a synonym, is English or occurs in the documentation."""
        stem = self._analyser.stem(word)
        return (
            is_common(word)
            or word in STOP_WORDS
            or word in GENERIC_WORDS
            or stem in self._synonyms
            or bool(self.count("text", stem) or near_words(stem) or self._in_two(word))
        )

    def has(self, word: str) -> bool:
        """Report whether the documentation has this word."""
        return bool(self.count("text", self._analyser.stem(word.lower())))

    def is_public(self, word: str) -> bool:
        """Report whether a word is common, or occurs on an unrestricted page."""
        if is_common(word) or word in STOP_WORDS:
            return True
        stem = Query.term_query(self._schema, "text", self._analyser.stem(word))
        is_open = Query.term_query(self._schema, "group", UNSET)
        both = Query.boolean_query([(Occur.Must, stem), (Occur.Must, is_open)])
        return bool(self._searcher.search(both, 1, count=False).hits)

    def words_with_prefix(self, start: str) -> Iterable[tuple[str, int]]:
        """Return words of the documentation with this prefix, with their numbers of passages."""
        found: Iterable[tuple[str, int]] = self._searcher.terms_with_prefix("words", start)
        return found

    def count(self, field: str, value: str) -> int:
        """Return the number of passages with this value."""
        found: int = self._searcher.doc_freq(field, value)
        return found

    def values(self, field: str) -> frozenset[str]:
        """Return all values of a field, including those of deleted passages."""
        return frozenset(value for value, _ in self._searcher.terms_with_prefix(field, ""))

    def _term(self, word: str) -> QueryTerm | None:
        stem = self._analyser.stem(word)
        count = self.count("text", stem)
        also = tuple(each for each in self._synonyms.get(stem, ()) if self.count("text", each))
        near = near_words(stem)
        if count:
            return QueryTerm(word, (stem,), *self._weights(count), also=also, near=near)
        if word in GENERIC_WORDS:
            return None
        if together := self._in_two(word):
            return QueryTerm(word, together, *self._weights(self.count("text", together[0])))
        stems = also or self._suggested(word)
        count = max((self.count("text", each) for each in stems), default=0)
        return QueryTerm(word, stems, *self._weights(count), corrected=True, near=near)

    def _in_two(self, word: str) -> tuple[str, ...]:
        """Return the rarer half of a word that the documentation writes as two, as in "VS Code"."""
        if len(word) > _LONGEST_PAIR or is_english(word) or not word.isalpha():
            return ()
        for position in range(_SHORTEST_HALF, len(word) - _SHORTEST_HALF + 1):
            halves = [self._analyser.stem(half) for half in (word[:position], word[position:])]
            if all(self.count("text", half) for half in halves) and self._follow(halves):
                return (min(halves, key=lambda half: self.count("text", half)),)
        return ()

    def _follow(self, stems: list[str]) -> bool:
        phrase = Query.phrase_query(self._schema, "text", list(stems))
        return bool(self._searcher.search(phrase, 1).hits)

    def _suggested(self, word: str) -> tuple[str, ...]:
        if is_english(word):  # not a misspelling, only unused here
            return ()
        meant = suggestions(word, self.words_with_prefix)
        return tuple(dict.fromkeys(self._analyser.stem(each) for each in meant))

    def _weights(self, count: int) -> tuple[float, float]:
        passages = self._searcher.num_docs
        return _rarity(count, max(passages, _TYPICAL_PASSAGES)), _SATURATION * _rarity(
            count, passages
        )


def any_of(terms: tuple[QueryTerm, ...], schema: Any) -> Query | None:
    """Return a query for passages with any of the words; None if none is known."""
    clauses = [each for term in terms for each in _clauses(term, schema)]
    clauses += _pairs([stem for term in terms for stem in term.stems[:1]], schema)
    return Query.boolean_query([(Occur.Should, each) for each in clauses]) if clauses else None


def _clauses(term: QueryTerm, schema: Any) -> Iterator[Query]:
    for stem in term.stems:
        clause = Query.term_query(schema, "text", stem, index_option="freq")
        yield Query.boost_query(clause, _TYPO_WEIGHT) if term.corrected else clause
    for stem in term.also:
        clause = Query.term_query(schema, "text", stem, index_option="freq")
        yield Query.boost_query(clause, _SYNONYM_WEIGHT)
    # Words missing in the documentation may be paraphrased.
    for stem, closeness in () if term.stems else term.near:
        clause = Query.term_query(schema, "text", stem, index_option="freq")
        yield Query.boost_query(clause, _NEAR_WEIGHT * closeness)


def _pairs(stems: list[str], schema: Any) -> Iterator[Query]:
    """Yield queries for neighboring words, which say more together than apart."""
    for pair in itertools.pairwise(stems):
        if pair[0] != pair[1]:
            clause = Query.phrase_query(schema, "text", list(pair), slop=_PAIR_SLOP)
            yield Query.boost_query(clause, _PAIR_WEIGHT)


def _rarity(count: int, passages: int) -> float:
    """Return BM25's inverse document frequency."""
    return math.log(1 + (passages - count + 0.5) / (count + 0.5))
