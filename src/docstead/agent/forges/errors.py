"""Errors of a forge that did not carry out a request.

    ForgeError                 502
    |- ForgeUnauthorized       the token is missing, wrong or expired, or may not do this
    |- ForgeNotFound           no such repository, or the token does not see it
    |- ForgeRefused            the forge refuses what it was sent, in its own words
    |- ForgeRateLimited        too many calls; `retry_after_seconds` says for how long
    `- ForgeUnreachable        no answer, or a server error: worth another try

Only the last two, and a git server that is away, are worth waiting for. No message ever
holds a token.
"""

from __future__ import annotations

import re
from math import ceil

from docstead.base.errors import DocsteadError
from docstead.publishing.git import GitFailed

# The words of git and of its HTTP and SSH clients.
_AWAY = re.compile(
    r"error: (?:429|5\d\d)|Failed to connect|Connection (?:refused|reset|timed out)"
    r"|Couldn't connect|Could not resolve host|Operation timed out|Empty reply from server"
    r"|unexpected disconnect|early EOF|remote end hung up"
)
_UNREACHABLE_SECONDS = (2.0, 15.0, 60.0, 300.0)


def patience_seconds(error: DocsteadError, tries: int) -> float | None:
    """Return the seconds to wait after that many failures; None if waiting is of no use."""
    if isinstance(error, ForgeRateLimited):
        return error.retry_after_seconds
    is_away = isinstance(error, ForgeUnreachable) or is_git_away(error)
    if is_away and tries < len(_UNREACHABLE_SECONDS):
        return _UNREACHABLE_SECONDS[tries]
    return None


def is_git_away(error: BaseException | None) -> bool:
    """Whether git failed, here or in the cause, because its server gave no proper answer."""
    while error is not None:
        if isinstance(error, GitFailed) and _AWAY.search(f"{error.message} {error.printed}"):
            return True
        error = error.__cause__ or error.__context__
    return False


class ForgeError(DocsteadError):
    """The forge failed."""

    status = 502


class ForgeUnauthorized(ForgeError):
    """The forge does not accept the token."""


class ForgeNotFound(ForgeError):
    """The forge does not know the repository."""


class ForgeRefused(ForgeError):
    """The forge refused the request."""


class ForgeRateLimited(ForgeError):
    """The forge takes no more calls for now."""

    def __init__(self, message: str | None = None, *, retry_after_seconds: float) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds

    @property
    def headers(self) -> dict[str, str]:
        return {"Retry-After": str(max(1, ceil(self.retry_after_seconds)))}


class ForgeUnreachable(ForgeError):
    """The forge cannot be reached."""
