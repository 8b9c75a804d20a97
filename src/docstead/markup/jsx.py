"""Lexers of JSX and TSX that distinguish elements from comparisons.

Those of Pygments take "i<n;" for an element and everything after it for its attributes.
"""

from __future__ import annotations

from typing import Any

from pygments.lexer import Lexer, bygroups
from pygments.token import Name, Punctuation

NAMES = frozenset({"JSX", "TSX"})  # of the lexers to which this applies

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
    """Return the same lexer with stricter rules of where an element begins."""
    make: Any = type(kind)  # the metaclass, which puts the rules together
    made: type[Lexer] = make(kind.__name__, (kind,), {"tokens": {"jsx": _RULES}})
    return made
