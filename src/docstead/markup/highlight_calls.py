"""Additional token classes: function calls, and shell commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pygments.lexer import Lexer
from pygments.token import Comment, Generic, Keyword, Name, Operator, Punctuation, Text

from docstead.markup.lexing import TokenType

Tokens = Iterable[tuple[TokenType, str]]

_OTHER = Name.Other
_PROMPTS = ("$", "%", ">", "#")
_SEPARATORS = ("|", "||", "&&", "&", ";", "(")


def tokens(lexer: Lexer, code: str) -> Iterator[tuple[TokenType, str]]:
    """Yield the lexer's tokens, with classes for tokens that it leaves plain."""
    found = lexer.get_tokens(code)
    return _commands(found) if lexer.name == "Bash" else _calls(found)


def _calls(found: Tokens) -> Iterator[tuple[TokenType, str]]:
    """Mark names before a parenthesis as functions, or as types if capitalized."""
    waiting = ""
    waiting_kind = Name
    for kind, text in found:
        if waiting:
            if text[:1] == "(":
                waiting_kind = Name.Class if waiting[0].isupper() else Name.Function
            yield waiting_kind, waiting
            waiting = ""
        if (kind is Name or kind is _OTHER) and text:  # token types are singletons
            waiting, waiting_kind = text, kind
        else:
            yield kind, text
    if waiting:
        yield waiting_kind, waiting


def _commands(found: Tokens) -> Iterator[tuple[TokenType, str]]:
    """Mark the first word of each command, and its options."""
    is_first, is_value = True, False
    for kind, text in found:
        if text.isspace():
            is_first, is_value = is_first or "\n" in text, False
            yield kind, text
        elif kind is Text:
            yield _word(text, is_first and not is_value), text
            is_first = is_first and (is_value or text in _PROMPTS)
        else:
            is_first = (is_first and is_value) or _leads(kind, text, is_first)
            is_value = text == "="
            yield kind, text


def _word(text: str, is_first: bool) -> TokenType:
    if text.startswith("-"):
        return Name.Attribute
    if is_first:
        return Generic.Prompt if text in _PROMPTS else Name.Function
    return Text


def _leads(kind: TokenType, text: str, is_first: bool) -> bool:
    """Report whether a command may follow."""
    if kind[:1] == Comment:
        return True
    if kind[:1] in (Operator, Punctuation):
        return text in _SEPARATORS or (text == "=" and is_first)
    return is_first and (kind is Name.Variable or kind[:1] == Keyword)
