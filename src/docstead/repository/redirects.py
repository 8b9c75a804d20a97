"""Redirects between paths (docs/reference/docs-json.mdx).

The first matching entry wins. In a source `:name` matches a segment, `:name*` the following
segments, and `*` at the end of a segment the rest of the path. Destinations stay within the site
unless they are full URLs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count, islice
from typing import Any
from urllib.parse import quote

import re2

from docstead.content.config import Redirect
from docstead.content.reserved import is_reserved

PERMANENT, TEMPORARY = 308, 307
_WILD = re.compile(r":([A-Za-z_]\w*)([*+?]?)|\*")
_URL = re.compile(r"https?://", re.IGNORECASE)
PATTERN_LIMIT = 1_000  # redirects with wildcards
WILDCARD_LIMIT = 16  # per source
_MEMORY_BYTES = 32 << 20  # per pass over redirects with wildcards
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_BODIES = {"*": ".*", "+": ".+"}
PATH_LIMIT = 2_000  # characters; longer paths are not redirected
_KEPT = "/:@!$&'()*+,;=-._~%"


_Pass = tuple[Any, Sequence[tuple[int, Redirect]]]  # compiled sources with their redirects


@dataclass(frozen=True, slots=True)
class RedirectMatch:
    destination: str
    status: int  # 308 or 307


class RedirectTable:
    """Redirects of a site, compiled for lookup.

    RE2 matches a path against all wildcard sources in one pass. Readers control paths and
    repositories sources, so nothing may backtrack.
    """

    def __init__(self, redirects: Iterable[Redirect]) -> None:
        self._exact: dict[str, tuple[int, Redirect]] = {}
        self._wild: list[tuple[int, Redirect]] = []
        for rank, redirect in enumerate(redirects):
            source = _clean(redirect.source)
            if too_many_wildcards(source) or reader_chooses_host(redirect.destination):
                continue
            if not has_wildcard(source):
                self._exact.setdefault(source, (rank, redirect))
            elif len(self._wild) < PATTERN_LIMIT and not _LONE_SURROGATE.search(source):
                self._wild.append((rank, redirect))

    @cached_property
    def _passes(self) -> list[_Pass]:
        return _compiled(self._wild)

    def match(self, path: str) -> RedirectMatch | None:
        """Return the redirect of a path; None if it has none or leads to itself.

        Reserved paths are never redirected, even if a wildcard matches.
        """
        if len(path) > PATH_LIMIT:
            return None
        path = _clean(path)
        if is_reserved(path):
            return None
        before, exact = self._exact.get(path, (math.inf, None))
        for rank, redirect in self._matching(path):
            if rank > before:
                break
            if (values := _captured(redirect, path)) is not None:
                return _result(path, _fill(redirect.destination, values), redirect)
        return _result(path, exact.destination, exact) if exact else None

    def _matching(self, path: str) -> Iterator[tuple[int, Redirect]]:
        """Yield matching redirects with wildcards, in order."""
        if _LONE_SURROGATE.search(path):
            return
        for compiled, some in self._passes if self._wild else ():
            yield from (some[number] for number in sorted(compiled.Match(path) or ()))


def patterns(redirects: Iterable[Redirect]) -> Iterator[tuple[str, Redirect]]:
    """Yield regular expressions of redirects with wildcards, in order.

    Named wildcards are named groups, stars are `_0` and `_1`.
    """
    usable = (
        (_clean(redirect.source), redirect)
        for redirect in redirects
        if has_wildcard(redirect.source) and not reader_chooses_host(redirect.destination)
    )
    bounded = ((source, each) for source, each in usable if not too_many_wildcards(source))
    for source, redirect in islice(bounded, PATTERN_LIMIT):
        yield _script_pattern(source), redirect


def has_wildcard(source: str) -> bool:
    return _WILD.search(source) is not None


def too_many_wildcards(source: str) -> bool:
    """Report whether matching this source could be slow, because readers control paths."""
    wildcards = list(_WILD.finditer(source))
    unbounded = [wild for wild in wildcards if wild.group(2) in ("*", "+", None)]
    return (len(unbounded) > 1 or len(wildcards) > WILDCARD_LIMIT) or any(
        len(_WILD.findall(segment)) > 1 for segment in source.split("/")
    )


def reader_chooses_host(destination: str) -> bool:
    """Report whether the host of a destination contains a wildcard, which readers control."""
    scheme = _URL.match(destination)
    host = re.split(r"[/?#]", destination[scheme.end() :], maxsplit=1)[0] if scheme else ""
    return _WILD.search(host) is not None


def _clean(path: str) -> str:
    return re.sub(r"/{2,}", "/", "/" + path).rstrip("/") or "/"


def _result(path: str, destination: str, redirect: Redirect) -> RedirectMatch | None:
    if not _URL.match(destination):
        destination = re.sub(r"^[/\\]+", "/", "/" + destination)
    if destination.split("#")[0].split("?")[0].rstrip("/") == path.rstrip("/"):
        return None
    return RedirectMatch(destination, PERMANENT if redirect.permanent else TEMPORARY)


def _compiled(wild: Sequence[tuple[int, Redirect]]) -> list[_Pass]:
    """Compile these redirects to as few passes as memory allows."""
    compiled = re2.Set.FullMatchSet(_options(is_set=True))
    try:
        for _, redirect in wild:
            compiled.Add(_regex(_clean(redirect.source)).text)
        compiled.Compile()
    except re2.error:
        half = len(wild) // 2
        return [*_compiled(wild[:half]), *_compiled(wild[half:])] if half else []
    return [(compiled, wild)]


def _options(*, is_set: bool = False) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = is_set
    options.max_mem = _MEMORY_BYTES
    return options


def _captured(redirect: Redirect, path: str) -> dict[str, str] | None:
    """Return the captured parts by name, or None if a repeated name captures different parts."""
    regex = _regex(_clean(redirect.source))
    found = re2.fullmatch(regex.text, path, _options())
    values: dict[str, str] = {}
    for name, value in zip(regex.names, found.groups(), strict=True):
        if values.setdefault(name, value) != value:
            return None
    return {name: value or "" for name, value in values.items()}


@dataclass(frozen=True, slots=True)
class _SourceWildcard:
    """A wildcard with its preceding literal text. Stars are named `_0`, `_1`."""

    literal: str
    name: str
    body: str  # regular expression of the captured text
    is_optional: bool = False
    is_repeated: bool = False

    def regex(self, group: str) -> str:
        """Return the regular expression; `/:rest*` and `/:one?` may be empty, without slash."""
        if self.is_optional:
            return f"{re.escape(self.literal[:-1])}(?:/{group})?"
        return re.escape(self.literal) + group


def _wildcards(source: str) -> Iterator[_SourceWildcard]:
    done = 0
    stars = count()
    bodies: dict[str, str] = {}
    for wild in _WILD.finditer(source):
        literal, done = source[done : wild.start()], wild.end()
        name, mark = wild.groups()
        if name is None:
            yield _SourceWildcard(
                literal, f"_{next(stars)}", ".*" if done == len(source) else "[^/]*"
            )
        elif name in bodies:
            yield _SourceWildcard(literal, name, bodies[name], is_repeated=True)
        else:
            bodies[name] = _BODIES.get(mark, "[^/]+")
            is_optional = mark in ("*", "?") and literal.endswith("/")
            yield _SourceWildcard(literal, name, bodies[name], is_optional)


@dataclass(frozen=True, slots=True)
class _SourceRegex:
    """A regular expression for RE2, with the names of its groups in order."""

    text: str
    names: tuple[str, ...]


@lru_cache(PATTERN_LIMIT)
def _regex(source: str) -> _SourceRegex:
    wildcards = tuple(_wildcards(source))
    parts = (wildcard.regex(f"({wildcard.body})") for wildcard in wildcards)
    text = "".join(("(?s)", *parts, re.escape(_tail(source))))
    return _SourceRegex(text, tuple(wildcard.name for wildcard in wildcards))


def _script_pattern(source: str) -> str:
    """Return a regular expression with groups named like the wildcards."""
    parts = (
        wildcard.regex(
            f"(?P={wildcard.name})"
            if wildcard.is_repeated
            else f"(?P<{wildcard.name}>{wildcard.body})"
        )
        for wildcard in _wildcards(source)
    )
    return "".join((*parts, re.escape(_tail(source))))


def _tail(source: str) -> str:
    """Return the literal text after the last wildcard."""
    *_, last = _WILD.finditer(source)
    return source[last.end() :]


def _fill(destination: str, captured: Mapping[str, str]) -> str:
    values = {key: quote(value, safe=_KEPT) for key, value in captured.items()}
    stars = iter([value for key, value in values.items() if key.startswith("_")])

    def replacement(wild: re.Match[str]) -> str:
        if wild.group(1) is None:
            return next(stars, "")
        return values.get(wild.group(1), wild.group())

    filled = _WILD.sub(replacement, destination)
    return filled if all(values.values()) else filled.rstrip("/") or "/"
