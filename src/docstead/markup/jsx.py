"""Lexers of JSX and TSX that distinguish elements from comparisons.

Pygments treats "i<n;" as an element and everything after it as attributes.
"""

from __future__ import annotations

from typing import Any

from pygments.lexer import Lexer, bygroups
from pygments.token import Name, Punctuation

NAMES = frozenset({"JSX", "TSX"})  # names of the affected lexers

_groups: Any = bygroups  # has no types
_NAME = r"[A-Za-z_$][\w$]*(?:-\w+)*"
_ELEMENT = rf"(<)({_NAME})(?:(\.)(?=\w)|(?=[ \t]*/?>|\s+[\w{{]|\s+/?>))"
_RULES = [
    (r"</?>", Punctuation),
    (_ELEMENT, _groups(Punctuation, Name.Tag, Punctuation), "tag"),
    (rf"(</)({_NAME})(>)", _groups(Punctuation, Name.Tag, Punctuation)),
    (r"(</)(\w+)", _groups(Punctuation, Name.Tag), "fragment"),
]


def with_elements(kind: type[Lexer]) -> type[Lexer]:
    """Return the lexer with stricter rules for the start of elements."""
    make: Any = type(kind)  # the metaclass, which combines the rules
    made: type[Lexer] = make(kind.__name__, (kind,), {"tokens": {"jsx": _RULES}})
    return made
