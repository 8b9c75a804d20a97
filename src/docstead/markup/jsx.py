"""Lexers of JavaScript and TypeScript that know more than those of Pygments.

Pygments treats "i<n;" as an element and everything after it as attributes. It ends "60_000" at the
underscore, and in TypeScript it takes the number in "{ seconds: 60 }" for a type.
"""

from __future__ import annotations

from typing import Any

from pygments.lexer import Lexer, bygroups, inherit
from pygments.token import Name, Number, Operator, Punctuation, Whitespace

from docstead.markup.lexing import with_rules

NAMES = frozenset({"JavaScript", "TypeScript", "JSX", "TSX"})  # names of the affected lexers

_groups: Any = bygroups  # has no types
_NAME = r"[A-Za-z_$][\w$]*(?:-\w+)*"
_ELEMENT = rf"(<)({_NAME})(?:(\.)(?=\w)|(?=[ \t]*/?>|\s+[\w{{]|\s+/?>))"
_ELEMENTS = [
    (r"</?>", Punctuation),
    (_ELEMENT, _groups(Punctuation, Name.Tag, Punctuation), "tag"),
    (rf"(</)({_NAME})(>)", _groups(Punctuation, Name.Tag, Punctuation)),
    (r"(</)(\w+)", _groups(Punctuation, Name.Tag), "fragment"),
]
_NUMBERS = [
    (r"\d+(?:_\d+)+(?:\.\d+)?n?", Number),
    (
        r"([\w?.$]*[A-Za-z_$?][\w?.$]*)(\s*)(:)(\s*)(?=\d)",
        _groups(Name.Other, Whitespace, Operator, Whitespace),
    ),
    inherit,
]


def with_own_rules(kind: type[Lexer]) -> type[Lexer]:
    """Return the lexer with rules for numbers, and stricter ones for the start of elements."""
    rules = {"root": [*_NUMBERS]} | ({"jsx": _ELEMENTS} if kind.name.endswith("SX") else {})
    return with_rules(kind, rules)
