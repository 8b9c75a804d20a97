"""Line breaks within long identifiers."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_LONGEST_WORD = 16  # maximum characters of a line deep in the sidebar
_PARTS = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[_./:-])(?=\w)")


def breakable(text: str) -> Markup:
    """Insert line-break opportunities in identifiers: `list_payment_methods`, `PaymentMethod`."""
    if max(map(len, text.split(" "))) <= _LONGEST_WORD:
        return escape(text)
    return Markup(" ").join(
        Markup("<wbr>").join(_PARTS.split(word)) if len(word) > _LONGEST_WORD else word
        for word in text.split(" ")
    )
