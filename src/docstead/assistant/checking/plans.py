"""Contradictions about the plans that have a feature."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.opposites import says_no
from docstead.assistant.checking.similar_sentences import whole_words
from docstead.assistant.checking.spans import ExcerptSpans

_PAID = r"(?:enterprise|business|pro|premium|paid|team|growth|scale|production|professional)"
_EVERYBODY = whole_words(
    r"(?:all|every|any|each)(?: \w+)? (?:plans?|tiers?|editions?|subscriptions?)"
    r"|(?:all|every) (?:organi[sz]ations?|customers?|accounts?)"
    r"|free (?:plan|tier|edition|version|account)|(?:the )?free one|free of charge"
)
_FOR_SOME = whole_words(
    rf"(?:requires?|needs?|only|reserved|exclusive\w*|limited)\b[^.;]*\b{_PAID}"
    rf"(?: \w+)? (?:plans?|tiers?|editions?|subscriptions?|customers?|licen[cs]es?|add-on|pack)"
    rf"|{_PAID}(?: \w+)? (?:feature|add-on)"
    rf"|available (?:on|in|for|to|with|as)\b[^.;]*\b{_PAID}"
    r"(?: \w+)? (?:plans?|tiers?|editions?|subscriptions?|customers?|licen[cs]es?|add-on|pack)"
)


def other_plan(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> str:
    """Return a contradiction by a sentence about the plans of the same feature, or ""."""
    some, everybody = _FOR_SOME.search(claim.text), _EVERYBODY.search(claim.text)
    if bool(some) == bool(everybody) or says_no(re.sub(r"\bonly\b", "", claim.text)):
        return ""
    said, other = (_FOR_SOME, _EVERYBODY) if some else (_EVERYBODY, _FOR_SOME)
    about = list(_sentences_about(claim, materials))
    if any(said.search(text) for text in about):
        return ""
    found = next((each for text in about if (each := other.search(text))), None)
    return f"it says {found[0]} there" if found else ""


def _sentences_about(claim: TextFacts, materials: Sequence[ExcerptSpans]) -> Iterator[str]:
    """Yield sentences of passages whose heading or own words name the claim's feature."""
    for material in materials:
        if claim.subjects & material.context.subjects:
            yield from (sentence.text for sentence in material.sentences)
