"""Contradictions about scope: all or some, shared or separate."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.opposites import says_no
from docstead.assistant.checking.similar_sentences import Rule, SimilarSentence, whole_words

_ABOUT_THE_SAME = 0.5
_NEAREST = 3
_SAYING_ALL = 4  # sentences that may say of all, or of one only, what the claim does

_STRUCTURED = re.compile(r"^:|: .* ; ")  # a row of a table, a cell at a time
_ONLY = whole_words(r"only|solely|exclusively")
# "Not only ferries" is no limit.
_NOT_JUST = re.compile(r"(?:\bnot|n['’]t) (?:only|solely|exclusively)\b", re.IGNORECASE)
# "Only when it is full", "only for three days": the limit is a condition or an amount.
_ONLY_SO_FAR = re.compile(
    r"\bonly(?: \w+){0,3} (?:when|if|once|twice|after|for|until|\d+|two|three|four|five|ten)\b",
    re.IGNORECASE,
)
_NOT_ONLY = whole_words(
    r"all|any|every|each|both|whatever|regardless|anyone|everyone|anybody|everybody"
)
_LIMITING = whole_words(
    r"only|solely|exclusively|just|unless|except|single|one|none|nothing else|no other|must|not"
    r"|alone|limited|restricted|requires?|\w+-only|\w+n['’]t|cannot|until|no|without"
)
_UNIVERSAL = whole_words(r"always|every|reliably|in all cases|guaranteed")
_WHOLE = whole_words(
    r"always|every\w*|all|any\w*|each|whole|entire\w*|both|never|reliably|guarantee\w*"
    r"|completely|fully|whenever|whatever"
)
_SOME = whole_words(
    r"may|might|can|some\w*|most|usually|typically|often|only|not|\w+n['’]t|no|but|if|when|unless"
    r"|possible|different|certain|selected|optional(?:ly)?"
)
_ONLY_NOUN = re.compile(r"only (?:the )?(\w+)", re.IGNORECASE)
_ALL_NOUN = re.compile(r"\b(?:all|every|each|any|both)(?: the)? (\w+)", re.IGNORECASE)
_CONDITION = re.compile(
    r"(?:^|(?<=[,;.] ))(?:if|when|unless|as long as)\b[^,;]*[,;]", re.IGNORECASE
)
_EXAMPLE = re.compile(
    r"\bonly (?:an?|the|as an?|one) (?:\w+ )?(?:example|sample|placeholder)\b"
    r"|^only (?:set|use|do|add|enable|disable|turn|choose|change|run|call|give)\b",
    re.IGNORECASE,
)
_ONE_FOR_ALL = re.compile(
    r"\b(?:all|both|every\w*)\b[^.;]{0,200}\b(?:shares?|same|one|single|common)\b"
    r"|\bshared? (?:one|the same|a (?:single|common))\b",
    re.IGNORECASE,
)
_ONE_FOR_EACH = re.compile(
    r"\b(?:each|every)\b[^.;]{0,200}\b(?:own|new|separate|unique|different|individual\w*|independent)\b"
    r"|\b(?:individually|separately)\b|\bunique (?:per|for each|to each)\b",
    re.IGNORECASE,
)
_THINGS = r"\s+((?:[\w-]+[ ,.]?){1,4})"
_MANY = re.compile(rf"\b(?:several|multiple|many|any number of|more than one){_THINGS}", re.I)
_ONE = re.compile(
    rf"\b(?:at most one|only one|exactly one|a single|single|just one|no more than one){_THINGS}",
    re.I,
)
_SHARED = whole_words(r"shares?|shared|the same|common|single|together|not \w+ individually")
_EACH = whole_words(r"each|every|own|unique")


def _generalised(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if only the claim speaks of all cases, and a sentence of some."""
    word = _UNIVERSAL.search(claim.text)
    is_of_some = any(_SOME.search(each.facts.text) for each in near[:_NEAREST])
    is_of_all = any(_WHOLE.search(each.facts.text) for each in near[:_SAYING_ALL])
    if word and is_of_some and not is_of_all:
        return f"it is not said there of {word[0].lower()}"
    return ""


