"""Which address leads on to which other (docs.json, "redirects").

The first entry whose source fits wins. In a source `:name` stands for one segment,
`:name*` for all that follow, and `*` at the end of a segment for the rest of the path.
A destination never leaves the site unless it was written as a full address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from urllib.parse import quote

from docstead.content.config import Redirect
from docstead.content.reserved import is_reserved

PERMANENT, TEMPORARY = 308, 307
_WILD = re.compile(r":([A-Za-z_]\w*)([*+?]?)|\*")
_URL = re.compile(r"https?://", re.IGNORECASE)
PATTERN_LIMIT = 1_000  # redirects with wildcards: each path is held against all of them
WILDCARD_LIMIT = 16  # of one source: matching can take time for each way to divide a path
PATH_LIMIT = 2_000  # characters; nothing longer is redirected
_KEPT = "/:@!$&'()*+,;=-._~%"


@dataclass(frozen=True, slots=True)
class RedirectMatch:
    destination: str
    status: int  # 308 or 307


class Redirects:
    """The redirects of a site, ready for look-up."""

    def __init__(self, redirects: Iterable[Redirect]) -> None:
        self._exact: dict[str, tuple[int, Redirect]] = {}
        self._patterns: list[tuple[int, re.Pattern[str], Redirect]] = []
        for rank, redirect in enumerate(redirects):
            source = _clean(redirect.source)
            if too_many_wildcards(source) or reader_chooses_host(redirect.destination):
                continue
            if has_wildcard(source):
                if len(self._patterns) == PATTERN_LIMIT:
                    continue
                self._patterns.append((rank, _pattern(source), redirect))
            else:
                self._exact.setdefault(source, (rank, redirect))

    def match(self, path: str) -> RedirectMatch | None:
        """Return the redirect of a path; None if it has none, or leads to itself.

        Reserved paths are never redirected: a source with a wildcard could match them.
        """
        if len(path) > PATH_LIMIT:
            return None
        path = _clean(path)
        if is_reserved(path):
            return None
        rank, exact = self._exact.get(path, (None, None))
        for other, pattern, redirect in self._patterns:
            if rank is not None and other > rank:
                break
            if found := pattern.fullmatch(path):
                return _result(path, _fill(redirect.destination, found), redirect)
        return _result(path, exact.destination, exact) if exact else None


def patterns(redirects: Iterable[Redirect]) -> Iterator[tuple[str, Redirect]]:
    """Regular expressions of the redirects that have wildcards, in their order.

    Captured parts are groups: those with a name under it, stars as `_0` and `_1`.
    """
    usable = (
        (_clean(redirect.source), redirect)
        for redirect in redirects
        if has_wildcard(redirect.source) and not reader_chooses_host(redirect.destination)
    )
    bounded = ((source, each) for source, each in usable if not too_many_wildcards(source))
    for source, redirect in islice(bounded, PATTERN_LIMIT):
        yield _pattern(source).pattern, redirect


def has_wildcard(source: str) -> bool:
    return _WILD.search(source) is not None


def too_many_wildcards(source: str) -> bool:
    """Whether matching this source could take long: readers choose the paths it meets."""
    wildcards = list(_WILD.finditer(source))
    unbounded = [wild for wild in wildcards if wild.group(2) in ("*", "+", None)]
    return (len(unbounded) > 1 or len(wildcards) > WILDCARD_LIMIT) or any(
        len(_WILD.findall(segment)) > 1 for segment in source.split("/")
    )


def reader_chooses_host(destination: str) -> bool:
    """Whether the host of this destination has a wildcard, so that a path decides it."""
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


def _pattern(source: str) -> re.Pattern[str]:
    """One regular expression whose groups are the captured parts, `_0`, `_1` for stars."""
    parts: list[str] = []
    done = stars = 0
    seen: set[str] = set()
    for wild in _WILD.finditer(source):
        literal = source[done : wild.start()]
        done = wild.end()
        name = wild.group(1)
        if name is None:
            group = f"(?P<_{stars}>{'.*' if done == len(source) else '[^/]*'})"
            stars += 1
            parts += (re.escape(literal), group)
        elif name in seen:
            parts += (re.escape(literal), f"(?P={name})")
        else:
            seen.add(name)
            parts.append(_named(literal, name, wild.group(2)))
    return re.compile("".join((*parts, re.escape(source[done:]))), re.DOTALL)


def _named(literal: str, name: str, mark: str) -> str:
    """`/:rest*` and `/:one?` also match nothing at all, then without the slash before them."""
    group = f"(?P<{name}>{'.*' if mark == '*' else '.+' if mark == '+' else '[^/]+'})"
    if mark in ("*", "?") and mark and literal.endswith("/"):
        return f"{re.escape(literal[:-1])}(?:/{group})?"
    return re.escape(literal) + group


def _fill(destination: str, found: re.Match[str]) -> str:
    values = {key: quote(value or "", safe=_KEPT) for key, value in found.groupdict().items()}
    stars = iter([value for key, value in values.items() if key.startswith("_")])

    def replacement(wild: re.Match[str]) -> str:
        if wild.group(1) is None:
            return next(stars, "")
        return values.get(wild.group(1), wild.group())

    filled = _WILD.sub(replacement, destination)
    return filled if all(values.values()) else filled.rstrip("/") or "/"
