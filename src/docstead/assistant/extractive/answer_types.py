"""Expected type of an answer, derived from the start and object of a question."""

from __future__ import annotations

import re

NUMERAL = re.compile(r"(?<![\w.])\d[\d,.]*")
CODE_OR_STEP = re.compile(r"^[ >]*(?:```|~~~|\d+[.)] )", re.MULTILINE)
CODE = re.compile(r"`[^`\n]+`|```")
IDENTIFIER = re.compile(r"`|\w[_.]\w|[a-z][A-Z]")

_NUMBER = re.compile(
    r"\bhow (?:many|much|long|often|large|big|deep|far|fast|old|high)\b|\b(?:max|min)imum\b"
    r"|\bat (?:most|least)\b|\b(?:default|size|limit|timeout|port|number|smallest|largest|biggest"
    r"|shortest|longest|highest|lowest)\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\b(?:which|what)\b.*\b(?:header|variable|command|option|setting|package|key|field|parameter"
    r"|argument|method|function|event|flag|class|decorator|file|name|called|property|hook|library"
    r"|module|type|role|status)\b|\bhow (?:do|can|to|should)\b|\bcommand\b"
    r"|^\s*(?:can|could) (?:i|we|you|one)\b",
    re.IGNORECASE,
)
_WHETHER = re.compile(
    r"\s*(?:(?:is|are|do|does|will|(?:can|could)(?!\s+(?:i|we|you|one)\b))\b"
    r"|(?:can|could)\s+you\s+(?:please\s+)?(?:confirm|tell\s+(?:me|us)\s+(?:if|whether))\b)",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\b(?:would|could) be (?:\w+ )?(?:nice|great|good|cool|useful|helpful|handy|awesome)\b"
    r"|\bnice (?:thing|feature|to have)\b|\b(?:i|we) wish\b|\bwould love\b|\bfeature request\b"
    r"|\b(?:do|does)(?: not|n['’]t) (?:seem|appear) (?:to (?:be an?y?|have|support|allow|offer)"
    r"|that \w+ (?:has|supports|allows|offers))\b"
    r"|\bthere(?:['’]s| is| seems to be) (?:currently )?no (?:\w+ )?"
    r"(?:way|option|setting|support)\b"
    r"|\bwhy (?:not|don['’]?t you) (?:add|provide|support|offer|allow|have)\b"
    r"|\bplease (?:add|support|implement|consider)\b|\bany plans? (?:to|for)\b",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"\b(?:errors?|err|fail(?:s|ed|ing|ures?)?|broken|not (?:work|found|load|start)\w*"
    r"|(?:do|does)(?: not|n['’]?t)|cannot|can['’]?t|unable|crash\w*|issues?|problems?|stuck|wrong"
    r"|invalid|denied|refused|timed? ?out|missing|slow|blocked|why|\d{3})\b",
    re.IGNORECASE,
)
_ON_TROUBLE = re.compile(
    r"\b(?:troubleshoot\w*|problems?|issues|errors?|pitfalls|mistakes|not found|fail\w*|cannot"
    r"|can['’]?t)\b",
    re.IGNORECASE,
)
_COMPARISON = re.compile(
    r"\b(?:vs|versus|differences?|differs?|compared?|comparison|side by side)\b", re.IGNORECASE
)
# Both in one line; one expression for them would take quadratic time.
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_CHOICE = re.compile(r"\b(?:which|better|pick|choose)\b", re.IGNORECASE)
_ASKS_HOW = re.compile(
    r"\bhow\b|(?:^|[.!?:;\n]\s{0,9})(?:what|which|where|when|who)\b", re.IGNORECASE
)


def compares(question: str) -> bool:
    """Report whether a question asks how two things differ."""
    if _COMPARISON.search(question):
        return True
    return any(_OR.search(line) and _CHOICE.search(line) for line in question.split("\n"))


def asks_for_number(question: str) -> bool:
    return bool(_NUMBER.search(question))


def asks_for_name(question: str) -> bool:
    """Report whether the answer is something to type: a command, a header, an option."""
    return bool(_NAME.search(question))


def asks_whether(question: str) -> bool:
    """Report whether a question expects yes or no, in contrast to "which" and "how".

    "Can I" counts as "how".
    """
    return bool(_WHETHER.match(question))


def reports_trouble(question: str) -> bool:
    """Report whether the reader reports a problem or asks why."""
    return bool(_TROUBLE.search(question))


def is_on_trouble(name: str) -> bool:
    """Report whether title and headings are about troubleshooting."""
    return bool(_ON_TROUBLE.search(name))


def wishes(question: str) -> bool:
    """Report whether the reader only reports something missing or requests a feature."""
    return bool(_WISH.search(question)) and not _ASKS_HOW.search(question)
