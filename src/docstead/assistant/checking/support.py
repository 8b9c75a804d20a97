"""Whether passages say what a sentence says.

A sentence is supported where some neighbouring spans of a passage hold nearly all of its words
and contradict none of its facts: no number, name or identifier that they do not have, nothing
denied that they affirm or affirmed that they deny, no two things in each other's place.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from docstead.assistant.checking.facts import SHORTEST_ALIKE, TextFacts, is_denial, is_number
from docstead.assistant.checking.opposites import are_opposites, contradicts, disagrees
from docstead.assistant.checking.spans import ExcerptSpans, PassageSpan, SpanWindow
from docstead.search.analyser import Analyser

ENOUGH = 0.7  # share of the words from which a sentence is supported
DOUBTFUL = 0.45  # from which somebody who understands it may be asked
_CONTEXT_CREDIT = 0.9  # for a word that only title and headings have
_ALIKE_CREDIT = 0.85  # for a word that begins like one of the span
_LONGER_WINDOW = 0.03  # what each further span costs
_NEARLY_VERBATIM = 0.6
_NEARLY_WHOLE = 0.75
_CONTRADICTING = 0.75  # likeness from which two sentences are about the same
NEARLY_QUOTED = 0.99
_MOST_OWN_WORDS = 3
_PAIR = 2
_SHORTEST_FOUND = 3
_LONG_FACT = 12  # characters
_MANY_PASSAGES = 3
_MOVED = 3  # neighbours that two words must have taken over
_PRONOUNS = frozenset({"one", "thing", "follow", "same"})
_LEAST_CLAUSE = 4  # words
_CLAUSES_SHARE = 0.9

_LEAD = re.compile(
    r"^(?:(?:please )?note that|keep in mind that|remember that|in (?:short|other words|summary),"
    r"|according to [^,.]{1,50},|yes,|also,|additionally,|finally,|then,|next,|first,|here,"
    r"|(?:basically|specifically|essentially|importantly|alternatively|instead|otherwise),)\s+",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r", and (?=\w)|; | — |—|, but |, so ")
_LONGEST_REPLACED = 2


class SupportVerdict(StrEnum):
    SUPPORTED = "supported"
    DOUBTFUL = "doubtful"  #: Most of it is there, and nothing speaks against it.
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class SupportFinding:
    """Support found for a sentence: its best position, and the reason why it was not enough."""

    verdict: SupportVerdict
    score: float = 0.0
    material: ExcerptSpans | None = None
    span: PassageSpan | None = None
    reason: str = ""
    is_twisted: bool = False  # it has the words of the passage, in the wrong places
    is_shown: bool = False  # the passage itself has what speaks against it
    is_quoted: bool = False  # the sentence stands there as it is
    likeness: float = 0.0  # as `score`, apart from numbers, denials and opposites

    @property
    def contradicts(self) -> bool:
        """Whether nearly the same sentence is there, and says something else."""
        is_alike = self.likeness >= _CONTRADICTING
        return self.verdict is SupportVerdict.UNSUPPORTED and self.is_shown and is_alike


def judged(text: str, analyser: Analyser, materials: Sequence[ExcerptSpans]) -> SupportFinding:
    """The best that can be said for a sentence; of equals the passage that stands first."""
    plain = _LEAD.sub("", text)
    common = _common_names(TextFacts(plain, analyser), materials)
    claim = TextFacts(plain, analyser, ignored_names=common)
    found = _best(claim, materials)
    if found.verdict is SupportVerdict.SUPPORTED or (found.contradicts and found.is_twisted):
        return found
    clauses = [each for each in _CLAUSES.split(claim.source) if len(each.split()) >= _LEAST_CLAUSE]
    if len(clauses) == 1 or sum(map(len, clauses)) < _CLAUSES_SHARE * len(claim.source):
        return found
    parts = [_best(TextFacts(each, analyser, ignored_names=common), materials) for each in clauses]
    if all(part.verdict is SupportVerdict.SUPPORTED for part in parts):
        return parts[0]
    return found


def _common_names(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> frozenset[str]:
    """Return names that many passages have, such as the product's: any sentence may have them."""
    counts = Counter(name for each in materials for name in claim.names & each.whole.word_set)
    return frozenset(name for name, count in counts.items() if count >= _MANY_PASSAGES)


