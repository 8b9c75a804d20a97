"""Sentences that affirm what passages deny, and deny what they affirm."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.opposites import says_no, without_asides
from docstead.assistant.checking.similar_sentences import Rule, SimilarSentence, whole_words

_ABOUT_THE_SAME = 0.5  # share from which a denial is of what the sentence says
_NEARLY_ALL = 0.7
_MOST_OF_BOTH = 0.6
_LEAST_DENIED = 3  # words of a clause
_NEAREST = 4
# Verbs that lead to the one that a denial is about ("is not used for"), and "no longer".
_LIGHT_TEXT = """
use work need be do make get let allow set longer support current avail possibl yet offer provid
compat subject
"""
_LIGHT = frozenset(_LIGHT_TEXT.split())

#: What is denied of the subject before it: "caching isn't advised".
_JUDGING = frozenset(["advis", "recommend", "suitabl", "support", "avail", "possibl", "permit"])

_CANNOT = whole_words(
    r"cannot|can(?:['’]t| not)|impossible|unable to|not possible"
    r"|(?:is|are)(?: not|n['’]t) (?:able|possible|supported|allowed|available)"
    r"|(?:do|does)(?: not|n['’]t) (?:support|allow|let)"
)
_PROHIBITION = re.compile(
    r"(?:^|[.;:] |- )(?:please )?(?:do not|don['’]t|avoid|never)\s+([^.;,]+)", re.IGNORECASE
)
_IN_PLACE_OF = re.compile(r"\b(?:instead of|rather than)\b")
_GUARANTEED = whole_words(r"always|guaranteed?|in all cases|every time|never")
_DOUBTED = whole_words(r"(?:not|\w+n['’]t) (?:\w+ ){0,2}(?:always|guaranteed?)")
_NOT_GUARANTEED = whole_words(
    r"not (?:guaranteed|always|necessarily)|no guarantee|might|may(?: not)? be"
)
_CLAUSE_END = re.compile(
    r"[;.:—–]|, (?:but|while|which|so|and|since|because)\b"
    r"|\b(?:because|unless|if|when|until|and not)\b"
)
_NO_PLAIN_DENIAL = whole_words(r"only|just|without|no need|not only|need not|no longer than|avoid")
_OTHER_HALF = whole_words(r"but|while|whereas|though|although|and|only|just")
_VERB_DENIED = re.compile(
    r"(?<!\w)(?<!^)(?<![,;:] )(?:not|never|cannot|\w+n['’]t)(?!\w)", re.IGNORECASE
)
_CONDITION = re.compile(r"\b(?:if|unless)\b[^,;.]*(?:[,;.]|$)", re.IGNORECASE)
_UNSURE = whole_words(r"may|might|unless")


def _denied(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if the most similar sentence denies a word and the claim does not."""
    for place, each in enumerate(near):
        for denial in _statement(each.facts).denials if each.share >= _ABOUT_THE_SAME else ():
            if not denial.of_verb:
                continue
            head = next((word for word in denial.words if word not in _LIGHT), "")
            if says_no(_without(claim, head)):
                continue
            if place == 0 and denial.words[0:1] and denial.words[0] in _JUDGING:
                return f"{denial.words[0]} is denied there"
            is_affirmed = any(each.shared <= nearer.shared for nearer in near[:place])
            if head in each.shared and not is_affirmed:
                return f"{head} is denied there"
    return ""


def _statement(facts: TextFacts) -> TextFacts:
    """Return a sentence without its conditions, which deny nothing."""
    if not facts.denials:
        return facts
    return TextFacts(_CONDITION.sub(" ", facts.text), facts.analyser)


def _without(claim: TextFacts, stem: str) -> str:
    """Return the text without a word, which may itself be negative, such as `blocked`."""
    return re.sub(
        r"\w+", lambda found: "" if claim.analyser.stem(found[0]) == stem else found[0], claim.text
    )


