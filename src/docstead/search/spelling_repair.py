"""Correction of misspelled words in a query, for search and answers alike.

Only clear misspellings are corrected: plain words that neither the documentation nor English has,
close to a known word. Code, paths, quoted text and other languages are unchanged.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from docstead.search.english import common_words, is_common
from docstead.search.little_words import contraction, little_word
from docstead.search.spelling import WordsWithPrefix, most_slips, slips
from docstead.search.stop_words import STOP_WORDS
from docstead.search.translation import FUNCTION_WORDS

LONGEST_REPAIRED = 600  #: Maximum characters of a query; longer text is pasted, not typed.
_MOST_REPAIRED = 20  # words
_SHORTEST_NAME = 5  # minimum letters of a capitalized word within a sentence
_SHORT = 3  # letters: "cde" may lack one in the middle, "cli" none at the end
_SHORTEST_ENGLISH = 6  # minimum letters of a word that is English but unknown to the documentation
_SHORTEST_WITH_OTHER_LETTERS = 6  # letters: "deno" is not "demo"
_RARE = 2  # maximum number of passages in which the documentation itself misspells a word
_TIMES_RARER = 20  # minimum ratio of the passages with the word that is meant
_STOP_WORD_WEIGHT = 5.0  # weight of a word in 150 passages
_ENGLISH_WEIGHT = 0.0  # less than the weight of a word in one passage

_LEFT_OUT = r"`[^`]*`|\"[^\"]*\"|“[^”]*”|\S*[/\\_@#$=<>{}()\[\]*|~^&+\d]\S*|\S+[.:]\w\S*"
_TOKEN = re.compile(
    rf"(?:{_LEFT_OUT})|(?P<denied>\b[a-z]{{2,10}}['’]t\b)|(?<![\w'’-])(?P<word>[A-Za-z]?[a-z]{{2,40}})(?![\w-]|['’](?!s\b))"
)
_OTHER_LETTERS = re.compile(r"[^\W\d_A-Za-z]|[¿¡]")
_LITTLE_WORDS_TEXT = """
como con das dem den der des di ein eine el est et het ich ist kann la las le les los man mit
nicht oder para por pour que sind sur un una und une van wie
"""
_LITTLE_WORDS = frozenset(_LITTLE_WORDS_TEXT.split())  # of other languages
_MOST_FOREIGN = 1  # such words in an English query, as in names
_SHORTEST_FOREIGN = 3  # letters; shorter ones may be misspelled English
_SENTENCE_START = re.compile(r"(?:^|[.?!:]\s|\n)\s*\Z")
# Lists of common English words lack these, and they differ from others in one letter.
_ABBREVIATIONS_TEXT = """
aks api arn ast aws cdc cdn cli cms cors cpu crm csp csrf css csv cte dbt dns ecs eks erp etl
ftp gcp git gke gpu gql grpc hls html http https iam ide ios ipv4 ipv6 jpg json jsx jwt k8s
ldap llm lts mcp mdx mfa mtls nfs npm oidc okta orm otel otp pip png pnpm pwa rag rbac rds
rpc rss rtl s3 saml scim sdk seo sms smtp sns sql sqs ssg ssh ssl sso ssr svg tls toml tsx ttl
tts uat udp uri url utc utf uuid vpc vpn vps wal xml xss yaml
"""
_ABBREVIATIONS = frozenset(_ABBREVIATIONS_TEXT.split())


@dataclass(frozen=True, slots=True, order=True)
class _KnownWord:
    """A candidate correction; the least is the likeliest."""

    slips: int
    cost: float
    word: str


class QueryRepairs:
    """Corrections by the words of one index.

    `is_known` reports whether the documentation or English has a word; `is_public` whether every
    reader may see it; `words_with_prefix` yields words of the index with their numbers of passages.
    """

    def __init__(
        self,
        is_known: Callable[[str], bool],
        is_public: Callable[[str], bool],
        words_with_prefix: WordsWithPrefix,
    ) -> None:
        self._is_known = is_known
        self._is_public = is_public
        self._words_with_prefix = words_with_prefix

    def repaired(self, query: str) -> str:
        """Return the query with misspelled words corrected."""
        if len(query) > LONGEST_REPAIRED or _is_foreign(query):
            return query
        tokens = (token for token in _TOKEN.finditer(query) if token["word"] or token["denied"])
        unknown = (token for token in tokens if token["denied"] or self._is_unknown(token[0]))
        for token in reversed(list(islice(unknown, _MOST_REPAIRED))):
            query = f"{query[: token.start()]}{self._meant(token)}{query[token.end() :]}"
        return query

    def _is_unknown(self, word: str) -> bool:
        """Report whether neither the documentation nor English has a word.

        Lists of English words have almost all that is as short as "te" and "fr".
        """
        if word.lower() in _ABBREVIATIONS:
            return False
        if not self._is_known(word.lower()) or self._is_rare(word.lower()):
            return True
        return bool(little_word(word)) and word not in STOP_WORDS and not self._is_indexed(word)

    def _is_indexed(self, word: str) -> bool:
        return any(known == word for known, _ in self._words_with_prefix(word))

    def _is_rare(self, word: str) -> bool:
        """Report whether it may be misspelled in the documentation, too."""
        return not is_common(word) and 0 < self._passages_with(word) <= _RARE

    def _passages_with(self, word: str) -> int:
        """Return the number of passages with a word or its plural."""
        forms = (word, f"{word}s")
        return sum(count for known, count in self._words_with_prefix(word) if known in forms)

    def _meant(self, token: re.Match[str]) -> str:
        """Return the likeliest correction with the word's capitalization, or the word itself."""
        if token["denied"]:
            return contraction(token[0]) or token[0]
        if little := little_word(token[0]):
            return little
        word = token[0].lower()
        is_capital = word != token[0]
        is_name = is_capital and not _SENTENCE_START.search(token.string, 0, token.start())
        if self._is_unfinished(token) or (is_name and len(word) < _SHORTEST_NAME):
            return token[0]
        found = self._candidates_for_name(word) if is_name else self._candidates(word)
        public = (each.word for each in sorted(found) if self._is_public(each.word))
        meant = next(public, token[0])
        return meant.capitalize() if is_capital else meant

    def _is_unfinished(self, token: re.Match[str]) -> bool:
        """Report whether the reader may still be typing this word."""
        is_last = token.end() == len(token.string)
        return is_last and any(True for _ in self._words_with_prefix(token[0].lower()))

    def _candidates(self, word: str) -> Iterator[_KnownWord]:
        if passages := self._passages_with(word):
            yield from self._candidates_for_name(word, _TIMES_RARER * passages)
            return
        for known, count in self._words_of_index(word):
            yield from _candidate(word, known, math.log1p(count))
        for known in self._words_of_english(word):
            is_stop_word = known in STOP_WORDS
            if is_stop_word or len(word) >= _SHORTEST_ENGLISH:
                weight = _STOP_WORD_WEIGHT if is_stop_word else _ENGLISH_WEIGHT
                yield from (each for each in _candidate(word, known, weight) if each.slips == 1)

    def _candidates_for_name(self, word: str, least: int = 2) -> Iterator[_KnownWord]:
        """Yield words of this many passages that differ by swapped, doubled or missing letters."""
        for known, count in self._words_of_index(word):
            if count >= least and not _has_other_letters(word, known):
                found = _candidate(word, known, math.log1p(count))
                yield from (each for each in found if each.slips == 1)

    def _words_of_index(self, word: str) -> Iterator[tuple[str, int]]:
        lengths = _lengths(word)
        for start in _starts(word):
            for known, count in self._words_with_prefix(start):
                if len(known) in lengths and (len(word) > _SHORT or _is_short_slip(word, known)):
                    yield known, count

    def _words_of_english(self, word: str) -> Iterator[str]:
        lengths = _lengths(word)
        for start in _starts(word):
            for known in common_words(start[0]):
                if len(known) in lengths and known.startswith(start):
                    yield known


