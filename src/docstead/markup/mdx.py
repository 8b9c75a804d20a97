"""Rules for the elements of Markdown and MDX, which the lexer of Pygments takes for text."""

from __future__ import annotations

from typing import Any

from pygments.lexer import Lexer, bygroups, inherit, using
from pygments.lexers import find_lexer_class_by_name
from pygments.token import Comment, Name, Operator, Punctuation, String, Text, Whitespace

from docstead.markup.lexing import with_rules

MARKDOWN = "Markdown"  # name of the affected lexer

_groups: Any = bygroups  # has no types
_INLINE = [
    (r"(?s)\{/\*.*?\*/\}|<!--.*?-->", Comment),
    (r"(</?)([A-Za-z][\w.-]*)(?=[\s/>])", _groups(Punctuation, Name.Tag), "tag"),
    (r"[^\\\s<`*_~\[\]!]+(?=</?[A-Za-z])", Text),
    inherit,
]
_TAG = [
    (r"/?>", Punctuation, "#pop"),
    (r"\s+", Whitespace),
    (r"([\w:.-]+)(\s*=)?", _groups(Name.Attribute, Operator)),
    (r'"[^"]*"|\'[^\']*\'', String),
    (r"\{", Punctuation, "expression"),
    (r".", Text),
]


def with_elements(kind: type[Lexer]) -> type[Lexer]:
    """Return the lexer with rules for elements, frontmatter and imports."""
    return with_rules(kind, _rules())


def _rules() -> dict[str, list[Any]]:
    """Return new lists of rules, as `with_rules` needs them."""
    yaml, script = (using(find_lexer_class_by_name(name)) for name in ("yaml", "javascript"))  # type: ignore[no-untyped-call]
    return {
        "root": [
            (r"(?s)\A---\n.*?\n---(?=\n|\Z)", yaml),
            (r"^(?:import|export)\b.*\bfrom\b.*$", script),
            inherit,
        ],
        "inline": [*_INLINE],
        "tag": _TAG,
        "expression": [
            (r"\}", Punctuation, "#pop"),
            (r"\{", Punctuation, "#push"),
            (r'"[^"\n]*"|\'[^\'\n]*\'|`[^`]*`', String),
            (r"[^{}\"'`]+", script),
            (r".", Text),
        ],
    }
