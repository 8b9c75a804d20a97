"""Detection of sentences with opposite meanings."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from docstead.assistant.checking.facts import Negation, TextFacts, base_forms
from docstead.assistant.checking.opposite_words import senses

_CASE = re.compile(r"^(?:if|when|unless|where)\b[^,]*,", re.IGNORECASE)
# Before and after what a sentence says: "Without a key, …", "…, so you can do without it".
_ASIDE = re.compile(
    r"^(?:if|when|unless|where|without|for)\b[^,]*,|^[^:]{1,60}: |,? so\b.*$|, not\b.*$",
    re.IGNORECASE,
)
_NOT = frozenset({"not", "cannot", "no", "never"})
_NEARLY_SAME = 0.5  # of the words of a sentence
_BESIDE = 4  # words on each side that the opposite refers to

_PARTICLES = {"on": "off", "off": "on", "up": "down", "down": "up", "in": "out", "out": "in"}


#: Words of negation in a broad sense.
_NEGATIVE = re.compile(
    r"(?<![\w-])(?:not|no|never|none|neither|nor|cannot|without|nothing|nobody|\w+n['’]t|non-\w+|un(?!til|der|i)[a-z]{3,}"
    r"|in(?:valid|correct|secure)|avoid\w*|instead|rather|except|unless|only|lack\w*|missing|miss"
    r"|fail\w*|refus\w*|reject\w*|forbid\w*|prohibit\w*|prevent\w*|disabl\w*|block\w*|ignor\w*|skip\w*"
    r"|omit\w*|empty|leave|leav\w+|lost|lose\w*|gone|stop\w*|off|too(?= \w)|small|less|few|hardly"
    r"|remov\w*|drop\w*|(?:stay|leav|left|keep)\w* out|keep\w* [\w ]+ from|discard\w*|limit\w*"
    r"|otherwise|even|though|despite|free|beyond|outside|exclud\w*|den(?:y|ies))(?![\w-])",
    re.IGNORECASE,
)


def says_no(text: str) -> bool:
    """Report whether a text negates, excludes or limits anything."""
    return bool(_NEGATIVE.search(text))


def disagrees(claim: TextFacts, span: TextFacts) -> bool:
    """Report whether a contradiction changes the meaning; a double negation does not.

    "Refuses to start without a key" and "refuses to start if the key is unset" agree.
    """
    if not (claim.denials or span.denials):
        return True
    if len(claim.word_set & span.word_set) < _NEARLY_SAME * len(span.word_set):
        return False
    own, theirs = _negatives(claim.text), _negatives(span.text)
    return ((own - theirs).total() + (theirs - own).total()) % 2 == 1


def _negatives(text: str) -> Counter[str]:
    """Count words of negation, except in a subordinate clause at the beginning."""
    found = (word.lower() for word in _NEGATIVE.findall(_CASE.sub("", text)))
    return Counter(
        "not" if word in _NOT or word.endswith(("n't", "n’t")) else word for word in found
    )


def contradicts(claim: TextFacts, span: TextFacts) -> str:
    """Return why the span contradicts the claim, or ""."""
    return (
        _denied(claim, span)
        or _affirmed(claim, span)
        or _opposite(claim, span)
        or _switched(claim, span)
    )


def _switched(claim: TextFacts, span: TextFacts) -> str:
    """Return a contradiction such as `switched on` and `switched off`."""
    for verb, particle in claim.particles:
        other = _PARTICLES[particle]
        if (verb, other) in span.particles and (verb, particle) not in span.particles:
            return f"it says {verb} {other} there"
    return ""


def _denied(claim: TextFacts, span: TextFacts) -> str:
    """Return what the claim denies and the span does not, or ""."""
    own = TextFacts(without_asides(claim.text), claim.analyser) if claim.denials else claim
    denials = [d for d in own.denials if d.of_verb and not span.word_set.isdisjoint(d.words)]
    if len(denials) > len(span.denials):
        return "it denies what is not denied there"
    for denial in denials:
        if not any(_shares(denial, other) for other in span.denials):
            return f"{denial.words[0]} is not denied there"
    return ""


def without_asides(text: str) -> str:
    """Return what a sentence says, without a condition before it or a result behind it."""
    return _ASIDE.sub("", text)


def _affirmed(claim: TextFacts, span: TextFacts) -> str:
    """Return what the claim affirms and the span denies, or ""."""
    for denial in span.denials:
        head = denial.words[:1]
        if not head or head[0] not in claim.word_set:
            continue
        if any(_shares(other, denial) for other in claim.denials):
            continue
        # It may be affirmed elsewhere in the span.
        if span.words.count(head[0]) > 1:
            continue
        if len(set(denial.words) & claim.word_set) == len(set(denial.words)):
            return f"{head[0]} is denied there"
    return ""


def _shares(one: Negation, other: Negation) -> bool:
    return bool(set(one.words) & set(other.words))


def _opposite(claim: TextFacts, span: TextFacts) -> str:
    for one in sorted(claim.said & senses().keys()):
        for sense in senses()[one]:
            if sense.opposites & claim.said or sense.mates & span.said:
                continue
            for other in sorted(sense.opposites & span.said):
                return f"it says {other} there, not {one}"
    return ""


def are_opposites(stem: str, other: str) -> bool:
    return any(one.startswith(other) for one in _opposites_of(stem))


@lru_cache(4096)
def _opposites_of(stem: str) -> frozenset[str]:
    """Return the opposites of all words that begin with a stem."""
    return frozenset(
        one
        for word, all_senses in senses().items()
        if word.startswith(stem)
        for sense in all_senses
        for one in sense.opposites
    )


#: The order of two things is compared separately.
_ORDER = frozenset(["after", "before", "first", "last", "earlier", "later"])


def opposed(claim: TextFacts, other: TextFacts) -> tuple[str, str] | None:
    """Return a word of the claim and its opposite in another sentence about the same words."""
    if claim.denials:
        return None
    denied = frozenset(word for denial in other.denials for word in denial.words)
    for one in sorted((claim.forms & senses().keys()) - _ORDER):
        for sense in senses()[one]:
            if sense.opposites & claim.forms or sense.mates & other.forms:
                continue
            for opposite in sorted(sense.opposites & other.forms):
                is_denied = not denied.isdisjoint(claim.analyser.terms(opposite))
                if not is_denied and _around(claim, one) & _around(other, opposite):
                    return one, opposite
    return None


def means(pair: tuple[str, str], other: TextFacts) -> bool:
    """Report whether another sentence has the first word of a pair, or one that means the same."""
    one, opposite = pair
    return any(
        not sense.mates.isdisjoint(other.forms)
        for sense in senses()[one]
        if opposite in sense.opposites
    )


def _around(facts: TextFacts, word: str) -> frozenset[str]:
    """Return stems of the words next to a word."""
    words = re.findall(r"[a-z]+", facts.text.lower())
    positions = [position for position, each in enumerate(words) if word in base_forms(each)]
    return frozenset(
        stem
        for position in positions
        for each in words[max(0, position - _BESIDE) : position + _BESIDE + 1]
        for stem in facts.analyser.terms(each)
    ) - {facts.analyser.stem(word)}
