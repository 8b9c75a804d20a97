"""Numbers, identifiers and names of a sentence, which must occur in a known text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from docstead.assistant.checking.facts import TextFacts, is_number
from docstead.assistant.checking.measures import Measure, in_another_unit, measures
from docstead.assistant.checking.spans import ExcerptSpans, PassageSpan
from docstead.assistant.checking.support import is_composed, stands_in
from docstead.search.analyser import Analyser
from docstead.search.stop_words import STOP_WORDS

_DIGITS = re.compile(r"(?<![A-Za-z0-9_.])\d+(?:[.,_]\d+)*(?![A-Za-z0-9_])", re.ASCII)
_CODE = re.compile(r"`[^`]*`")
_WORD = re.compile(r"[^\W\d_]+")
_SCRIPT_BORDER = re.compile(
    r"(?<=[\x00-\x7f])(?=[\u0370-\uffdc])|(?<=[\u0370-\uffdc])(?=[\x00-\x7f])"
)
# Code that a sentence gives as an example of its own, options and URLs excepted.
_EXAMPLE = re.compile(
    r"\b(?:like|such as|for example|e\.g\.|say),? `(?!-)(?![^`]*://)[^`]+`|(?<=\bif )`\w+` is \d+",
    re.IGNORECASE,
)
_OTHER_SCRIPT = re.compile(r"[\u0370-\u1fff\u2e80-\uffdc]")
_OPAQUE = re.compile(r"[A-Za-z0-9+/=]{32,}")  # encoded data or a key, not a word
# An abbreviation, a number with its separators, or a quoted character.
_NO_IDENTIFIER = re.compile(r"[^\W\d_](?:\.[^\W\d_])+|[\d.]+|\W+")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@(?!example\.)[\w-]+(?:\.[\w-]+)+")
_ABBREVIATED = re.compile(r"((?:\b[\w-]{1,100} ){2,6})\(([A-Z]{2,6})s?\)")
_LOOPBACK = re.compile(r"\blocalhost\b")
_LONGEST_LITTLE_WORD = 4
_SHORTEST_FOUND = 3
_COMMON_SHARE = 0.5  # fraction of function words from which texts share a language
_CONTENT_WORDS = 3  # minimum number of function words; of fewer, all must be shared

# Words typical of one language among those of a script, and their fraction of a text.
_ENGLISH_WORDS = frozenset(
    ["the", "of", "and", "to", "is", "for", "with", "you", "this", "are", "that", "your", "from"]
)
# Words of German, Spanish, French and Portuguese sentences that are no English words.
_FOREIGN_WORDS_TEXT = """
der das den dem und ist sind nicht für mit ohne zum zur im von ein eine auf wird sie sich bei aus
wenn oder nur auch kann wie nach vom ihr ihre
el los las una del por con para que como está sus hay les des est une pas dans pour sur aux vous
avec ou qui os um uma não com são seu sua dos nas nos pelo pela
"""
_FOREIGN_WORDS = frozenset(_FOREIGN_WORDS_TEXT.split())
_LEAST_FOREIGN = 2
_ENGLISH_SHARE = 0.05

# Abbreviations that count as ordinary words.
_COMMON_NAMES_TEXT = """
ai api llm sdk url http https html json yaml cli id ui os faq
"""
_COMMON_NAMES = frozenset(_COMMON_NAMES_TEXT.split())

# Abbreviations that every developer knows, and that are no formats, channels or values.
_FIELD_TEXT = """
acl cdn cors cpu crud csrf dns dom gui ide io ip orm pii ram rbac rest rpc saas smtp ttl uri uuid vm
xss
"""
_FIELD_NAMES = frozenset(_FIELD_TEXT.split())
# A sentence that says what the product offers: there such a name is a fact like others.
_OFFERING = re.compile(
    r"\b(?:support|accept|offer|includ|integrat|enabl|allow|handl)\w*"
    r"|\b(?:provid(?:e|es|ed|ing)|requires?|needs?)\b"
    r"|\b(?:available|compatible|built[ -]in|comes? with|works? with)\b"
    r"|\b(?:by|via|over|through|as|into) (?-i:[A-Z]{2,})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class HardFacts:
    """Facts of one sentence. Spelled-out numbers and names count only in the passages' language."""

    numbers: frozenset[str]
    identifiers: frozenset[str]
    names: frozenset[str]
    is_foreign: bool


