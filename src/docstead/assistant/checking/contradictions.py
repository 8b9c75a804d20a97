"""Contradictions between sentences on the same topic in different words.

Both sentences share content words. Each rule detects a kind of disagreement that can be explained
to a maintainer with words of both sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docstead.assistant.checking.facts import TextFacts, is_number
from docstead.assistant.checking.opposites import opposed, says_no
from docstead.assistant.checking.spans import ExcerptSpans

_LEAST_SHARED = 2  # shared words of two sentences on the same topic
_LEAST_SHARE = 0.3  # fraction of the claim's words
_ABOUT_THE_SAME = 0.5  # fraction from which a negation concerns the claim
_MOST_NEAR = 8
_NEAREST = 4  # sentences examined for "all" and "only" claims
# Verbs before the negated one: "is not used for", "does not work with".
_LIGHT = frozenset(["use", "work", "need", "be", "do", "make", "get", "let", "allow", "set"])
_WISH = re.compile(
    r"\b(?:if|when|where|whenever|what|as|all)(?: [\w'’]+){1,3} needs?\b", re.IGNORECASE
)
_PART = re.compile(r"[,;]|\bor\b|\band\b")


def _pattern(alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{alternatives})(?![\w-])", re.IGNORECASE)


_NEWEST = _pattern(r"newest|latest|most recent")
_RECENT = _pattern(r"newest|latest|recent\w*|current|up[- ]to[- ]date|newer|new")
_DENYING = _pattern(r"not|never|cannot|no longer|\w+n['’]t")
_ONLY = _pattern(r"only|solely|exclusively")
_LIMITING = _pattern(
    r"only|solely|exclusively|just|unless|except|single|one|none|nothing else|no other|must|not"
    r"|alone|limited|restricted|requires?|\w+-only|\w+n['’]t|cannot|until|no|without"
)
_UNIVERSAL = _pattern(r"always|every|reliably|in all cases|guaranteed")
_WHOLE = _pattern(
    r"always|every\w*|all|any\w*|each|whole|entire\w*|both|never|reliably|guarantee\w*"
    r"|completely|fully|whenever|whatever"
)
_NECESSARY = _pattern(
    r"must|(?:have|has|had) to|needs?|requires?|required|mandatory|necessary|compulsory"
)
_UNNECESSARY = _pattern(
    r"optional(?:ly)?|without|not (?:required|necessary|needed)|no need|need not|unnecessary"
    r"|(?:do|does)(?: not|n['’]t) (?:need|have to|require|matter)|no \w+ (?:needed|required)"
    r"|drop-in"
)
_FREE = _pattern(
    r"optional|(?:is|are) enough|not (?:required|necessary|needed)|no need|need not|unnecessary"
    r"|(?:do|does)(?: not|n['’]t) (?:need|have to|require)|no \w+ (?:needed|required)"
    r"|on (?:its|their) own|by (?:itself|themselves)"
)
_BEFORE = re.compile(r"(.+?)[,;]? (?:before|and then|then) (.+)", re.IGNORECASE)
_AFTER = re.compile(r"(.+?)[,;]? after (.+)", re.IGNORECASE)
_FIRST = re.compile(
    r"(.+?) first\b[,;]? (?:(?:and|then) )*(.+)|first,? (.+?)[,;] (?:and )?then (.+)",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:^|(?<=[,;.] ))(?:if|when|unless|as long as)\b[^,;]*[,;]", re.IGNORECASE
)
_EXAMPLE = re.compile(
    r"\bonly (?:an?|the|as an?|one) (?:\w+ )?(?:example|sample|placeholder)\b", re.IGNORECASE
)
_DEFAULT = _pattern(r"defaults?")
_UNSET = _pattern(r"false|disabled|off|none|empty|not (?:set|enabled|included|used|active)")


@dataclass(frozen=True, slots=True)
class SimilarSentence:
    """A sentence on the same topic, with the shared words."""

    facts: TextFacts
    shared: frozenset[str]
    share: float  # fraction of the claim's words
    back: float  # fraction of its own words

    @property
    def likeness(self) -> float:
        return 2 * self.share * self.back / (self.share + self.back)


Rule = Callable[[TextFacts, Sequence[SimilarSentence]], str]


def contradiction(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> str:
    """Return a contradiction by the most similar sentences, or ""."""
    if claim.text.rstrip().endswith(":"):
        return ""
    near = nearest(claim, materials)
    return next(filter(None, (rule(claim, near) for rule in _RULES)), "") if near else ""


def nearest(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> list[SimilarSentence]:
    """Return the sentences and headings that share most words with a claim, best first."""
    words, found = claim.subjects, {}
    for facts in (sentence for material in materials for sentence in material.sentences):
        shared = words & facts.subjects
        if len(shared) >= max(_LEAST_SHARED, _LEAST_SHARE * len(words)):
            back = len(shared) / len(facts.subjects)
            found[facts.bare] = SimilarSentence(facts, shared, len(shared) / len(words), back)
    return sorted(found.values(), key=lambda each: -each.likeness)[:_MOST_NEAR]


def _denied(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if the most similar sentence denies a word and the claim does not."""
    if says_no(claim.text):
        return ""
    for place, each in enumerate(near):
        for denial in each.facts.denials if each.share >= _ABOUT_THE_SAME else ():
            head = next((word for word in denial.words if word not in _LIGHT), "")
            is_affirmed = any(each.shared <= nearer.shared for nearer in near[:place])
            if head in each.shared and not is_affirmed:
                return f"{head} is denied there"
    return ""