def _denied_as_a_whole(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if a negated clause has most of the claim's words."""
    if says_no(claim.text) or _UNSURE.search(claim.text):
        return ""
    for each in near[:_NEAREST]:
        others = [other for other in near if other is not each and not says_no(other.facts.text)]
        for clause in _denying_clauses(each.facts):
            shared = clause.subjects & claim.subjects
            is_about = len(shared) >= max(_LEAST_DENIED, _MOST_OF_BOTH * len(claim.subjects))
            is_most = len(shared) >= _ABOUT_THE_SAME * len(clause.subjects)
            heads = [word for word in clause.denials[0].words if word not in _LIGHT]
            is_most = is_most and (not heads or heads[0] in claim.word_set)
            if is_about and is_most and all(len(o.shared) < len(shared) for o in others):
                return f"it is denied there: {_short(clause)}"
    return ""


def _denying_clauses(facts: TextFacts) -> Iterator[TextFacts]:
    if facts.denials:
        for clause in _CLAUSE_END.split(facts.text):
            part = TextFacts(clause, facts.analyser)
            if len(part.denials) == 1 and not _NO_PLAIN_DENIAL.search(clause):
                yield part


def _said_possible(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if only the claim says that something cannot be done."""
    if not _CANNOT.search(claim.text):
        return ""
    same = (each.facts for each in near[:3] if each.share >= _NEARLY_ALL)
    affirming = next((facts for facts in same if not says_no(facts.text)), None)
    return f"it is not denied there: {_short(affirming)}" if affirming else ""


def _affirmed(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if the claim denies what the most similar sentences affirm."""
    said = TextFacts(without_asides(claim.text), claim.analyser)
    is_plain = len(claim.denials) == 1 and bool(said.denials) and not _OTHER_HALF.search(claim.text)
    if not is_plain or not _VERB_DENIED.search(said.text):
        return ""
    head = next((word for word in said.denials[0].words if word not in _LIGHT), "")
    for each in near[:3]:
        clause = next(_clauses_with(head, each.facts), None)
        if each.share < _ABOUT_THE_SAME or clause is None:
            continue
        if says_no(_without(clause, head)):
            return ""
        if each.share >= _MOST_OF_BOTH or len(clause.subjects & claim.subjects) >= _LEAST_DENIED:
            return f"{head} is not denied there"
    return ""


def _clauses_with(head: str, facts: TextFacts) -> Iterator[TextFacts]:
    for clause in _CLAUSE_END.split(facts.text):
        part = TextFacts(clause, facts.analyser)
        if head in part.word_set:
            yield part


def _prohibited(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if the claim allows what a sentence prohibits."""
    if says_no(_IN_PLACE_OF.sub("", claim.text)):
        return ""
    for each in near:
        for found in _PROHIBITION.finditer(each.facts.text):
            words = TextFacts(found[1], claim.analyser).words[:2]
            if len(words) > 1 and claim.word_set.issuperset(words):
                return f"it says {' '.join(found[0].split())} there"
    return ""


def _not_guaranteed(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if the claim says always and a sentence says not guaranteed."""
    word = None if _DOUBTED.search(claim.text) else _GUARANTEED.search(claim.text)
    for each in near[:2] if word else ():
        doubt = _NOT_GUARANTEED.search(each.facts.text)
        is_sure = _GUARANTEED.search(_NOT_GUARANTEED.sub("", each.facts.text))
        if word and doubt and not is_sure and each.share >= _ABOUT_THE_SAME - 0.1:
            return f"it says {doubt[0].lower()} there, not {word[0].lower()}"
    return ""


def _short(facts: TextFacts) -> str:
    return " ".join(facts.text.split())[:100]


RULES: tuple[Rule, ...] = (
    _denied,
    _denied_as_a_whole,
    _said_possible,
    _affirmed,
    _prohibited,
    _not_guaranteed,
)