class FactSources:
    """All texts that support a sentence's facts: passages, question, page.

    Their facts are computed once for all sentences.
    """

    def __init__(self, materials: Sequence[ExcerptSpans], others: Sequence[TextFacts]) -> None:
        self._others = others
        self._texts = [*others, *_texts(materials)]
        links = "\n".join(each.excerpt.link for each in materials)
        sources = "\n".join(each.whole.source for each in materials)
        titles = "\n".join(text.source for text in self._texts)
        source = f"{sources}\n{titles}\n{links}".lower()
        with_numbers = _LOOPBACK.sub("127.0.0.1", source)
        self._source = source if with_numbers == source else f"{source}\n{with_numbers}"

    def facts(self, text: str, analyser: Analyser) -> HardFacts:
        """Return the facts of a text."""
        text = _ABBREVIATED.sub(self._known_form, _EXAMPLE.sub(" ", _SCRIPT_BORDER.sub(" ", text)))
        claim = TextFacts(text, analyser)
        is_foreign = self._is_foreign(claim)
        identifiers = {
            part
            for each in claim.identifiers
            for part in each.split("=")
            if len(part) > 1 and not _NO_IDENTIFIER.fullmatch(part)
        } | {each.lower() for each in (*_OPAQUE.findall(claim.text), *_EMAIL.findall(claim.text))}
        is_introduction = claim.text.rstrip().endswith(":")
        spelled = not is_foreign and not is_introduction
        numbers = claim.significant_numbers if spelled else frozenset(_DIGITS.findall(claim.text))
        numbers -= {each.number for each in measures(claim.text) if self._has_amount(each)}
        names = frozenset() if is_foreign else claim.names - _well_known(claim)
        # Only in English are capitals reserved for names; German nouns have them too.
        if names and not self.is_english:
            names = frozenset()
        return HardFacts(numbers, frozenset(identifiers), names, is_foreign)

    def _known_form(self, given: re.Match[str]) -> str:
        """Return only the words or the abbreviation of "Access Control List (ACL)", if known."""
        words, short = given[1].split(), given[2]
        before, spelled = words[: -len(short)], " ".join(words[-len(short) :])
        known = (each for each in (spelled, short) if stands_in(each.lower(), self._source))
        return " ".join((*before, next(known, given[0])))

    @cached_property
    def is_english(self) -> bool:
        """Report whether the texts are in English, as far as they contain sentences."""
        little = sum(self._words[word] for word in _ENGLISH_WORDS)
        return little >= _ENGLISH_SHARE * self._words.total()

    @cached_property
    def _words(self) -> Counter[str]:
        return Counter(_WORD.findall(self._source))

    def missing(self, facts: HardFacts) -> str:
        """Return a fact that occurs in none of the texts, or ""."""
        missing = [
            *(each for each in facts.numbers if not self._has_number(each)),
            *(each for each in facts.identifiers if not self._has_identifier(each)),
            *(each for each in facts.names if not self._has_name(each)),
        ]
        return min(missing, default="")

    def differing_measure(self, text: str, materials: Sequence[ExcerptSpans]) -> str:
        """Explain a duration or size whose number only occurs with a different unit; "" if none.

        The first of these passages that has it is named.
        """
        for claimed in measures(text):
            if self._has_amount(claimed):
                continue
            texts = [*self._others, *_texts(materials)]
            given = (each for own in texts for each in measures(own.text))
            if other := in_another_unit(claimed, given):
                return f"it says {other.text} there, not {claimed.text}"
        return ""

    @cached_property
    def _amounts(self) -> frozenset[tuple[str, float]]:
        given = (each for own in self._texts for each in measures(own.text))
        return frozenset((each.kind, each.amount) for each in given)

    def _has_amount(self, claimed: Measure) -> bool:
        """Report whether a duration or size occurs in any unit, such as milliseconds."""
        is_bare = claimed.kind == "time" and self._has_number(f"{claimed.amount * 1000:g}")
        return is_bare or (claimed.kind, claimed.amount) in self._amounts

    def _has_number(self, number: str) -> bool:
        if re.sub(r"\D", "", number) in self._digits:
            return True
        # A single digit occurs too often.
        return len(number) > 1 and bool(
            re.search(rf"(?<!\d){re.escape(number)}(?!\d)", self._source)
        )

    @cached_property
    def _digits(self) -> frozenset[str]:
        """The digits of all numbers."""
        return frozenset(re.sub(r"\D", "", each) for text in self._texts for each in text.numbers)

    def _has_identifier(self, identifier: str) -> bool:
        if any(identifier in text.identifiers for text in self._texts):
            return True
        local = _LOOPBACK.sub("127.0.0.1", identifier)
        if len(identifier) < _SHORTEST_FOUND:
            return False
        return any(
            stands_in(each, self._source) or is_composed(each, self._source)
            for each in (identifier, local)
        )

    def _has_name(self, stem: str) -> bool:
        return stem in self._source or any(stem in text.word_set for text in self._texts)

    def _is_foreign(self, claim: TextFacts) -> bool:
        """Report whether a sentence has another script, or hardly any of the function words."""
        words = _WORD.findall(_CODE.sub(" ", claim.source))
        letters = "".join(words)
        others = len(_OTHER_SCRIPT.findall(letters))
        if 2 * others > len(letters):
            return not _OTHER_SCRIPT.search(self._source)
        lower = [word.lower() for word in words if len(word) <= _LONGEST_LITTLE_WORD]
        foreign = sum(word in _FOREIGN_WORDS for word in lower)
        if self.is_english and foreign >= _LEAST_FOREIGN > sum(w in _ENGLISH_WORDS for w in lower):
            return True
        little = [word for word in lower if not is_number(word)]
        least = _COMMON_SHARE if len(little) >= _CONTENT_WORDS else 1
        known = sum(word in STOP_WORDS or word in self._words for word in little)
        return known < least * len(little)


def span_with(
    facts: HardFacts, materials: Sequence[ExcerptSpans]
) -> tuple[ExcerptSpans, PassageSpan] | None:
    """Return a passage's span with all identifiers and numbers of a sentence."""
    required = facts.identifiers | facts.numbers
    if not facts.identifiers:
        return None
    for material in materials:
        for span in material.spans:
            if all(stands_in(each, span.facts.source.lower()) for each in required):
                return material, span
    return None


def _well_known(claim: TextFacts) -> frozenset[str]:
    """Return the stems of abbreviations that say nothing about the product in this sentence."""
    if _OFFERING.search(claim.text):
        return _COMMON_NAMES
    return _COMMON_NAMES | _field_stems(claim.analyser.stem)


@lru_cache
def _field_stems(stem: Callable[[str], str]) -> frozenset[str]:
    return frozenset(map(stem, _FIELD_NAMES))


def _texts(materials: Sequence[ExcerptSpans]) -> Iterator[TextFacts]:
    for material in materials:
        yield material.context
        yield from (span.facts for span in material.spans)
