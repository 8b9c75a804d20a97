"""Limits of open files: raise the soft limit, and derive the number of connections."""

from __future__ import annotations

import asyncio
import errno
import logging
import resource
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from docstead.base.throttled_log import ThrottledLog

_REQUESTED = 65_536
# Databases, editions, workers and downloads need file descriptors, too.
_RESERVED = 128
_RESERVED_SHARE = 4
_FEWEST_CONNECTIONS = 16
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_log = logging.getLogger(__name__)


def raise_descriptor_limit() -> int:
    """Raise the soft limit towards the hard limit, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    requested = _REQUESTED if hard == resource.RLIM_INFINITY else min(hard, _REQUESTED)
    if soft != resource.RLIM_INFINITY and soft < requested:
        with suppress(ValueError, OSError):  # some systems have a lower limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (requested, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _REQUESTED if soft == resource.RLIM_INFINITY else soft


def connections_below(descriptors: int, requested: int) -> int:
    """Return `requested`, or fewer if that many connections would exhaust the descriptors."""
    reserved = max(_RESERVED, descriptors // _RESERVED_SHARE)
    return min(requested, max(_FEWEST_CONNECTIONS, descriptors - reserved))


def log_exhaustion_once_a_minute(loop: asyncio.AbstractEventLoop) -> None:
    """Replace the event loop's traceback of failed `accept` calls by one line per minute."""
    loop.set_exception_handler(_handler(ThrottledLog(_log)))


def _handler(
    throttled: ThrottledLog,
) -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in _EXHAUSTED:
            throttled.warning(
                "cannot accept connections: %s; raise the limit of open files (ulimit -n)",
                error.strerror,
            )
        else:
            loop.default_exception_handler(context)

    return handle
