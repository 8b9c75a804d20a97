"""Contradictions of two sentences of a passage: things that are said of each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.measures import Measure, measures
from docstead.assistant.checking.opposites import says_no
from docstead.assistant.checking.similar_sentences import Rule, SimilarSentence

_BOTH_CLAUSES = re.compile(r"(.+?)(?:,? (?:and|while|but|whereas)|;) (.+)", re.IGNORECASE)
_COMPARED = re.compile(
    r"(.+?) (?:is|are|runs?|takes?) (?:\w+ly |much )?(\w+er|(?:more|less) \w+)\b(?: than (.+?))?"
    r"(?: because\b| since\b| as\b|[,.;]|$)",
    re.IGNORECASE,
)
_LEAST_TOGETHER = 2  # words that both sentences share with a claim


def _crossed(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if each of two clauses is said there of the other's subject."""
    clauses = _BOTH_CLAUSES.fullmatch(claim.text.strip())
    if not clauses or says_no(claim.text):
        return ""
    first, second = (TextFacts(each, claim.analyser).subjects for each in clauses.groups())
    one, other = first - second, second - first
    said = [each.shared for each in near if not says_no(each.facts.text)]
    for mine, theirs in permutations(said, 2):
        subjects = one & theirs - mine, other & mine - theirs
        rest = one & mine - theirs, other & theirs - mine
        if all(subjects) and all(rest) and not _is_confirmed(subjects, rest, near):
            return f"{min(subjects[0])} and {min(subjects[1])} have changed places"
    return ""


def _is_confirmed(
    subjects: Sequence[frozenset[str]],
    rest: Sequence[frozenset[str]],
    near: Sequence[SimilarSentence],
) -> bool:
    """Report whether a sentence has a subject with what the claim says of it."""
    return any(
        2 * len(each.shared & mine) > len(mine) and each.shared & said
        for each in near
        for mine, said in zip(subjects, rest, strict=True)
    )


def _of_another(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if the claim's subject has another amount in a second sentence."""
    own = list(measures(claim.text))
    if len(own) != 1:
        return ""
    given = [(each, _amounts(each.facts, own[0])) for each in near]
    for with_it, amounts in given:
        if not _has(own[0], amounts):
            continue
        for instead, others in given:
            subjects = instead.shared - with_it.facts.word_set
            is_alone = all(
                not subjects & each.shared for each, found in given if _has(own[0], found)
            )
            is_about = len(instead.shared & with_it.shared) >= _LEAST_TOGETHER and is_alone
            if others and not _has(own[0], others) and subjects and is_about:
                return f"it says {others[0].text} there of {min(subjects)}, not {own[0].text}"
    return ""


def _amounts(facts: TextFacts, like: Measure) -> list[Measure]:
    return [each for each in measures(facts.text) if each.kind == like.kind]


def _has(wanted: Measure, amounts: Sequence[Measure]) -> bool:
    return any(each.amount == wanted.amount for each in amounts)


def _compared(claim: TextFacts, near: Sequence[SimilarSentence]) -> str:
    """Return a contradiction if the other of two things is called better there."""
    for subject, how, than in _comparisons(claim):
        for each in near:
            for theirs, like, _ in _comparisons(each.facts):
                is_other = theirs & than - subject and not theirs & subject - than
                if how == like and is_other:
                    return f"{min(theirs & than - subject)} is {how} there"
    return ""


def _comparisons(facts: TextFacts) -> Iterator[tuple[frozenset[str], str, frozenset[str]]]:
    """Yield a thing, how it is compared, and with what."""
    if not facts.denials and (found := _COMPARED.match(" ".join(facts.text.split()))):
        one, other = (TextFacts(found[part] or "", facts.analyser).subjects for part in (1, 3))
        yield one, found[2].lower(), other


RULES: tuple[Rule, ...] = (_crossed, _of_another, _compared)
