"""Whether passages say what a sentence says.

A sentence is supported where some neighbouring spans of a passage hold nearly all of its words
and contradict none of its facts: no number, name or identifier that they do not have, nothing
denied that they affirm or affirmed that they deny, no two things in each other's place.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from docstead.assistant.checking.facts import Facts, is_number
from docstead.assistant.checking.opposites import contradicts
from docstead.assistant.checking.spans import Material, Span, Window

ENOUGH = 0.7  # share of the words from which a sentence is supported
DOUBTFUL = 0.45  # from which somebody who understands it may be asked
_CONTEXT_CREDIT = 0.9  # for a word that only title and headings have
_ALIKE_CREDIT = 0.85  # for a word that begins like one of the span
_LONGER_WINDOW = 0.03  # what each further span costs
_SHORTEST_ALIKE = 4
_NEARLY_VERBATIM = 0.6
_LONGEST_REPLACED = 2


class Verdict(StrEnum):
    SUPPORTED = "supported"
    DOUBTFUL = "doubtful"  #: Most of it is there, and nothing speaks against it.
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found for a sentence: its best place, and why it was not enough."""

    verdict: Verdict
    score: float = 0.0
    material: Material | None = None
    span: Span | None = None
    reason: str = ""


def judged(claim: Facts, materials: Sequence[Material], preferred: Sequence[Material]) -> Finding:
    """The best that can be said for a sentence, by the passages it names before all others."""
    best = Finding(Verdict.UNSUPPORTED, reason="no passage speaks of it")
    for material in (*preferred, *(m for m in materials if m not in preferred)):
        found = _in_material(claim, material)
        if found.verdict is Verdict.SUPPORTED and (best.verdict is not found.verdict):
            return found
        best = max(best, found, key=lambda each: (_RANK[each.verdict], each.score))
    return best


_RANK = {Verdict.UNSUPPORTED: 0, Verdict.DOUBTFUL: 1, Verdict.SUPPORTED: 2}


def _in_material(claim: Facts, material: Material) -> Finding:
    """The best window that nothing speaks against, unless a better one speaks against it."""
    best = against = Finding(Verdict.UNSUPPORTED, reason="its words are not there")
    for window in material.windows:
        score = _coverage(claim, window.facts, material.context)
        score -= _LONGER_WINDOW * (len(window.spans) - 1)
        if score < DOUBTFUL or score <= best.score:
            continue
        span = _telling(claim, window)
        if reason := next(_conflicts(claim, window, material), ""):
            found = Finding(Verdict.UNSUPPORTED, score, material, span, reason)
            against = max(against, found, key=lambda each: each.score)
            continue
        replaced = _replaced(claim, window, material.context)
        is_enough = score >= ENOUGH and not replaced
        verdict = Verdict.SUPPORTED if is_enough else Verdict.DOUBTFUL
        reason = f"it says {replaced[1]} there, not {replaced[0]}" if replaced else ""
        best = Finding(verdict, score, material, span, reason)
    if best.verdict is Verdict.SUPPORTED or best.score > against.score:
        return best
    return against


def _coverage(claim: Facts, span: Facts, context: Facts) -> float:
    if not claim.words:
        return 0.0
    return sum(_credit(word, span, context) for word in claim.word_set) / len(claim.word_set)


def _credit(word: str, span: Facts, context: Facts) -> float:
    if word in span.word_set:
        return 1.0
    if word in context.word_set:
        return _CONTEXT_CREDIT
    return _ALIKE_CREDIT if any(_alike(word, other) for other in span.word_set) else 0.0


def _alike(word: str, other: str) -> bool:
    """Forms of one word that stemming keeps apart: `configur` and `configuration`."""
    shorter, longer = sorted((word, other), key=len)
    enough = len(shorter) >= max(_SHORTEST_ALIKE, len(longer) - 4)
    return enough and longer.startswith(shorter[: max(_SHORTEST_ALIKE, len(shorter) - 1)])


