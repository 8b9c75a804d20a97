"""Completion of follow-up questions by rules, without a model.

"And for Python?" replaces a part of the previous question; "it" refers to its topic. All plausible
readings are returned, the likeliest first, for the answerability classifier to choose from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docstead.search.stop_words import STOP_WORDS

_MOST_EARLIER = 4
_FEW_WORDS = 4  # words of a question without a verb
_INSIDE = 3  # content words before a pronoun, one of which it refers to

_OPENER = re.compile(
    r"^(?:(?:and|but|or|so|also|then|now|ok(?:ay)?|yes|no|thanks?(?: you)?|great|hm+)\b[,.!]?\s*)*"
    r"(?P<about>(?:what|how) about\b|what if\b|same (?:question )?(?:for|with)\b)?\s*",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:how|what|which|when|where|who|why|is|are|was|were|do|does|did|can|could|should|would|will"
    r"|may|must|has|have|i|my|show|tell|explain|give|list|describe|compare)\b",
    re.IGNORECASE,
)
# Such questions need a topic from the conversation.
_ASKS_DETAIL = re.compile(r"how (?:long|many|much|often|soon)\b|when\b|where\b", re.IGNORECASE)
_PREPOSITIONS = "for|in|with|on|from|to|using|via|by|without|under|as|at|inside|behind|through"
_PHRASE = re.compile(rf"(?P<how>{_PREPOSITIONS})\s+(?P<what>.+)", re.IGNORECASE)
_NEXT = rf"(?=\s+(?:{_PREPOSITIONS}|when|if|and|while|after|before)\b|\s*[?.!,;]|\s*$)"
_POINTING = re.compile(
    r"\b(?P<own>its|their|theirs)\b|\b(?:it|they|them|these|those)\b(?! (?:possible|necessary))"
    r"|\b(?:this|that)\b(?=\s*(?:[?.!,]|$|in\b|on\b|for\b|with\b|work|mean|happen|to\b|from\b))"
    r"|\b(?:do|does|is|for|with|about|of|change|use|set|disable|enable) (?:this|that)\b"
    r"|\b(?:the same|that one|this one)\b",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"^(?:please\s+)?(?:"
    r"(?P<acts>(?:how|where|when|why)\s+(?:do|can|could|should|would|must|may|to)"
    r"(?:\s+(?:i|we|you|one))?|how to|(?:can|could|may|should|do)\s+(?:i|we|you|one)"
    r"|i\s+(?:want|need|would like)\s+to|is it possible to)"
    r"|what\s+happens\s+(?:to|with|when|if|after)|what\s+kinds?\s+of"
    r"|how\s+(?:many|much|long|often)(?:\s+(?:is|are|does|do|can))?"
    r"|(?:what|which|who|where|when|why|how)(?:\s+(?:is|are|was|were|does|do|did))?"
    r"|(?:is|are)\s+there|is|are|does|do|did|can|could|will|would|should|tell me about|explain)\s+",
    re.IGNORECASE,
)
_TRAILING_VERB = re.compile(r"\s+(?:do|mean|work|for)$", re.IGNORECASE)
_SWITCH = re.compile(
    r"\b(?:turn|switch)\s+(?P<what>\S.*?)\s+(?P<way>on|off)(?=\s*(?:[?.!,]|$))", re.IGNORECASE
)
_VERBS = {"on": "enable", "off": "disable"}
_ANOTHER = re.compile(
    r"(?:(?:is|are) there |do you have |show me )?(?:(?:any |an|the )?other (?:ones?|ways?|options?"
    r"|sections?|pages?)|(?:any|some)thing else)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|an?|my|our|your|some|any)\s+", re.IGNORECASE)
_NAME = re.compile(r"(?<=\s)(?:[A-Z]+[a-z][\w.+#]*|\w+[._]\w+)")


def readings(question: str, earlier: Sequence[str]) -> tuple[str, ...]:
    """Return readings of a question after earlier ones, oldest first; () if it is complete."""
    before = ""
    for asked in earlier[-_MOST_EARLIER:]:
        before = next(_readings(asked, before), asked) if before else asked
    if not before.strip():
        return ()
    found = (
        each for reading in _readings(question, before) for each in (reading, _formal(reading))
    )
    return tuple(dict.fromkeys(found))


def asks_for_another(question: str) -> bool:
    """Report whether a reader wants a different answer: "what about the other one?"."""
    opener = _OPENER.match(question)
    rest = question[opener.end() :] if opener else question
    return bool(_ANOTHER.fullmatch(_bare(rest)))


def _formal(text: str) -> str:
    """Normalize phrases to documentation style: "turn it off" becomes "disable it"."""
    return _SWITCH.sub(lambda found: f"{_VERBS[found['way'].lower()]} {found['what']}", text)


def _readings(question: str, before: str) -> Iterator[str]:
    opener = _OPENER.match(question)
    rest = question[opener.end() :].strip() if opener else question.strip()
    if not rest:
        return
    pointing = _pointing(rest)
    if _ASKS.match(rest) and not (opener and opener["about"]):
        if pointing:
            yield _with(rest, topic(before))
        if pointing or (opener and opener.end() and len(_content_words(rest)) == 1):
            yield f"{rest} {_bare(before)}"
        elif opener and opener.end() and _ASKS_DETAIL.match(rest):
            yield f"{_bare(rest)} {topic(before)}"
            yield rest
    elif pointing and len(_content_words(rest)) > 1:
        yield _with(rest, topic(before))
    elif (opener and opener.end()) or len(rest.split()) <= _FEW_WORDS:
        yield _with_topic(rest, before) or f"{_bare(before)} {rest}"


def topic(question: str) -> str:
    """Return the topic of a question, without question words and verb."""
    frame = _FRAME.match(question)
    text = _TRAILING_VERB.sub("", _bare(question[frame.end() :])) if frame else _bare(question)
    if frame and frame["acts"]:
        _, _, behind = text.partition(" ")
        text = behind or text
    return _ARTICLE.sub("", text)


def _pointing(text: str) -> bool:
    """Report whether the text refers to something outside of it."""
    found = _POINTING.search(text)
    return bool(found) and len(_content_words(text[: found.start()])) < _INSIDE if found else False


def _with(text: str, meant: str) -> str:
    """Replace the first pronoun with its meaning."""
    found = _POINTING.search(text)
    if found is None or not meant:
        return text
    kept = found[0].split()[0] + " " if " " in found[0] and found[0].split()[0] != "the" else ""
    kept = "" if kept.lower() in ("this ", "that ") else kept
    return f"{text[: found.start()]}{kept}{meant}{text[found.end() :]}"


def _with_topic(rest: str, before: str) -> str:
    """Replace the topic of the earlier question; return "" if it has none.

    Both topics together would find the answer to the previous question.
    """
    phrase = _PHRASE.match(_bare(rest))
    if phrase:
        like = re.compile(rf"\b{phrase['how']}\s+.+?{_NEXT}", re.IGNORECASE)
        if like.search(before):
            return like.sub(lambda _: phrase[0], before, count=1)
    meant = _ARTICLE.sub("", phrase["what"] if phrase else _bare(rest))
    names = list(_NAME.finditer(before))
    if names and _NAME.fullmatch(f" {meant}", 1):
        return f"{before[: names[-1].start()]}{meant}{before[names[-1].end() :]}"
    return ""


def _content_words(text: str) -> list[str]:
    words = re.findall(r"[\w'.-]+", text.lower())
    return [word for word in words if word not in STOP_WORDS]


def _bare(text: str) -> str:
    return text.strip().rstrip("?!. ").strip()
