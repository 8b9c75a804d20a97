"""Patterns with the syntax of `.gitignore`, matched in linear time.

Repositories control both patterns and paths, so no backtracking matcher may be used. pathspec
translates them to regular expressions; RE2 matches many of them in one pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_MOST_CHARACTERS = 4_096  # characters per pattern, like the maximum of paths
_AT_ONCE = 1_000  # patterns per pass
_CHARACTERS_AT_ONCE = 200_000  # characters of their regular expressions, more need more memory
_MEMORY_BYTES = 64 << 20  # memory per pass
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # non-UTF-8 part of a name
# Suffixes in pathspec's regular expressions that match the end of a directory's name.
_FOLDER_MARK = "(?P<ps_d>/)"
_FOLDER_OR_END = f"(?:{_FOLDER_MARK}|$)"


@dataclass(frozen=True, slots=True)
class _IgnoreRule:
    """Regular expression of a pattern; `rank` is 1 if it matches a parent folder."""

    regex: str
    position: int
    includes: bool
    rank: int


class PathPatterns:
    """The last pattern that matches a path decides, otherwise the last for its folder.

    Raises ValueError for an invalid pattern (`check_pattern` finds it).
    """

    def __init__(self, lines: Iterable[str]) -> None:
        rules = (rule for at, line in enumerate(lines) for rule in _rules(at, line))
        self._passes = [(_compiled(some), some) for some in _batched(rules)]

    def decide(self, path: str) -> bool | None:
        """Report whether the path is included; None if no pattern matches."""
        shown = _LONE_SURROGATE.sub("\ufffd", path)
        chosen = max(self._matching(shown), key=_precedence, default=None)
        return None if chosen is None else chosen.includes

    def includes(self, path: str) -> bool:
        return self.decide(path) is True

    def _matching(self, path: str) -> Iterator[_IgnoreRule]:
        for compiled, rules in self._passes:
            yield from (rules[number] for number in compiled.Match(path) or ())


def _precedence(rule: _IgnoreRule) -> tuple[int, int]:
    return rule.rank, rule.position


def check_pattern(line: str) -> None:
    """Raise ValueError if the line is neither a pattern nor a comment."""
    _compiled(tuple(_rules(0, line)))


def _rules(position: int, line: str) -> Iterator[_IgnoreRule]:
    if len(line) > _MOST_CHARACTERS:
        raise ValueError(f"a pattern has at most {_MOST_CHARACTERS:,} characters")
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern  # most sites have none

    regex, includes = GitIgnoreSpecPattern.pattern_to_regex(line)
    if regex is None or includes is None:
        return
    if regex.endswith(_FOLDER_OR_END):
        start = regex.removesuffix(_FOLDER_OR_END)
        yield _IgnoreRule(f"{start}/", position, includes, 1)
        yield _IgnoreRule(f"{start}$", position, includes, 2)
    elif _FOLDER_MARK in regex:
        yield _IgnoreRule(regex.replace(_FOLDER_MARK, "/"), position, includes, 1)
    else:
        yield _IgnoreRule(regex, position, includes, 2)


def _batched(rules: Iterable[_IgnoreRule]) -> Iterator[Sequence[_IgnoreRule]]:
    some: list[_IgnoreRule] = []
    characters = 0
    for rule in rules:
        characters += len(rule.regex)
        if len(some) == _AT_ONCE or (some and characters > _CHARACTERS_AT_ONCE):
            yield some
            some, characters = [], len(rule.regex)
        some.append(rule)
    if some:
        yield some


def _compiled(rules: Sequence[_IgnoreRule]) -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = _MEMORY_BYTES
    compiled = re2.Set.SearchSet(options)
    try:
        for rule in rules:
            compiled.Add(rule.regex)
        compiled.Compile()
    except re2.error as error:
        raise ValueError(f"not a pattern: {error}") from None
    return compiled