def _telling(claim: Facts, window: Window) -> Span:
    return max(window.spans, key=lambda span: len(claim.word_set & span.facts.word_set))


def _conflicts(claim: Facts, window: Window, material: Material) -> Iterator[str]:
    span, context = window.facts, material.context
    text = f"{span.source}\n{context.source}".lower()
    missing = [
        *(claim.telling_numbers - span.numbers - context.numbers),
        *(each for each in claim.identifiers if not _stands_in(each, text)),
        *(claim.names - span.word_set - context.word_set),
    ]
    if missing:
        yield f"{min(missing)} is not there"
    if misplaced := _misplaced(claim, window, material):
        yield misplaced
    if opposite := contradicts(claim, span):
        yield opposite
    if exchanged := _exchanged(claim, window):
        yield exchanged


def _stands_in(identifier: str, text: str) -> bool:
    place = text.find(identifier)
    while place >= 0:
        before, after = text[place - 1 : place], text[place + len(identifier) :][:1]
        if not (before.isalnum() or before == "_") and not (after.isalnum() or after == "_"):
            return True
        place = text.find(identifier, place + 1)
    return False


def _misplaced(claim: Facts, window: Window, material: Material) -> str:
    """A number or name that belongs to another line than the one the claim speaks of."""
    rows = [span for span in material.spans if not span.is_prose]
    for each in (*claim.telling_numbers, *claim.names):
        own = [span for span in window.spans if _has(span, each)]
        if not own:
            continue
        lines = rows if all(not span.is_prose for span in own) else window.spans
        if all(any(_says_more(line, span, claim, each) for line in lines) for span in own):
            return f"{each} is said of something else"
    return ""


def _has(span: Span, each: str) -> bool:
    return each in span.facts.numbers or each in span.facts.word_set


def _says_more(line: Span, span: Span, claim: Facts, each: str) -> bool:
    """Whether a line without it has all that the claim shares with its own line, and more."""
    shared = (claim.word_set & span.facts.word_set) - {each}
    return not _has(line, each) and shared < claim.word_set & line.facts.word_set


def _exchanged(claim: Facts, window: Window) -> str:
    """Two things that stand in each other's place."""
    for span in filter(lambda each: each.is_prose, window.spans):
        own, theirs = _neighbours(claim.words), _neighbours(span.facts.words)
        shared = [word for word in own if word in theirs]
        for place, one in enumerate(shared):
            for other in shared[place + 1 :]:
                if _is_exchange(own[one], own[other], theirs[one], theirs[other]):
                    return f"{one} and {other} have changed places"
    return ""


Neighbours = frozenset[tuple[str, str]]


def _neighbours(words: Sequence[str]) -> dict[str, Neighbours]:
    """What stands left and right of each word that stands there once."""
    found = {}
    for place, word in enumerate(words):
        left = {("left", words[place - 1])} if place else set()
        right = {("right", words[place + 1])} if place + 1 < len(words) else set()
        if words.count(word) == 1:
            found[word] = frozenset(left | right)
    return found


def _is_exchange(
    one: Neighbours, other: Neighbours, one_there: Neighbours, other_there: Neighbours
) -> bool:
    stayed = (one & one_there) | (other & other_there)
    return not stayed and bool(one & other_there) and bool(other & one_there)


def _replaced(claim: Facts, window: Window, context: Facts) -> tuple[str, str] | None:
    """A word that the span does not have, where it has another one: both of them."""
    for span in window.spans:
        theirs = span.facts.words
        matcher = difflib.SequenceMatcher(None, claim.words, theirs, autojunk=False)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            if tag != "replace" or i2 - i1 > _LONGEST_REPLACED or j2 - j1 > _LONGEST_REPLACED:
                continue
            strange = [
                word
                for word in claim.words[i1:i2]
                if not is_number(word) and _credit(word, window.facts, context) == 0
            ]
            if strange and matcher.ratio() >= _NEARLY_VERBATIM:
                return strange[0], theirs[j1]
    return None
