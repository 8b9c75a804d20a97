"""What a forge answers when it does not do what it was asked.

    ForgeError                 502
    |- ForgeUnauthorized       the token is missing, wrong or expired, or may not do this
    |- ForgeNotFound           no such repository, or the token does not see it
    |- ForgeRefused            the forge refuses what it was sent, in its own words
    |- ForgeRateLimited        too many calls; `retry_after_seconds` says for how long
    `- ForgeUnreachable        no answer, or a server error: worth another try

Only the last two are worth waiting for. No message ever holds a token.
"""

from __future__ import annotations

from math import ceil

from docstead.base.errors import DocsteadError

_UNREACHABLE_SECONDS = (15.0, 60.0, 300.0)


def patience_seconds(error: DocsteadError, tries: int) -> float | None:
    """How long to wait after so many tries that failed; None where waiting is of no use."""
    if isinstance(error, ForgeRateLimited):
        return error.retry_after_seconds
    if isinstance(error, ForgeUnreachable) and tries < len(_UNREACHABLE_SECONDS):
        return _UNREACHABLE_SECONDS[tries]
    return None


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
