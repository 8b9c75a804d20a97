"""Form that an answer needs, derived from the beginning and the object of the question."""

from __future__ import annotations

import re

NUMERAL = re.compile(r"(?<![\w.])\d[\d,.]*")
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
    r"\s*(?:is|are|do|does|(?:can|could)(?!\s+(?:i|we|you|one)\b))\b", re.IGNORECASE
)


def asks_for_number(question: str) -> bool:
    return bool(_NUMBER.search(question))


def asks_for_name(question: str) -> bool:
    """Whether the answer is, or holds, what one types: a command, a header, an option."""
    return bool(_NAME.search(question))


def asks_whether(question: str) -> bool:
    """Whether yes or no would do. Who asks which or how has found what it is about before.

    "Can I" is another way to ask how.
    """
    return bool(_WHETHER.match(question))
