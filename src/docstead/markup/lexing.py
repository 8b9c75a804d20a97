"""Faster Pygments lexers, which match all rules of a state with one search.

A Pygments lexer tries the rules of its state one after the other. Here adjacent rules are
alternatives of a single expression in the same order, so the same rule matches, identified by its
group. The tokens are those of Pygments. Compiling a lexer's expressions takes longer than most
code, so expressions are compiled per state on first use.

This is the only use of Pygments' private API. New versions may change it, so a test checks the
version.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import groupby
from typing import Any, NamedTuple

from pygments.lexer import ExtendedRegexLexer, Lexer, LexerContext, RegexLexer
from pygments.token import Error, Text, Whitespace
from pygments.token import _TokenType as TokenType

__all__ = ["TESTED_VERSION", "TokenType", "quick_lexer", "with_rules"]

TESTED_VERSION = "2.21.0"  # of the package `pygments`

Match = Callable[[str, int, int], re.Match[str] | None]
Rule = tuple[Any, Any, Any]  # pattern, token or callback, state transition

# Expressions with numbered or named groups, or own flags, are not combined.
_NOT_JOINABLE = re.compile(r"\\[1-9]|\(\?P[=<]|\(\?\(|\(\?[aiLmsux]")


class _TokenSearch(NamedTuple):
    """One expression, and its rules by group; some rules have no group."""

    match: Match
    rules: Mapping[int, Rule]
    single: Rule | None


class _Expression:
    """Replaces an expression's `match`; compiled on first use."""

    def __init__(self, source: Any, flags: int, _state: str) -> None:
        """Initialize; `source` is a string, or a Pygments object that produces one."""
        self.source: str = source if isinstance(source, str) else source.get()
        self.flags = flags

    @cached_property
    def match(self) -> Match:
        return re.compile(self.source, self.flags).match

    @cached_property
    def is_joinable(self) -> bool:
        return not self.flags & re.VERBOSE and _NOT_JOINABLE.search(self.source) is None

    def __call__(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.match(text, start, end)


def quick_lexer(kind: type[Lexer], **options: bool) -> Lexer:
    """Return a faster lexer; lexers that do not only use rules are returned unchanged."""
    own = kind.get_tokens_unprocessed
    if own not in (RegexLexer.get_tokens_unprocessed, ExtendedRegexLexer.get_tokens_unprocessed):
        return kind(**options)
    lexer = _derived(kind, _process_regex=_Expression)(**options)
    known: Any = lexer
    known.get_tokens_unprocessed = partial(_tokens, lexer, _LexerStates(known._tokens))
    return lexer


def with_rules(kind: type[Lexer], rules: Mapping[str, Sequence[Any]]) -> type[Lexer]:
    """Return a lexer with other rules for these states; `inherit` stands for its own.

    Pygments replaces `inherit` in the lists that it gets, so they must be new.
    """
    return _derived(kind, tokens=rules)


def _derived(kind: type[Lexer], **attributes: Any) -> type[Lexer]:
    make: Any = type(kind)  # the metaclass, which combines the rules
    made: type[Lexer] = make(kind.__name__, (kind,), attributes)
    return made


def _tokens(
    lexer: Lexer,
    states: _LexerStates,
    text: str = "",
    stack: Iterable[str] = ("root",),
    context: LexerContext | None = None,
) -> Iterator[tuple[int, TokenType, str]]:
    is_extended = isinstance(lexer, ExtendedRegexLexer)
    at = context or LexerContext(text, 0, list(stack))
    text = at.text
    while True:
        for match, rules, single in states[at.stack[-1]]:
            if (found := match(text, at.pos, at.end)) is None:
                continue
            rule = single or rules[found.lastindex or 0]
            _, action, leads_to = rule
            if type(action) is TokenType:
                yield at.pos, action, found.group()
                at.pos = found.end()
            elif action is not None:
                own = found if single else rule[0](text, at.pos, at.end)
                if is_extended:
                    yield from action(lexer, own, at)
                else:
                    yield from action(lexer, own)
                    at.pos = found.end()
            if leads_to is not None:
                _move(at.stack, leads_to)
            break
        else:
            if at.pos >= at.end:
                return
            if text[at.pos] != "\n":
                yield at.pos, Error, text[at.pos]
            else:
                at.stack = ["root"]
                yield at.pos, Text if is_extended else Whitespace, "\n"
            at.pos += 1


def _move(stack: list[str], leads_to: Any) -> None:
    """Apply the state transition of a rule: none, a number of states back, or named states."""
    if isinstance(leads_to, int):
        del stack[max(1, len(stack) + leads_to) :]
        return
    for name in (leads_to,) if isinstance(leads_to, str) else leads_to or ():
        if name == "#push":
            stack.append(stack[-1])
        elif name != "#pop":
            stack.append(name)
        elif len(stack) > 1:
            stack.pop()


class _LexerStates(dict[str, Sequence[_TokenSearch]]):
    """Searches of each state, created on first use."""

    def __init__(self, rules: Mapping[str, Sequence[Rule]]) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, state: str) -> Sequence[_TokenSearch]:
        self[state] = found = tuple(_searches(self._rules[state]))
        return found


def _searches(rules: Sequence[Rule]) -> Iterator[_TokenSearch]:
    for is_joinable, found in groupby(rules, _is_joinable):
        together = list(found)
        if is_joinable and len(together) > 1:
            yield _joined(together)
        else:
            yield from map(_single, together)


def _is_joinable(rule: Rule) -> bool:
    return isinstance(rule[0], _Expression) and rule[0].is_joinable


def _single(rule: Rule) -> _TokenSearch:
    matches = rule[0]
    return _TokenSearch(matches.match if isinstance(matches, _Expression) else matches, {}, rule)


def _joined(rules: Sequence[Rule]) -> _TokenSearch:
    named = {f"_{number}": rule for number, rule in enumerate(rules)}
    sources = (f"(?P<{name}>{rule[0].source})" for name, rule in named.items())
    joined = re.compile("|".join(sources), rules[0][0].flags)
    groups = {joined.groupindex[name]: rule for name, rule in named.items()}
    return _TokenSearch(joined.match, groups, None)
