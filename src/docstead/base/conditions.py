"""Conditional requests: validators, ranges and accepted encodings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

Coding = Literal["br", "gzip"]
_CODINGS: tuple[Coding, ...] = ("br", "gzip")  # the smaller first
_RANGE = re.compile(r"bytes\s*+=\s*+(\d{0,18})\s*+-\s*+(\d{0,18})\s*+", re.ASCII)


def is_known(request: Mapping[str, str], etag: str) -> bool:
    """Report whether the request's validators match the ETag."""
    return matches(request.get("if-none-match", ""), etag)


def matches(tags: str, etag: str) -> bool:
    """Report whether a header such as If-None-Match lists the ETag, or is `*`."""
    listed = (tag.strip().removeprefix("W/") for tag in tags.split(","))
    return tags.strip() == "*" or etag in listed


def requested_range(request: Mapping[str, str], etag: str, size: int) -> tuple[int, int] | None:
    """Return the requested byte range as (start, end); equal values mean it is unsatisfiable.

    Headers that do not contain a single byte range are ignored (RFC 9110).
    """
    match = _RANGE.fullmatch(request.get("range", ""))
    if match is None or request.get("if-range", etag) != etag or not any(match.groups()):
        return None
    if not match[1]:
        length = min(int(match[2]), size)
        return size - length, size
    start = int(match[1])
    end = min(int(match[2]) + 1, size) if match[2] else size
    if match[2] and int(match[2]) < start:
        return None
    return min(start, end), end


def accepted_coding(request: Mapping[str, str]) -> Coding | None:
    """Return the coding that compresses best among those that the request accepts."""
    accepted = set(_accepted_codings(request.get("accept-encoding", "").lower()))
    return next((coding for coding in _CODINGS if coding in accepted), None)


def _accepted_codings(header: str) -> Iterator[str]:
    for coding in header.split(","):
        name, _, weight = coding.strip().partition(";")
        if weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000"):
            yield name.strip()