def _generalised(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if only the claim speaks of all cases."""
    word = _UNIVERSAL.search(claim.text)
    if word and not any(_WHOLE.search(each.facts.text) for each in near[:_NEAREST]):
        return f"it is not said there of {word[0].lower()}"
    newest = _NEWEST.search(claim.text)
    if newest and not any(_RECENT.search(each.facts.text) for each in near):
        return f"it is not said there of the {newest[0].lower()}"
    return ""


def _narrowed(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if only the claim is limited to one case."""
    word = _ONLY.search(_EXAMPLE.sub("", _CONDITION.sub("", claim.text)))
    if word and not any(_LIMITING.search(each.facts.text) for each in near[:_NEAREST]):
        return f"it is not limited there by {word[0].lower()}"
    return ""


def _demanded(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction about requirements, or ""."""
    text = _WISH.sub("", claim.text)
    needs, frees = _NECESSARY.search(text), _FREE.search(text)
    if bool(needs) == bool(frees) or (needs and says_no(claim.text)):
        return ""
    for each in near:
        theirs = _WISH.sub("", each.facts.text)
        spared, needed = _UNNECESSARY.search(theirs), _NECESSARY.search(theirs)
        if needs and spared:
            return f"it says {spared[0].lower()} there, not {needs[0].lower()}"
        if frees and needed and not spared:
            return f"it says {needed[0].lower()} there, not {frees[0].lower()}"
    return ""


def _preset(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction about defaults, or ""."""
    is_off = _DENYING.search(claim.text) or _UNSET.search(claim.text)
    if is_off or not _DEFAULT.search(claim.text):
        return ""
    for each in near:
        if claim.identifiers and not claim.identifiers & each.facts.identifiers:
            continue  # the default of something else
        unset = _UNSET.search(each.facts.text)
        if unset and _DEFAULT.search(each.facts.text):
            return f"the default is {unset[0].lower()} there"
    return ""


def _opposed(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if the claim has the opposite of a word."""
    for each in near[:2]:
        pair = opposed(claim, each.facts)
        if pair and not any(pair[0] in other.facts.said for other in near):
            return f"it says {pair[1]} there, not {pair[0]}"
    return ""


def _assigned(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if a list assigns the claim's number to something else."""
    for number in claim.telling_numbers:
        for each in near:
            parts = [TextFacts(part, claim.analyser) for part in _PART.split(each.facts.text)]
            own = [part for part in parts if number in part.numbers]
            others = [part for part in parts if part.numbers and number not in part.numbers]
            if not own or not others:
                continue
            named = each.shared & frozenset().union(*(part.word_set for part in others))
            if named and not any(each.shared & part.word_set for part in own):
                return f"{number} is said of something else"
    return ""


def _renamed(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if the same number is claimed of something else."""
    named = frozenset().union(*(each.facts.word_set for each in near))
    for each in near:
        theirs = each.facts.words
        if not claim.telling_numbers & each.facts.numbers or len(claim.words) != len(theirs):
            continue
        differ = [pair for pair in zip(claim.words, theirs, strict=True) if pair[0] != pair[1]]
        if len(differ) == 1 and differ[0][0] not in named and not is_number(differ[0][0]):
            return f"it says {differ[0][1]} there, not {differ[0][0]}"
    return ""


def _sequence(facts: TextFacts) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the words of the first and of the later step."""
    text = " ".join(facts.text.split())
    for pattern, turned in ((_FIRST, False), (_BEFORE, False), (_AFTER, True)):
        if found := pattern.match(text):
            one, other = (
                TextFacts(each, facts.analyser).word_set for each in found.groups() if each
            )
            return (other - one, one - other) if turned else (one - other, other - one)
    return None


def _reordered(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction about the order of steps, or ""."""
    own = _sequence(claim)
    for each in near if own else ():
        theirs = _sequence(each.facts)
        if own and theirs:
            crossed = own[0] & theirs[1], own[1] & theirs[0]
            straight = own[0] & theirs[0], own[1] & theirs[1]
            if all(crossed) and not all(straight):
                return "the order is the other way round there"
    return ""


_RULES: tuple[Rule, ...] = (
    _reordered,
    _assigned,
    _renamed,
    _opposed,
    _preset,
    _demanded,
    _denied,
    _narrowed,
    _generalised,
)
