"""Error tree: all errors that cross package boundaries.

    DocsteadError               500
    |- InvalidRequest           400
    |- Unauthorized             401
    |- Forbidden                403
    |- NotFound                 404
    |- Conflict                 409
    |- PayloadTooLarge          413
    |- CompressedBody           415  + Accept-Encoding
    |- RateLimited              429  + Retry-After, RateLimit, RateLimit-Policy
    |- Unavailable              503
    |  |- StoreUnavailable      the database is unavailable, locked or full; + Retry-After
    |  |- ObjectsUnavailable    the object store failed; `detail` has operation and location
    |  |  `- ObjectsUnreachable it is temporarily unavailable; + Retry-After
    |  `- ModelError            a chat model failed; `detail` has the provider's message
    |     |- ModelTimeout
    |     |- ModelUnreachable
    |     |- ModelRateLimited   + Retry-After
    |     |- ModelOutOfCredit   the provider's account, or our own budget
    |     |- ModelRefused       the model declines this conversation
    |     |- ModelMisconfigured the provider rejects key, name or request
    |     |- ModelContextFull   the conversation exceeds the context window
    |     `- ModelBadAnswer     empty, truncated or invalid
    `- SourceUnreadable         422  a repository that cannot be published, with the position

Each class has its HTTP status; its docstring is its default message. The HTTP API converts errors
to `{"error": message}` (docs/reference/errors-and-limits.mdx).
"""

from __future__ import annotations

from math import ceil
from typing import ClassVar


class DocsteadError(Exception):
    """Something went wrong. The service's log has the details."""

    status: ClassVar[int] = 500
    detail: str  # for maintainers; by default the message

    def __init__(self, message: str | None = None) -> None:
        self.message = message or (self.__doc__ or "").strip().splitlines()[0]
        self.detail = self.message
        super().__init__(self.message)

    @property
    def headers(self) -> dict[str, str]:
        """HTTP headers of this error."""
        return {}


class InvalidRequest(DocsteadError):
    """The request is not valid."""

    status = 400


class Unauthorized(DocsteadError):
    """The API key is missing, invalid or expired."""

    status = 401


class Forbidden(DocsteadError):
    """This API key does not allow the request."""

    status = 403


class NotFound(DocsteadError):
    """The resource does not exist."""

    status = 404


class Conflict(DocsteadError):
    """The resource is not in a state that allows this."""

    status = 409


class PayloadTooLarge(DocsteadError):
    """The request body is too large."""

    status = 413


class CompressedBody(DocsteadError):
    """The request body is compressed; send it without Content-Encoding."""

    status = 415

    @property
    def headers(self) -> dict[str, str]:
        return {"Accept-Encoding": "identity"}


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
        """`Retry-After` and the IETF draft's `RateLimit` headers."""
        return {
            "Retry-After": str(self.retry_after_seconds),
            "RateLimit": f'"{self.policy}";r=0;t={self.retry_after_seconds}',
            "RateLimit-Policy": f'"{self.policy}";q={self.limit};w={self.window_seconds}',
        }


class Unavailable(DocsteadError):
    """The service cannot answer this right now."""

    status = 503


class StoreUnavailable(Unavailable):
    """The database cannot answer right now."""

    retry_after_seconds: ClassVar[int] = 5

    @property
    def headers(self) -> dict[str, str]:
        return {"Retry-After": str(self.retry_after_seconds)}


class ObjectsUnavailable(Unavailable):
    """The object store cannot answer right now."""

    def __init__(self, message: str | None = None, *, detail: str = "") -> None:
        """Create an error; `message` is for readers, `detail` for maintainers."""
        super().__init__(message)
        self.detail = detail or self.message


class ObjectsUnreachable(ObjectsUnavailable):
    """The object store cannot be reached right now."""

    retry_after_seconds: ClassVar[int] = 5

    @property
    def headers(self) -> dict[str, str]:
        return {"Retry-After": str(self.retry_after_seconds)}


#: Errors that end when a database or object store is available again.
OUTAGES = (StoreUnavailable, ObjectsUnreachable)


class ModelError(Unavailable):
    """The assistant's model failed."""

    def __init__(self, message: str | None = None, *, detail: str = "") -> None:
        """Create an error; `message` is for readers, `detail` for maintainers."""
        super().__init__(message)
        self.detail = detail or self.message


class ModelTimeout(ModelError):
    """The assistant's model took too long."""


class ModelUnreachable(ModelError):
    """The assistant's model could not be reached."""


class ModelRateLimited(ModelError):
    """The assistant is busy. Please try again in a moment."""

    def __init__(
        self,
        message: str | None = None,
        *,
        detail: str = "",
        retry_after_seconds: float | None = None,  # None if unknown
    ) -> None:
        super().__init__(message, detail=detail)
        self.retry_after_seconds = retry_after_seconds

    @property
    def headers(self) -> dict[str, str]:
        seconds = self.retry_after_seconds
        return {} if seconds is None else {"Retry-After": str(max(1, ceil(seconds)))}


class ModelOutOfCredit(ModelError):
    """The assistant's model has no credit left."""


class ModelRefused(ModelError):
    """The assistant's model declined to answer."""


class ModelMisconfigured(ModelError):
    """The assistant's model is not set up correctly."""


class ModelContextFull(ModelError):
    """The conversation is too long for the assistant's model."""


class ModelBadAnswer(ModelError):
    """The assistant's model gave no usable answer."""
