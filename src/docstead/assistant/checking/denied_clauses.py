"""Clauses that deny what a sentence affirms, or affirm what it denies.

A clause may have its words in another order or another verb than the sentence, unlike in
`denials`. So nearly all of its words must be in the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docstead.assistant.checking.coverage import is_form_of
from docstead.assistant.checking.denials import LIGHT
from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.opposites import says_no
from docstead.assistant.checking.similar_sentences import SimilarSentence

_NEAR_ENOUGH = 0.4  # share of the words of the claim
_ABOUT_THE_SAME = 0.5
_NEARLY_ALL = 0.7  # of the words of the clause
_MOST_NEAR = 6
_NEAREST = 4
_LEAST_WORDS = 2
_WHOLE_CLAUSE = 3  # words that suffice without those that are denied

_BORDER = re.compile(
    r"[,;:.!?()]|\b(?:and|but|or|so|because|since|which|while)\b|[-–—]{1,3} ", re.IGNORECASE
)
_NOT = re.compile(r"\b(?:not|never|cannot)\b|\b\w+n['’]t\b", re.IGNORECASE)
_NO_DENIAL = re.compile(
    r"\s*(?:only|just|all|every|necessarily|merely|have to|need|required?)\b", re.IGNORECASE
)
_CONDITION = re.compile(
    r"\b(?:if|unless|until|except|only|when|before|even|without|once|while|other than|instead"
    r"|rather|just|regardless)\b",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"^(?:if|unless|when|until|once|while|without|for|with|in|on)\b[^,]*,\s*"
    r"|\b(?:if|unless|when|until|once|because|so that|even)\b.*$",
    re.IGNORECASE,
)
# Words of a claim that may limit or exclude something without a "not".
_LIMITING = re.compile(
    r"\b(?:only|prevent\w*|stop\w*|avoid\w*|un(?!til|ique|it|der|ify|i)\w+|keeps?|isolat\w*"
    r"|separate\w*|hardly|rarely|yourself|manual\w*|illegal|impossible|no|nor|none|neither|nothing"
    r"|nobody|without|before|caution|risk\w*|wrong|error\w*|los[et]\w*|except|block\w*|disabl\w*"
    r"|refus\w*|ignor\w*|skip\w*|fail\w*|reject\w*|limit\w*|exclud\w*|forbid\w*|invalid|drop\w*"
    r"|omit\w*|left out|leaves? out)\b",
    re.IGNORECASE,
)
_ADVERBS_TEXT = """
immediately automatically always currently yet directly necessarily simply only just even
retroactively natively really fully itself again still anymore
"""
_ADVERBS = frozenset(_ADVERBS_TEXT.split())
_BOTH = re.compile(
    r"\b(?:unless|only|except|if not|otherwise|but not|rather than|instead of|until|if|yet"
    r"|because|need\w*)\b",
    re.IGNORECASE,
)
_UNAFFECTED = re.compile(
    r"([^,;:]*)\b(?:(?:is|are|was|were|be|remains?|stays?) (?:not |un)(?:affected|changed)"
    r"|(?:has|have|had) no (?:effect|changes?)|(?:is|are) (?:excluded|exempt)"
    r"|(?:do|does)(?: not|n['’]t) (?:apply|count))\b",
    re.IGNORECASE,
)
_WIDE = re.compile(
    r"\b(?:too|also|as well|every|all|both|any|same|affects?|including|counts?|appl(?:y|ies))\b",
    re.IGNORECASE,
)


def denied_clause(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if a near sentence denies what the claim affirms."""
    text = " ".join(claim.text.split())
    main = _SUBORDINATE.sub(" ", text)
    if text.endswith("?") or _NOT.search(main) or _LIMITING.search(main):
        return ""
    close = [each.facts for each in near if each.share >= _NEAR_ENOUGH][:_MOST_NEAR]
    for position, facts in enumerate(close):
        for clause, denied in _denials(facts):
            words, objects = _words(clause, facts), _words(denied, facts)
            shared = [word for word in words if is_form_of(word, claim)]
            is_about = len(shared) >= max(_LEAST_WORDS, _NEARLY_ALL * len(words))
            is_denied = any(is_form_of(word, claim) for word in objects) or not objects
            if is_about and (is_denied or len(shared) >= _WHOLE_CLAUSE):
                verb = (objects or words)[0]
                return "" if _is_affirmed(verb, close[:position]) else f"{verb} is denied there"
    return ""


def _is_affirmed(verb: str, nearer: Sequence[TextFacts]) -> bool:
    """Report whether one of the nearer sentences has the verb and denies nothing."""
    return any(is_form_of(verb, each) and not _NOT.search(each.text) for each in nearer)


def affirmed_clause(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if a near sentence affirms what the claim denies."""
    if claim.text.rstrip().endswith("?"):
        return ""
    for clause, denied in _denials(claim):
        words, verbs = _words(clause, claim), _words(denied, claim)
        is_advice = _NOT.match(clause.strip().removeprefix("do ").removeprefix("Do "))
        if len(words) < _LEAST_WORDS or not verbs or is_advice:
            continue
        for each in near[:_NEAREST]:
            is_known = sum(is_form_of(word, each.facts) for word in words)
            is_about = each.share >= _ABOUT_THE_SAME and is_known >= _NEARLY_ALL * len(words)
            if is_about and _affirms(each.facts, verbs[0], words):
                return f"{verbs[0]} is not denied there"
    return ""


def unaffected(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if the claim includes what a sentence excludes."""
    if says_no(claim.text) or not _WIDE.search(claim.text):
        return ""
    for each in near:
        found = _UNAFFECTED.search(" ".join(each.facts.text.split()))
        subject = TextFacts(found[1], claim.analyser).word_set - {"other"} if found else ()
        shared = sum(is_form_of(word, claim) for word in subject)
        if found and shared >= max(_LEAST_WORDS, _NEARLY_ALL * len(subject)):
            return f"it says there: {found[0].strip()}"
    return ""


def _denials(facts: TextFacts) -> Iterator[tuple[str, str]]:
    """Yield each clause with one plain denial and no condition, and what it denies."""
    for clause in _BORDER.split(" ".join(facts.text.split())):
        found = [*_NOT.finditer(clause)]
        denied = clause[found[0].end() :] if len(found) == 1 else ""
        is_double = denied and (_NO_DENIAL.match(denied) or _LIMITING.search(denied))
        if denied and not is_double and not _CONDITION.search(clause):
            yield clause, denied


def _affirms(facts: TextFacts, verb: str, words: Sequence[str]) -> bool:
    """Report whether a sentence denies and limits nothing, and a clause has the verb."""
    is_row = " ; " in facts.source
    if is_row or says_no(facts.text) or _BOTH.search(facts.text):
        return False
    clauses = (TextFacts(each, facts.analyser) for each in _BORDER.split(facts.text))
    return any(
        is_form_of(verb, clause) and sum(is_form_of(word, clause) for word in words) >= _LEAST_WORDS
        for clause in clauses
    )


def _words(text: str, like: TextFacts) -> Sequence[str]:
    """Return the stems of a text without light words, denials and adverbs, in order."""
    content = (each for each in _NOT.sub(" ", text).split() if each.lower() not in _ADVERBS)
    facts = TextFacts(" ".join(content), like.analyser)
    return [word for word in dict.fromkeys(facts.words) if word not in LIGHT]