def _starts(word: str) -> tuple[str, ...]:
    """Return prefixes of possible corrections: the first letter, or the first two swapped."""
    return (word[0],) if word[0] == word[1] else (word[0], word[1::-1])


def _lengths(word: str) -> range:
    """Return the lengths of possible corrections, which are cheaper to compare than letters."""
    most = most_slips(word)
    return range(len(word) - most, len(word) + most + 1)


def _is_short_slip(word: str, known: str) -> bool:
    """Report whether a word of three letters has a transposition, or lacks the middle letter."""
    is_swap = word[0] == known[0] and sorted(word) == sorted(known)
    return is_swap or (word[-1] == known[-1] and len(known) > len(word))


def _is_foreign(query: str) -> bool:
    words = set(query.lower().split())
    return sum(map(_is_foreign_word, words)) > _MOST_FOREIGN or bool(_OTHER_LETTERS.search(query))


def _is_foreign_word(word: str) -> bool:
    """Report whether it is a little word of another language."""
    if word in _LITTLE_WORDS:
        return True
    may_be_english = len(word) < _SHORTEST_FOREIGN or word in STOP_WORDS or is_common(word)
    return word in FUNCTION_WORDS and not may_be_english


def _candidate(word: str, known: str, weight: float) -> Iterator[_KnownWord]:
    """Yield a known word if it may be meant, with this weight."""
    if not known.isalpha():
        return
    most = most_slips(word)
    count = slips(word, known, most)
    is_too_short = len(word) < _SHORTEST_WITH_OTHER_LETTERS and _has_other_letters(word, known)
    if count <= most and not is_too_short:
        yield _KnownWord(count, -weight - _commonness(word, known), known)


def _has_other_letters(word: str, known: str) -> bool:
    """Report whether the word has letters that the known one lacks."""
    return not set(word) <= set(known)


def _commonness(word: str, known: str) -> float:
    """Return the weight of a kind of misspelling: swapped, doubled, missing, other letters."""
    if word[0] != known[0]:
        return 0.0
    if sorted(word) == sorted(known) or set(word) == set(known):
        return 2.0
    return 1.5 if len(word) < len(known) and not _has_other_letters(word, known) else 0.0
