"""Support of a sentence by passages.

A sentence is supported if neighboring spans of a passage contain nearly all of its words and
contradict none of its facts: numbers, names and identifiers must occur, negations must agree, and
things must not be swapped.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from docstead.assistant.checking.coverage import credit, windows_with
from docstead.assistant.checking.exchanged_words import exchanged
from docstead.assistant.checking.facts import TextFacts, is_denial, is_number
from docstead.assistant.checking.measures import measures
from docstead.assistant.checking.opposites import are_opposites, contradicts, disagrees
from docstead.assistant.checking.spans import ExcerptSpans, PassageSpan, SpanWindow
from docstead.search.analyser import Analyser

ENOUGH = 0.7  # fraction of words from which a sentence is supported
DOUBTFUL = 0.45  # fraction from which the judge may be asked
_NEARLY_VERBATIM = 0.6
_EQUAL = 0.8  # of the words in order
_CONTRADICTING = 0.75  # similarity of sentences on the same topic
NEARLY_QUOTED = 0.99
_MOST_OWN_WORDS = 3
_SHORTEST_FOUND = 3
_MANY_PASSAGES = 3
_PRONOUNS = frozenset({"one", "thing", "follow", "same"})
_LEAST_CLAUSE = 4  # words
_CLAUSES_SHARE = 0.9

_LEAD = re.compile(
    r"^(?:\*\*[^*]+(?::\*\*|\*\*:)|(?:please )?note that|keep in mind that|remember that"
    r"|in (?:short|other words|summary),"
    r"|according to [^,.]{1,50},|yes,|also,|additionally,|finally,|then,|next,|first,|here,"
    r"|(?:basically|specifically|essentially|importantly|alternatively|instead|otherwise),)\s+",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r", and (?=\w)|; | — |—|, but |, so ")
_LONGEST_REPLACED = 2


#: A word of a sentence, and what the passage has instead.
_Replacement = tuple[str, str]


class SupportVerdict(StrEnum):
    SUPPORTED = "supported"
    DOUBTFUL = "doubtful"  #: Most of it occurs, and nothing contradicts it.
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class SupportFinding:
    """Best support of a sentence, with its position and the reason why it was insufficient."""

    verdict: SupportVerdict
    score: float = 0.0
    material: ExcerptSpans | None = None
    span: PassageSpan | None = None
    reason: str = ""
    is_twisted: bool = False  # the words occur, but at the wrong positions
    is_shown: bool = False  # the passage itself contains the contradiction
    is_quoted: bool = False  # verbatim
    similarity: float = 0.0  # like `score`, ignoring numbers, negations and opposites

    @property
    def contradicts(self) -> bool:
        """Whether a nearly equal sentence exists with a different statement."""
        is_alike = self.similarity >= _CONTRADICTING
        return self.verdict is SupportVerdict.UNSUPPORTED and self.is_shown and is_alike


def support_of(text: str, analyser: Analyser, materials: Sequence[ExcerptSpans]) -> SupportFinding:
    """Return the best support of a sentence, from the first passage among equals."""
    plain = _LEAD.sub("", text)
    common = _common_names(TextFacts(plain, analyser), materials)
    claim = TextFacts(plain, analyser, ignored_names=common)
    found = _best(claim, materials)
    if found.verdict is SupportVerdict.SUPPORTED or found.is_twisted:
        return found
    clauses = [each for each in _CLAUSES.split(claim.source) if len(each.split()) >= _LEAST_CLAUSE]
    if len(clauses) == 1 or sum(map(len, clauses)) < _CLAUSES_SHARE * len(claim.source):
        return found
    parts = [_best(TextFacts(each, analyser, ignored_names=common), materials) for each in clauses]
    if all(part.verdict is SupportVerdict.SUPPORTED for part in parts):
        return parts[0]
    return found


def _common_names(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> frozenset[str]:
    """Return names that occur in many passages, such as the product's."""
    if not claim.names:
        return claim.names
    counts = Counter(name for each in materials for name in claim.names & each.whole.word_set)
    return frozenset(name for name, count in counts.items() if count >= _MANY_PASSAGES)


_RANK = {SupportVerdict.UNSUPPORTED: 0, SupportVerdict.DOUBTFUL: 1, SupportVerdict.SUPPORTED: 2}


