"""Errors of forges.

    ForgeError                 502
    |- ForgeUnauthorized       the token is missing, wrong, expired or lacks a permission
    |- ForgeNotFound           no such repository, or the token cannot see it
    |- ForgeRefused            the forge rejected the request, with its message
    |- ForgeRateLimited        too many calls; retry after `retry_after_seconds`
    `- ForgeUnreachable        no response, or a server error: retry

Only the last two, and an unavailable git server, are worth waiting for. Messages never contain
tokens.
"""

from __future__ import annotations

import re
from math import ceil

from docstead.base.errors import DocsteadError
from docstead.publishing.git import GitFailed

# Messages of git and of its HTTP and SSH clients.
_AWAY = re.compile(
    r"error: (?:429|5\d\d)|Failed to connect|Connection (?:refused|reset|timed out)"
    r"|Couldn't connect|Could not resolve host|Operation timed out|Empty reply from server"
    r"|unexpected disconnect|early EOF|remote end hung up"
)
_UNREACHABLE_SECONDS = (2.0, 15.0, 60.0, 300.0)


def patience_seconds(error: DocsteadError, tries: int) -> float | None:
    """Return the seconds to wait after this many failures, or None if waiting is pointless."""
    if isinstance(error, ForgeRateLimited):
        return error.retry_after_seconds
    is_away = isinstance(error, ForgeUnreachable) or is_git_away(error)
    if is_away and tries < len(_UNREACHABLE_SECONDS):
        return _UNREACHABLE_SECONDS[tries]
    return None


def is_git_away(error: BaseException | None) -> bool:
    """Report whether git failed, directly or as a cause, because its server is unavailable."""
    while error is not None:
        if isinstance(error, GitFailed) and _AWAY.search(f"{error.message} {error.printed}"):
            return True
        error = error.__cause__ or error.__context__
    return False


class ForgeError(DocsteadError):
    """A forge request failed."""

    status = 502


class ForgeUnauthorized(ForgeError):
    """The forge does not accept the token."""


class ForgeNotFound(ForgeError):
    """The repository does not exist on the forge."""


class ForgeRefused(ForgeError):
    """The forge rejected the request."""


class ForgeRateLimited(ForgeError):
    """The forge's rate limit is exceeded."""

    def __init__(self, message: str | None = None, *, retry_after_seconds: float) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds

    @property
    def headers(self) -> dict[str, str]:
        return {"Retry-After": str(max(1, ceil(self.retry_after_seconds)))}


class ForgeUnreachable(ForgeError):
    """The forge is unavailable."""