def _narrower_scope(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if only the claim is limited to one case."""
    word = None if _ONLY_SO_FAR.search(claim.text) else _limit(claim)
    if word and not _is_limited(near):
        return f"it is not limited there by {word[0].lower()}"
    return ""


def _is_limited(near: Sequence[SimilarSentence]) -> bool:
    """Report whether the nearest sentences limit something, or any other one to one case."""
    return any(_LIMITING.search(each.facts.text) for each in near[:_SAYING_ALL]) or any(
        _ONLY.search(each.facts.text) for each in near[_SAYING_ALL:]
    )


def _limit(claim: TextFacts) -> re.Match[str] | None:
    """Return the word that limits a claim to one case, outside conditions and examples."""
    text = _CONDITION.sub("", claim.text)
    return _ONLY.search(_EXAMPLE.sub("", _NOT_JUST.sub("", text)))


def _all_or_some(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if only one of both sentences is limited and the other is not."""
    if _STRUCTURED.search(claim.text):
        return ""
    if all_of_it := _all_of(claim, near):
        return f"it says {all_of_it} there"
    limit, whole = _limit(claim), _NOT_ONLY.search(claim.text)
    for each in near[:_NEAREST]:
        text = each.facts.text
        if each.share < _ABOUT_THE_SAME:
            continue
        theirs = _NOT_ONLY.search(text)
        if (
            limit
            and not says_no(_ONLY.sub("", claim.text))
            and theirs
            and not _LIMITING.search(text)
        ):
            return f"it says {theirs[0].lower()} there, not {limit[0].lower()}"
        is_limited = _ONLY.search(text)
        if whole and not says_no(claim.text) and is_limited and not theirs:
            return f"it says {is_limited[0].lower()} there, not {whole[0].lower()}"
    return ""


def _all_of(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return "all variables" of a sentence for a claim that begins with "Only variables"."""
    only = _ONLY_NOUN.match(claim.text.strip())
    if only is None:
        return ""
    for each in near[:_SAYING_ALL]:
        for found in _ALL_NOUN.finditer(each.facts.text):
            if claim.analyser.stem(found[1]) == claim.analyser.stem(only[1]):
                return found[0].lower()
    return ""


def _one_or_each(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if one says shared and the other says separate."""
    if says_no(claim.text):
        return ""
    for each in near[:_NEAREST]:
        text = each.facts.text
        own = _ONE_FOR_EACH.search(text)
        if _ONE_FOR_ALL.search(claim.text) and own and not _SHARED.search(text):
            return f"it says {' '.join(own[0].split())} there"
        shared = _SHARED.search(text)
        if _ONE_FOR_EACH.search(claim.text) and shared and not _EACH.search(text):
            return f"it says {shared[0].lower()} there"
    return ""


def _one_or_several(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if one says one thing and the other says several."""
    for own, other in ((_MANY, _ONE), (_ONE, _MANY)):
        things = {found[1] for found in own.finditer(claim.text)}
        if not things or other.search(claim.text):
            continue
        nouns = {TextFacts(each, claim.analyser).words[:1] for each in things} - {()}
        for each in near[:_SAYING_ALL]:
            if each.share < _ABOUT_THE_SAME:
                continue
            if nouns & _counted(own, each.facts):
                return ""
            if nouns & _counted(other, each.facts):
                return f"it says {'one' if other is _ONE else 'several'} there"
    return ""


def _counted(pattern: re.Pattern[str], facts: TextFacts) -> set[tuple[str, ...]]:
    """Return the first words of what a sentence says one or several of."""
    found = pattern.finditer(facts.text)
    return {TextFacts(each[1], facts.analyser).words[:1] for each in found} - {()}


RULES: tuple[Rule, ...] = (
    _narrower_scope,
    _generalised,
    _all_or_some,
    _one_or_each,
    _one_or_several,
)