def _best(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> SupportFinding:
    """Return the best support, unless a more similar passage contradicts the claim."""
    best = against = SupportFinding(SupportVerdict.UNSUPPORTED, reason="no passage speaks of it")
    for material in materials:
        found = _in_material(claim, material)
        if found.verdict is SupportVerdict.SUPPORTED and found.score >= NEARLY_QUOTED:
            return found
        if found.contradicts:
            against = max(against, found, key=lambda each: each.score)
        best = max(best, found, key=lambda each: (_RANK[each.verdict], each.score))
    return against if against.score >= best.score else best


def _in_material(claim: TextFacts, material: ExcerptSpans) -> SupportFinding:
    """Return the best window without a contradiction, unless a better one contradicts."""
    if word_for_word := _quoted(claim, material):
        return SupportFinding(
            SupportVerdict.SUPPORTED, 1.0, material, word_for_word, is_quoted=True
        )
    best = against = SupportFinding(SupportVerdict.UNSUPPORTED, reason="its words are not there")
    for window, score in windows_with(claim, material, DOUBTFUL):
        if score <= best.score:
            continue
        span = _best_span(claim, window)
        replacements = list(_replacements(claim, window))
        conflicts = list(_conflicts(claim, window, material, replacements))
        if reason := conflicts[0].reason if conflicts else "":
            is_shown = any(each.is_shown for each in conflicts)
            found = SupportFinding(
                SupportVerdict.UNSUPPORTED, score, material, span, reason, is_shown=is_shown
            )
        elif reason := exchanged(claim, window) or _doubled(claim, window, replacements):
            is_shown = _is_nearly_verbatim(claim, window)
            found = SupportFinding(
                SupportVerdict.UNSUPPORTED, score, material, span, reason, True, is_shown
            )
        if reason:
            found = replace(found, similarity=_similarity(claim, window, material))
            against = max(against, found, key=lambda each: each.score)
            continue
        replaced = _replaced(claim, window, replacements)
        is_enough = score >= ENOUGH and not replaced and _is_nearly_all(claim, window, material)
        verdict = SupportVerdict.SUPPORTED if is_enough else SupportVerdict.DOUBTFUL
        reason = f"it says {replaced[1]} there, not {replaced[0]}" if replaced else ""
        best = SupportFinding(verdict, score, material, span, reason)
    if best.verdict is SupportVerdict.SUPPORTED or best.score > against.score:
        return best
    return against


def _quoted(claim: TextFacts, material: ExcerptSpans) -> PassageSpan | None:
    """Return the span that contains the sentence verbatim."""
    if f" {claim.bare} " not in f" {material.whole.bare} ":
        return None
    return next(
        (span for span in material.spans if f" {claim.bare} " in f" {span.facts.bare} "),
        material.spans[0] if material.spans else None,
    )


def _similarity(claim: TextFacts, window: SpanWindow, material: ExcerptSpans) -> float:
    """Return the coverage of words, ignoring those in which the sentences differ."""
    span = window.facts
    words = [
        word
        for word in claim.word_set
        if not is_number(word)
        and not is_denial(word)
        and not any(are_opposites(word, other) for other in span.word_set)
    ]
    if not words:
        return 0.0
    return sum(credit(word, span, material.context) for word in words) / len(words)


def _is_nearly_all(claim: TextFacts, window: SpanWindow, material: ExcerptSpans) -> bool:
    """Report whether few enough words of the sentence are missing, for any length."""
    context = material.context
    own = sum(credit(word, window.facts, context) == 0 for word in claim.word_set)
    return own <= _MOST_OWN_WORDS


def _best_span(claim: TextFacts, window: SpanWindow) -> PassageSpan:
    return max(window.spans, key=lambda span: len(claim.word_set & span.facts.word_set))


@dataclass(frozen=True, slots=True)
class _FactConflict:
    reason: str
    is_shown: bool  # not merely missing: the window has something else instead


def _conflicts(
    claim: TextFacts,
    window: SpanWindow,
    material: ExcerptSpans,
    replacements: Sequence[_Replacement],
) -> Iterator[_FactConflict]:
    span, context = window.facts, material.context
    is_text = all(each.is_prose or each.is_row for each in window.spans) and not _is_introduction(
        window
    )
    if numbers := _missing_numbers(claim, span, material):
        has_others = bool(span.numbers - claim.numbers)
        yield _FactConflict(f"{min(numbers)} is not there", is_text and has_others)
    names = claim.names - span.word_set - context.word_set
    if missing := _unknown(claim, span, context) or names:
        is_shown = is_text and _is_nearly_verbatim(claim, window)
        yield _FactConflict(f"{min(missing)} is not there", is_shown)
    if misplaced := _misplaced(claim, window, material):
        yield _FactConflict(misplaced, is_shown=all(each.is_row for each in window.spans))
    if opposite := contradicts(claim, span):
        yield _FactConflict(opposite, is_text and disagrees(claim, span))
    if opposite := _replaced_by_opposite(replacements):
        yield _FactConflict(opposite, is_shown=True)


def _missing_numbers(claim: TextFacts, span: TextFacts, material: ExcerptSpans) -> frozenset[str]:
    """Return numbers of the claim that the span lacks, and the passage has in no other unit."""
    missing = claim.significant_numbers - span.numbers - material.context.numbers
    own = [each for each in measures(claim.text) if each.number in missing] if missing else []
    if not own:
        return missing
    given = {(each.kind, each.amount) for each in measures(material.whole.text)}
    return missing - {each.number for each in own if (each.kind, each.amount) in given}


def _is_introduction(window: SpanWindow) -> bool:
    """Report whether the window only introduces a list, a table or code."""
    return window.spans[-1].facts.text.rstrip().endswith(":")


def _unknown(claim: TextFacts, span: TextFacts, context: TextFacts) -> frozenset[str]:
    return frozenset(each for each in claim.identifiers if not _is_known(each, span, context))


def is_composed(fact: str, text: str) -> bool:
    """Report whether it is a host with port or a name with tag whose parts occur in a text."""
    parts = [part for part in re.split(r"[/:]", fact) if part]
    return ":" in fact and all(stands_in(part, text) for part in parts)


def _is_known(identifier: str, span: TextFacts, context: TextFacts) -> bool:
    """Report whether it occurs verbatim; identifiers as short as `/` only count as code."""
    if identifier in span.identifiers or identifier in context.identifiers:
        return True
    text = f"{span.source}\n{context.source}".lower()
    return len(identifier) >= _SHORTEST_FOUND and stands_in(identifier, text)


def stands_in(identifier: str, text: str) -> bool:
    """Report whether it occurs as a separate word."""
    position = text.find(identifier)
    while position >= 0:
        before, after = text[position - 1 : position], text[position + len(identifier) :][:1]
        is_open = not identifier[-1].isalnum()  # such as the scheme `app://`
        is_path = identifier[0] == "/"  # perhaps behind its host
        if (is_path or not _is_of_word(before)) and (is_open or not _is_of_word(after)):
            return True
        position = text.find(identifier, position + 1)
    return False


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _misplaced(claim: TextFacts, window: SpanWindow, material: ExcerptSpans) -> str:
    """Return a number or name from a different line than the one the claim refers to."""
    rows = [span for span in material.spans if not span.is_prose]
    for each in (*claim.significant_numbers, *claim.names, *claim.identifiers):
        own = [span for span in window.spans if _has(span, each)]
        if not own:
            continue
        lines = rows if all(not span.is_prose for span in own) else window.spans
        if all(any(_says_more(line, span, claim, each) for line in lines) for span in own):
            return f"{each} is said of something else"
    return ""


def _has(span: PassageSpan, each: str) -> bool:
    facts = span.facts
    return each in facts.numbers or each in facts.word_set or each in facts.identifiers


def _says_more(line: PassageSpan, span: PassageSpan, claim: TextFacts, each: str) -> bool:
    """Report whether a line contains everything that the claim shares with its line, and more.

    It must have another fact of the same kind instead.
    """
    shared = (claim.word_set & span.facts.word_set) - {each, *claim.analyser.terms(each)}
    if _has(line, each) or not shared < claim.word_set & line.facts.word_set:
        return False
    own, stated = line.facts, span.facts
    if each in claim.significant_numbers:
        return bool(own.numbers - claim.numbers - stated.numbers)
    if each in claim.identifiers:
        return bool(own.identifiers - claim.identifiers - stated.identifiers)
    return bool(own.names - claim.word_set - stated.word_set)


def _replaced(
    claim: TextFacts, window: SpanWindow, replacements: Sequence[_Replacement]
) -> _Replacement | None:
    """Return a word of the claim and the different word that the span has instead."""
    nothing = TextFacts("", claim.analyser)
    for strange, instead in replacements:
        if credit(strange, window.facts, nothing) == 0 and instead not in _PRONOUNS:
            return strange, instead
    return None


def _is_nearly_verbatim(claim: TextFacts, window: SpanWindow) -> bool:
    """Report whether a span has the same words, or nearly the same in nearly the same order."""
    return any(
        sorted(claim.words) == sorted(words)
        or difflib.SequenceMatcher(None, claim.words, words, autojunk=False).ratio() >= _EQUAL
        for words in (span.facts.words for span in window.spans)
    )


def _doubled(claim: TextFacts, window: SpanWindow, replacements: Sequence[_Replacement]) -> str:
    """Return a word of the claim that is a duplicate of another instead of the span's."""
    for strange, instead in replacements:
        if 0 < window.facts.words.count(strange) < claim.words.count(strange):
            return f"it says {instead} there, not {strange}"
    return ""


def _replaced_by_opposite(replacements: Sequence[_Replacement]) -> str:
    """Return a word that is replaced by its opposite."""
    for strange, instead in replacements:
        if are_opposites(strange, instead):
            return f"it says {instead} there, not {strange}"
    return ""


def _replacements(claim: TextFacts, window: SpanWindow) -> Iterator[_Replacement]:
    """Yield replaced words of otherwise nearly equal sentences."""
    for span in window.spans:
        theirs = span.facts.words
        matcher = difflib.SequenceMatcher(None, claim.words, theirs, autojunk=False)
        # The first two are upper bounds, and quick.
        ratios = matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio
        if any(ratio() < _NEARLY_VERBATIM for ratio in ratios):
            continue
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            if tag == "replace" and max(i2 - i1, j2 - j1) <= _LONGEST_REPLACED:
                words = (word for word in claim.words[i1:i2] if not is_number(word))
                yield from ((word, theirs[j1]) for word in words)