_RANK = {SupportVerdict.UNSUPPORTED: 0, SupportVerdict.DOUBTFUL: 1, SupportVerdict.SUPPORTED: 2}


def _best(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> SupportFinding:
    """Return the best support for a claim, unless a closer passage denies it."""
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
    """The best window that nothing speaks against, unless a better one speaks against it."""
    if word_for_word := _quoted(claim, material):
        return SupportFinding(
            SupportVerdict.SUPPORTED, 1.0, material, word_for_word, is_quoted=True
        )
    best = against = SupportFinding(SupportVerdict.UNSUPPORTED, reason="its words are not there")
    for window, score in _windows(claim, material):
        if score <= best.score:
            continue
        span = _telling(claim, window)
        conflicts = list(_conflicts(claim, window, material))
        if reason := conflicts[0].reason if conflicts else "":
            is_shown = any(each.is_shown for each in conflicts)
            found = SupportFinding(
                SupportVerdict.UNSUPPORTED, score, material, span, reason, is_shown=is_shown
            )
        elif reason := _exchanged(claim, window) or _reversed(claim, window):
            found = SupportFinding(
                SupportVerdict.UNSUPPORTED, score, material, span, reason, True, is_shown=True
            )
        if reason:
            found = replace(found, likeness=_likeness(claim, window, material))
            against = max(against, found, key=lambda each: each.score)
            continue
        replaced = _replaced(claim, window)
        is_enough = score >= ENOUGH and not replaced and _is_nearly_all(claim, window, material)
        verdict = SupportVerdict.SUPPORTED if is_enough else SupportVerdict.DOUBTFUL
        reason = f"it says {replaced[1]} there, not {replaced[0]}" if replaced else ""
        best = SupportFinding(verdict, score, material, span, reason)
    if best.verdict is SupportVerdict.SUPPORTED or best.score > against.score:
        return best
    return against


def _quoted(claim: TextFacts, material: ExcerptSpans) -> PassageSpan | None:
    """The span in which the sentence stands as it is."""
    if f" {claim.bare} " not in f" {material.whole.bare} ":
        return None
    return next(
        (span for span in material.spans if f" {claim.bare} " in f" {span.facts.bare} "),
        material.spans[0] if material.spans else None,
    )


def _windows(claim: TextFacts, material: ExcerptSpans) -> list[tuple[SpanWindow, float]]:
    """Windows that may support the claim, with the share of its words that they have.

    A sentence that is nearly one of the passage's own is compared only with that one: what
    is next to it must not lend it numbers and names.
    """
    scored = [
        (window, _coverage(claim, window.facts, material.context)) for window in material.windows
    ]
    single = [pair for pair in scored if len(pair[0].spans) == 1 and pair[1] >= _NEARLY_WHOLE]
    chosen = single or [
        (window, score - _LONGER_WINDOW * (len(window.spans) - 1)) for window, score in scored
    ]
    return sorted(
        (pair for pair in chosen if pair[1] >= DOUBTFUL), key=lambda pair: pair[1], reverse=True
    )


def _coverage(claim: TextFacts, span: TextFacts, context: TextFacts) -> float:
    if not claim.words:
        return 0.0
    return sum(_credit(word, span, context) for word in claim.word_set) / len(claim.word_set)


def _likeness(claim: TextFacts, window: SpanWindow, material: ExcerptSpans) -> float:
    """The coverage of the words that two contradicting sentences have in common."""
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
    return sum(_credit(word, span, material.context) for word in words) / len(words)


def _is_nearly_all(claim: TextFacts, window: SpanWindow, material: ExcerptSpans) -> bool:
    """However long a sentence is, only so many of its words may be its own."""
    context = material.context
    own = sum(_credit(word, window.facts, context) == 0 for word in claim.word_set)
    return own <= _MOST_OWN_WORDS


def _credit(word: str, span: TextFacts, context: TextFacts) -> float:
    if word in span.word_set:
        return 1.0
    if word in context.word_set:
        return _CONTEXT_CREDIT
    alike = span.word_beginnings.get(word[:SHORTEST_ALIKE], ())
    return _ALIKE_CREDIT if any(_alike(word, other) for other in alike) else 0.0


def _alike(word: str, other: str) -> bool:
    """Forms of one word that stemming keeps apart: `configur` and `configuration`."""
    shorter, longer = sorted((word, other), key=len)
    enough = len(shorter) >= max(SHORTEST_ALIKE, len(longer) - 4)
    return enough and longer.startswith(shorter[: max(SHORTEST_ALIKE, len(shorter) - 1)])


def _telling(claim: TextFacts, window: SpanWindow) -> PassageSpan:
    return max(window.spans, key=lambda span: len(claim.word_set & span.facts.word_set))


@dataclass(frozen=True, slots=True)
class _FactConflict:
    reason: str
    is_shown: bool  # not only that the window lacks it: it has something else instead


def _conflicts(
    claim: TextFacts, window: SpanWindow, material: ExcerptSpans
) -> Iterator[_FactConflict]:
    span, context = window.facts, material.context
    is_text = all(each.is_prose or each.is_row for each in window.spans)
    for missing, rivals in (
        (claim.telling_numbers - span.numbers - context.numbers, span.numbers - claim.numbers),
        (_unknown(claim, span, context), _unsaid(span, claim)),
        (claim.names - span.word_set - context.word_set, span.names - claim.word_set),
    ):
        if missing:
            is_elsewhere = all(_stands_whole(each, material) for each in missing)
            is_shown = is_text and bool(rivals) and not is_elsewhere
            yield _FactConflict(f"{min(missing)} is not there", is_shown)
    if misplaced := _misplaced(claim, window, material):
        yield _FactConflict(misplaced, is_text)
    if opposite := contradicts(claim, span):
        yield _FactConflict(opposite, is_text and disagrees(claim, span))


def _unknown(claim: TextFacts, span: TextFacts, context: TextFacts) -> frozenset[str]:
    return frozenset(each for each in claim.identifiers if not _is_known(each, span, context))


def _unsaid(span: TextFacts, claim: TextFacts) -> frozenset[str]:
    """Identifiers of the span that the claim has neither as code nor as plain words."""
    text = claim.source.lower()
    others = span.identifiers - claim.identifiers
    return frozenset(each for each in others if not stands_in(each, text))


def _stands_whole(fact: str, material: ExcerptSpans) -> bool:
    """Whether another part of the passage has a fact that is too long to be there by chance."""
    text = material.whole.source.lower()
    return len(fact) >= _LONG_FACT and (stands_in(fact, text) or is_composed(fact, text))


def is_composed(fact: str, text: str) -> bool:
    """Whether it is a host with a port, or a name with a tag, and each part stands in a text."""
    parts = [part for part in re.split(r"[/:]", fact) if part]
    return ":" in fact and all(stands_in(part, text) for part in parts)


def _is_known(identifier: str, span: TextFacts, context: TextFacts) -> bool:
    """Whether it is there as it is; what is as short as `/` only where it is written as code."""
    if identifier in span.identifiers or identifier in context.identifiers:
        return True
    text = f"{span.source}\n{context.source}".lower()
    return len(identifier) >= _SHORTEST_FOUND and stands_in(identifier, text)


def stands_in(identifier: str, text: str) -> bool:
    """Whether it stands there as a word of its own."""
    place = text.find(identifier)
    while place >= 0:
        before, after = text[place - 1 : place], text[place + len(identifier) :][:1]
        if not (before.isalnum() or before == "_") and not (after.isalnum() or after == "_"):
            return True
        place = text.find(identifier, place + 1)
    return False


def _misplaced(claim: TextFacts, window: SpanWindow, material: ExcerptSpans) -> str:
    """A number or name that belongs to another line than the one the claim speaks of."""
    rows = [span for span in material.spans if not span.is_prose]
    for each in (*claim.telling_numbers, *claim.names, *claim.identifiers):
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
    """Whether a line without it has all that the claim shares with its own line, and more."""
    shared = (claim.word_set & span.facts.word_set) - {each}
    return not _has(line, each) and shared < claim.word_set & line.facts.word_set


def _exchanged(claim: TextFacts, window: SpanWindow) -> str:
    """Two things that stand in each other's place."""
    for span in filter(lambda each: each.is_prose, window.spans):
        if moved := _moved(claim.tokens, span.facts.tokens):
            return f"{moved[0]} and {moved[1]} have changed places"
        own, theirs = _surroundings(claim.tokens), _surroundings(span.facts.tokens)
        shared = [token for token in own if token in theirs]
        for place, one in enumerate(shared):
            for other in shared[place + 1 :]:
                if _is_exchange((own[one], own[other]), (theirs[one], theirs[other])):
                    return f"{one} and {other} have changed places"
    return ""


def _moved(own: Sequence[str], theirs: Sequence[str]) -> tuple[str, str] | None:
    """The two words in which two sentences differ that have the same words."""
    if len(own) != len(theirs) or sorted(own) != sorted(theirs):
        return None
    moved = [one for one, other in zip(own, theirs, strict=True) if one != other]
    return (moved[0], moved[1]) if len(moved) == _PAIR else None


Surroundings = frozenset[tuple[int, str]]


def _surroundings(tokens: Sequence[str]) -> dict[str, Surroundings]:
    """Return the neighbours of each word that occurs once, with their side."""
    return {
        token: frozenset(
            (side, tokens[place + side * distance])
            for side in (-1, 1)
            for distance in (1, 2)
            if 0 <= place + side * distance < len(tokens)
        )
        for place, token in enumerate(tokens)
        if tokens.count(token) == 1 and len(token) > 1
    }


def _is_exchange(
    own: tuple[Surroundings, Surroundings], theirs: tuple[Surroundings, Surroundings]
) -> bool:
    """Whether each of two words has the other's surroundings, and hardly its own."""
    stayed = [len(mine & there) for mine, there in zip(own, theirs, strict=True)]
    moved = [len(mine & there) for mine, there in zip(own, reversed(theirs), strict=True)]
    return all(m > s for m, s in zip(moved, stayed, strict=True)) and sum(moved) >= _MOVED


def _replaced(claim: TextFacts, window: SpanWindow) -> tuple[str, str] | None:
    """A word that the span does not have, where it has another one: both of them."""
    nothing = TextFacts("", claim.analyser)
    for strange, instead in _replacements(claim, window):
        if _credit(strange, window.facts, nothing) == 0 and instead not in _PRONOUNS:
            return strange, instead
    return None


def _reversed(claim: TextFacts, window: SpanWindow) -> str:
    """A word in the place of its opposite, or of one that the sentence then says twice."""
    for strange, instead in _replacements(claim, window):
        is_doubled = 0 < window.facts.words.count(strange) < claim.words.count(strange)
        if is_doubled or are_opposites(strange, instead):
            return f"it says {instead} there, not {strange}"
    return ""


def _replacements(claim: TextFacts, window: SpanWindow) -> Iterator[tuple[str, str]]:
    """Words in each other's place, where the sentences are nearly the same otherwise."""
    for span in window.spans:
        theirs = span.facts.words
        matcher = difflib.SequenceMatcher(None, claim.words, theirs, autojunk=False)
        if matcher.ratio() < _NEARLY_VERBATIM:
            continue
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            if tag == "replace" and max(i2 - i1, j2 - j1) <= _LONGEST_REPLACED:
                words = (word for word in claim.words[i1:i2] if not is_number(word))
                yield from ((word, theirs[j1]) for word in words)
