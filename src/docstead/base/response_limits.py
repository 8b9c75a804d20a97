"""Limits of responses that a library of HTTP clients reads itself.

A client calls `limit_response` as a hook, before it reads a body. The hook wraps the raw body,
because the library decodes and collects it without any limit.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from docstead.base.units import MIB

#: Headers of requests with limited responses.
UNCOMPRESSED = {"Accept-Encoding": "identity"}


class ResponseRefused(Exception):
    """A response exceeds its limits."""


@dataclass(frozen=True, slots=True)
class ResponseLimits:
    """Maximum size and length of a line of a body; redirects stay on their host.

    Errors are limited to 1 MB.
    """

    most_bytes: int
    longest_line: int | None = None

    def limit_response(self, answer: Any) -> None:
        """Limit a response of httpx or of its successor.

        Raises:
            ResponseRefused: it is compressed, or redirects to another host.
        """
        self._check(answer)
        answer.iter_raw = _limited(answer.iter_raw, _BodyMeter(self, answer))

    async def limit_async_response(self, answer: Any) -> None:
        """Limit a response that is read asynchronously.

        Raises:
            ResponseRefused: it is compressed, or redirects to another host.
        """
        self._check(answer)
        answer.aiter_raw = _limited_async(answer.aiter_raw, _BodyMeter(self, answer))

    def _check(self, answer: Any) -> None:
        # A few kilobytes can decode to gigabytes in one call of the library.
        encoding = answer.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in ("identity", ""):
            raise ResponseRefused("it sends compressed responses, which were not asked for")
        if answer.has_redirect_location:
            _check_host(answer)


class _BodyMeter:
    """Counts a body against its limits."""

    def __init__(self, limits: ResponseLimits, answer: Any) -> None:
        self._limits = limits
        self._most = limits.most_bytes if answer.is_success else min(limits.most_bytes, MIB)
        self._size = 0
        self._line = 0

    def count(self, block: bytes) -> None:
        """Add the next block; raise ResponseRefused if a limit is exceeded."""
        self._size += len(block)
        if self._size > self._most:
            raise ResponseRefused(f"its response is larger than {self._most // MIB} MB")
        end = block.rfind(b"\n")
        self._line = len(block) - end - 1 if end >= 0 else self._line + len(block)
        longest = self._limits.longest_line
        if longest is not None and self._line > longest:
            raise ResponseRefused(f"its response has a line of more than {longest // MIB} MB")


def _limited(
    read: Callable[..., Iterator[bytes]], meter: _BodyMeter
) -> Callable[..., Iterator[bytes]]:
    def reading(*arguments: Any) -> Iterator[bytes]:
        for block in read(*arguments):
            meter.count(block)
            yield block

    return reading


def _limited_async(
    read: Callable[..., AsyncGenerator[bytes, None]], meter: _BodyMeter
) -> Callable[..., AsyncGenerator[bytes, None]]:
    async def reading(*arguments: Any) -> AsyncGenerator[bytes, None]:
        async with aclosing(read(*arguments)) as blocks:
            async for block in blocks:
                meter.count(block)
                yield block

    return reading


def _check_host(answer: Any) -> None:
    """Reject redirects to other hosts, which may be private."""
    try:
        host = answer.url.join(answer.headers["location"]).host
    except Exception as error:  # each library has its own class
        raise ResponseRefused("it redirects to an invalid URL") from error
    if host != answer.url.host:
        raise ResponseRefused(f"it redirects to another host, {host}")
