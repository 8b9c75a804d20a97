"""Sentences that only make sense after the previous one."""

from __future__ import annotations

import re

# "This guide explains …" and "It is possible to …" are complete.
_ITSELF = r"(?:guide|page|section|document(?:ation)?|tutorial|article|chapter|quickstart|example)s?"
_POSSIBLE = r"is (?:also )?(?:possible|recommended|important|best|common|useful)"
_LEANING = re.compile(
    r"\W*(?:or|and|but|so|then|also|both|such|thus|instead|next|finally|here"
    r"|alternatively|otherwise|however|similarly|likewise|therefore|hence|additionally|moreover"
    r"|furthermore|afterwards?|in addition|in (?:this|that|both) cases?|as a result|if (?:so|not)"
    r"|(?:after|before|because of|to do|by doing|doing|for) (?:this|that|so)|once done"
    rf"|(?:this|these|that|those)(?! {_ITSELF}\b)|they|it(?! {_POSSIBLE}\b))\b(?!-)",
    re.IGNORECASE,
)


def leans(sentence: str) -> bool:
    """Report whether a sentence begins with a word that refers to the previous one."""
    return bool(_LEANING.match(sentence))
