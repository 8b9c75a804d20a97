"""Lexers of Pygments that find a token by one search, not by one for each of their rules.

A lexer tries the rules of its state one after the other. Here neighbouring rules are the
alternatives of one expression, in their order: the first that matches is the same, and the
group that closed last tells which it was. The tokens are those of Pygments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from pygments.lexer import ExtendedRegexLexer, Lexer, LexerContext, RegexLexer
from pygments.token import Error, Text, Whitespace, _TokenType

Match = Callable[[str, int, int], re.Match[str] | None]
Rule = tuple[Match, Any, Any]  # what matches, the token or what makes it, the state it leads to

# Expressions that number or name their groups, or have flags of their own, stay alone.
_STAYS_ALONE = re.compile(r"\\[1-9]|\(\?P[=<]|\(\?\(|\(\?[aiLmsux]")


class _Search(NamedTuple):
    """One expression, and its rules by the group that each is in; a rule may stay alone."""

    match: Match
    rules: Mapping[int, Rule]
    alone: Rule | None


def quickened(lexer: Lexer) -> Lexer:
    """The same lexer; one that does not go by rules alone is left as it is."""
    known: Any = lexer
    own = type(lexer).get_tokens_unprocessed
    if own in (RegexLexer.get_tokens_unprocessed, ExtendedRegexLexer.get_tokens_unprocessed):
        known.get_tokens_unprocessed = partial(_tokens, lexer, _States(known._tokens))
    return lexer


def _tokens(
    lexer: Lexer,
    states: _States,
    text: str = "",
    stack: Iterable[str] = ("root",),
    context: LexerContext | None = None,
) -> Iterator[tuple[int, _TokenType, str]]:
    is_extended = isinstance(lexer, ExtendedRegexLexer)
    at = context or LexerContext(text, 0, list(stack))
    text = at.text
    while True:
        for match, rules, alone in states[at.stack[-1]]:
            if (found := match(text, at.pos, at.end)) is None:
                continue
            rule = alone or rules[found.lastindex or 0]
            _, action, leads_to = rule
            if type(action) is _TokenType:
                yield at.pos, action, found.group()
                at.pos = found.end()
            elif action is not None:
                own = found if alone else rule[0](text, at.pos, at.end)
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
    """Where a rule leads: nowhere, so many states back, or to states by their names."""
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


class _States(dict[str, Sequence[_Search]]):
    """The searches of each state, made when a text first comes to it."""

    def __init__(self, rules: Mapping[str, Sequence[Rule]]) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, state: str) -> Sequence[_Search]:
        self[state] = found = tuple(_searches(self._rules[state]))
        return found


def _searches(rules: Sequence[Rule]) -> Iterator[_Search]:
    together: list[Rule] = []
    for rule in rules:
        if together and not _go_together(together[-1], rule):
            yield _joined(together)
            together = []
        together.append(rule)
    if together:
        yield _joined(together)


def _go_together(first: Rule, second: Rule) -> bool:
    one, other = _pattern(first), _pattern(second)
    return (
        one is not None
        and other is not None
        and one.flags == other.flags
        and not one.flags & re.VERBOSE
        and not any(map(_STAYS_ALONE.search, (one.pattern, other.pattern)))
    )


def _joined(rules: Sequence[Rule]) -> _Search:
    if len(rules) == 1:
        return _Search(rules[0][0], {}, rules[0])
    patterns = [pattern for rule in rules if (pattern := _pattern(rule))]
    by_group, group = {}, 1
    for rule, pattern in zip(rules, patterns, strict=True):
        by_group[group] = rule
        group += 1 + pattern.groups
    joined = "|".join(f"({pattern.pattern})" for pattern in patterns)
    return _Search(re.compile(joined, patterns[0].flags).match, by_group, None)


def _pattern(rule: Rule) -> re.Pattern[str] | None:
    found = getattr(rule[0], "__self__", None)
    return found if isinstance(found, re.Pattern) else None
