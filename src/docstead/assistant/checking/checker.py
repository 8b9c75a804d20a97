"""Decision on each sentence of a model: keep it with a source, or remove it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from anyio import to_thread

from docstead.assistant.checking.contradictions import contradiction
from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.hard_facts import FactSources, span_with
from docstead.assistant.checking.opposites import says_no
from docstead.assistant.checking.spans import ExcerptSpans, PassageSpan
from docstead.assistant.checking.support import SupportFinding, SupportVerdict, support_of
from docstead.models.embedding import Embedder
from docstead.search.analyser import Analyser
from docstead.search.stop_words import GENERIC_WORDS

_NEAR = 0.84  # cosine from which sentences with mostly the same words are equivalent
_KNOWN_CODE = 0.85  # fraction of the words of code that must be documented

# Words of transition sentences, which make no claim.
_CONNECTIVE_TEXT = """
answer based below brief short detail documentation documented doc docs describe described
following follow follows here hello hi happy hope information look mention mentioned note
overview page passage question reader see section sections step steps summary sure thank there
topic let know yes no okay ok great well first second third next then finally also additionally
instead alternatively otherwise example examples code command commands
"""
_CONNECTIVE = frozenset(_CONNECTIVE_TEXT.split())
_QUESTION = re.compile(r"\?[\W_]*$")
_LIST_NUMBER = re.compile(r"\W*\d+[.)]?\W*")
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_CODE_WORD = re.compile(r"[A-Za-z_$][\w$]*")
# Keywords of programming languages, which do not describe the product.
_SYNTAX_TEXT = """
and as async await break case catch class const continue def default do elif else end enum export
extends false final finally fn for from func function go if implements import in instanceof int
interface is let match mut new nil none not null or package pass print private pub public raise
return self static str string struct super switch then this throw true try type undefined use var
void when while with yield
"""
_SYNTAX = frozenset(_SYNTAX_TEXT.split())
_LITERAL = re.compile(
    r"(?<=[A-Z0-9_]=)[^\s\"']\S*|\"[^\"\n]*\"|'[^'\n]*'|<[\w -]+>|#[^\n]*|//[^\n]*"
)


#: Passages, question and further text with known facts.
_SourcesKey = tuple[tuple[ExcerptSpans, ...], str, TextFacts | None]


class SentenceStatus(StrEnum):
    SUPPORTED = "supported"
    CONNECTIVE = "connective"  #: It makes no claim.
    UNCITED = "uncited"  #: Nothing contradicts it, and no passage is close enough to cite.
    UNSUPPORTED = "unsupported"  #: It has an unknown fact, or contradicts a passage.


@dataclass(frozen=True, slots=True)
class SentenceCheck:
    """Result for a sentence. `material` is None if nothing is cited.

    A judge may reject a contradiction that the words show: `if_unconfirmed` is the result then.
    """

    status: SentenceStatus
    material: ExcerptSpans | None = None
    span: PassageSpan | None = None
    reason: str = ""
    is_quoted: bool = False  # the passage contains the sentence verbatim
    if_unconfirmed: SentenceCheck | None = None

    @property
    def is_kept(self) -> bool:
        return self.status is not SentenceStatus.UNSUPPORTED


class Checker:
    """Checks sentences against passages; without an embedder by words only."""

    def __init__(self, analyser: Analyser, embedder: Embedder | None = None) -> None:
        self._analyser = analyser
        self._embedder = embedder
        self._connective = frozenset(map(analyser.stem, _CONNECTIVE | GENERIC_WORDS))
        self._last_sources: tuple[_SourcesKey, FactSources] | None = None

    async def sentence(
        self,
        text: str,
        materials: Sequence[ExcerptSpans],
        cited: Sequence[ExcerptSpans],
        question: str,
        known: TextFacts | None = None,
    ) -> SentenceCheck:
        """Check a sentence; `known` are additional texts for its facts."""
        claim = TextFacts(text, self._analyser)
        if self._is_connective(claim, question):
            return SentenceCheck(SentenceStatus.CONNECTIVE)
        ordered = [*cited, *(each for each in materials if each not in cited)]
        found = await to_thread.run_sync(support_of, text, self._analyser, ordered)
        if found.is_quoted:
            return _supported(found)
        sources = self._sources(materials, question, known)
        uncontradicted = await self._uncontradicted(claim, found, ordered, sources)
        if _QUESTION.search(text):
            return uncontradicted
        if reason := await to_thread.run_sync(_against, claim, found, ordered):
            unconfirmed = uncontradicted if uncontradicted.is_kept else None
            return SentenceCheck(
                SentenceStatus.UNSUPPORTED, reason=reason, if_unconfirmed=unconfirmed
            )
        return uncontradicted

    def heading(
        self,
        text: str,
        materials: Sequence[ExcerptSpans],
        question: str,
        known: TextFacts | None = None,
    ) -> bool:
        """Report whether a heading written by the model contains no unknown facts."""
        sources = self._sources(materials, question, known)
        facts = sources.facts(text, self._analyser)
        # Headings may capitalize all words.
        return not sources.missing(replace(facts, names=frozenset()))

    def refuses(
        self,
        text: str,
        materials: Sequence[ExcerptSpans],
        question: str,
        known: TextFacts | None = None,
    ) -> bool:
        """Report whether a refusal only denies, as far as its language can be analyzed.

        It must not contain unknown facts.
        """
        sources = self._sources(materials, question, known)
        facts = sources.facts(text, self._analyser)
        is_known = sources.is_english and not facts.is_foreign
        return not sources.missing(facts) and (not is_known or says_no(text))

    def code(self, code: str, materials: Sequence[ExcerptSpans]) -> SentenceCheck:
        """Check code: all options and nearly all words must be documented."""
        best = SentenceCheck(SentenceStatus.UNSUPPORTED, reason="the code is not there")
        options = set(_OPTION.findall(_LITERAL.sub("", code)))
        words = _code_words(code) or _code_words(code, literals=True)
        highest = 0.0
        everything = "\n".join(material.whole.source for material in materials)
        if options - set(_OPTION.findall(everything)):
            return SentenceCheck(
                SentenceStatus.UNSUPPORTED, reason="it has an option that is not there"
            )
        known = _code_words(everything, literals=True)
        if words and len(words & known) / len(words) < _KNOWN_CODE:
            return best
        for material in materials:
            own = _code_words(material.whole.source, literals=True)
            share = len(words & own) / len(words) if words else 0.0
            if share > highest:
                highest = share
                best = SentenceCheck(SentenceStatus.SUPPORTED, material, _code_span(material))
        return best

    def _sources(
        self, materials: Sequence[ExcerptSpans], question: str, known: TextFacts | None
    ) -> FactSources:
        """Return the texts with known facts: those of the last sentence, if nothing is new."""
        key = (tuple(materials), question, known)
        if self._last_sources is None or self._last_sources[0] != key:
            others = [TextFacts(question, self._analyser), *([known] if known else [])]
            self._last_sources = key, FactSources(materials, others)
        return self._last_sources[1]

    def _is_connective(self, claim: TextFacts, question: str) -> bool:
        """Report whether a sentence makes no claim."""
        if _LIST_NUMBER.fullmatch(claim.text):
            return True
        if claim.significant_numbers or claim.denials or claim.identifiers:
            return False
        asks = claim.text.rstrip().endswith("?")
        leads = claim.text.rstrip().endswith(":")
        asked = TextFacts(question, self._analyser).word_set if asks or leads else frozenset()
        return claim.word_set <= self._connective | asked

    async def _uncontradicted(
        self,
        claim: TextFacts,
        found: SupportFinding,
        materials: Sequence[ExcerptSpans],
        sources: FactSources,
    ) -> SentenceCheck:
        """Return the result for a sentence that nothing contradicts."""
        if found.verdict is SupportVerdict.SUPPORTED or await self._is_meant(claim, found):
            return _supported(found)
        return await to_thread.run_sync(_with_known_facts, claim, materials, sources)

    async def _is_meant(self, claim: TextFacts, found: SupportFinding) -> bool:
        if found.verdict is not SupportVerdict.DOUBTFUL:
            return False
        if self._embedder is None:
            return False
        assert found.span is not None  # noqa: S101 - a doubtful sentence has a span
        near = await to_thread.run_sync(self._nearness, claim.text, found.span.facts.text)
        return near >= _NEAR

    def _nearness(self, one: str, other: str) -> float:
        assert self._embedder is not None  # noqa: S101
        vectors = self._embedder.embed([one, other])
        return float(vectors[0] @ vectors[1])


def _against(claim: TextFacts, found: SupportFinding, materials: Sequence[ExcerptSpans]) -> str:
    """Return an objection from a sentence that is nearly equal or on the same topic."""
    return found.reason if found.contradicts else contradiction(claim, materials)


def _with_known_facts(
    claim: TextFacts, materials: Sequence[ExcerptSpans], sources: FactSources
) -> SentenceCheck:
    """Keep a sentence that is not supported, unless a fact is unknown."""
    facts = sources.facts(claim.source, claim.analyser)
    if missing := sources.missing(facts):
        return SentenceCheck(SentenceStatus.UNSUPPORTED, reason=f"{missing} is not there")
    if differing := sources.differing_measure(claim.text, materials):
        return SentenceCheck(SentenceStatus.UNSUPPORTED, reason=differing)
    if facts.is_foreign and (found := span_with(facts, materials)):
        return SentenceCheck(SentenceStatus.SUPPORTED, *found)
    return SentenceCheck(SentenceStatus.UNCITED)


def _supported(found: SupportFinding) -> SentenceCheck:
    return SentenceCheck(
        SentenceStatus.SUPPORTED, found.material, found.span, is_quoted=found.is_quoted
    )


def _code_words(code: str, *, literals: bool = False) -> frozenset[str]:
    text = code if literals else _LITERAL.sub("", code)
    words = (word.lower() for word in _CODE_WORD.findall(text))
    return frozenset(word for word in words if len(word) > 1) - _SYNTAX


def _code_span(material: ExcerptSpans) -> PassageSpan | None:
    code = (span for span in material.spans if not span.is_prose)
    return next(code, material.spans[0] if material.spans else None)
