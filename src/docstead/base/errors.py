"""The error tree: every failure that crosses a package line.

    DocsteadError               500
    |- InvalidRequest           400
    |- Unauthorized             401
    |- Forbidden                403
    |- NotFound                 404
    |- Conflict                 409
    |- PayloadTooLarge          413
    |- RateLimited              429  + Retry-After, RateLimit, RateLimit-Policy
    |- Unavailable              503
    `- SourceUnreadable         422  a repository that cannot be published, with its place

Each class knows its HTTP status; its docstring is its default message. The HTTP
surface turns any of them into `{"error": message}` (interface, "Errors").
"""

from __future__ import annotations

from typing import ClassVar


class DocsteadError(Exception):
    """Something went wrong on our side."""

    status: ClassVar[int] = 500

    def __init__(self, message: str | None = None) -> None:
        self.message = message or (self.__doc__ or "").strip().splitlines()[0]
        super().__init__(self.message)

    @property
    def headers(self) -> dict[str, str]:
        """HTTP headers that belong to this error."""
        return {}


class InvalidRequest(DocsteadError):
    """The request is not valid."""

    status = 400


class Unauthorized(DocsteadError):
    """The API key is missing, invalid or expired."""

    status = 401


class Forbidden(DocsteadError):
    """This API key may not do that."""

    status = 403


class NotFound(DocsteadError):
    """There is no such resource."""

    status = 404


class Conflict(DocsteadError):
    """The resource is not in a state that allows this."""

    status = 409


class PayloadTooLarge(DocsteadError):
    """The request body is too large."""

    status = 413


class SourceUnreadable(DocsteadError):
    """The documentation repository could not be read."""

    status = 422


class RateLimited(DocsteadError):
    """Too many requests."""

    status = 429

    def __init__(
        self,
        message: str | None = None,
        *,
        retry_after_seconds: int,
        limit: int,
        window_seconds: int,
        policy: str,
    ) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds
        self.limit = limit
        self.window_seconds = window_seconds
        self.policy = policy

    @property
    def headers(self) -> dict[str, str]:
        """`Retry-After` and the IETF draft's `RateLimit` pair."""
        return {
            "Retry-After": str(self.retry_after_seconds),
            "RateLimit": f'"{self.policy}";r=0;t={self.retry_after_seconds}',
            "RateLimit-Policy": f'"{self.policy}";q={self.limit};w={self.window_seconds}',
        }


class Unavailable(DocsteadError):
    """The service cannot answer this right now."""

    status = 503
