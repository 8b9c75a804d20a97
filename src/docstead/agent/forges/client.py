"""HTTP client for forge APIs with safe retries and readable errors.

Reads are repeated after server errors and broken connections, writes only if they were not sent.
Short rate limits are waited out; longer ones raise `ForgeRateLimited`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from docstead.agent.forges.errors import (
    ForgeError,
    ForgeNotFound,
    ForgeRateLimited,
    ForgeRefused,
    ForgeUnauthorized,
    ForgeUnreachable,
)
from docstead.base.response_deadlines import limit_response_time
from docstead.base.response_limits import UNCOMPRESSED, ResponseLimits, ResponseRefused
from docstead.base.units import HOUR_SECONDS, MIB

_TIMEOUT = httpx.Timeout(30, connect=10)
_TRIES = 3
_PAUSE_SECONDS = 1.0
_WAITED_SECONDS = 5.0  # longest wait within a call
_DEFAULT_WAIT_SECONDS = 60.0
_LONGEST_WAIT_SECONDS = float(HOUR_SECONDS)  # GitHub's limits last no longer
_SHOWN_CHARACTERS = 500
_LONGEST_ETAG = 500
_RESPONSE_SECONDS = 60.0
_LIMITS = ResponseLimits(8 * MIB)


def new_client(response_seconds: float = _RESPONSE_SECONDS) -> httpx.Client:
    """Return a client that follows redirects of renamed repositories within their host."""
    client = httpx.Client(
        timeout=_TIMEOUT,
        headers=UNCOMPRESSED,
        follow_redirects=True,
        event_hooks={"response": [_LIMITS.limit_response]},
    )
    limit_response_time(client, response_seconds)
    return client


@dataclass(frozen=True)
class ForgeClient:
    """Client for paths below `api_url`. `headers` is called for each request: tokens expire."""

    forge: str  # name of the forge, for messages
    api_url: str
    headers: Callable[[], Mapping[str, str]]
    repository: str = ""
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.time  # Unix time, as used by rate limits
    client: httpx.Client = field(default_factory=new_client)

    def get(self, path: str, **params: Any) -> Any:
        return self.send("GET", path, params=params)

    def get_changed(self, path: str, etag: str) -> tuple[Any, str] | None:
        """Return a resource and its ETag, or None if it still has this one.

        Raises:
            ForgeError: as `send`.
        """
        headers = {"If-None-Match": etag} if etag else {}
        answer = self._answer("GET", path, headers=headers)
        if answer.status_code == httpx.codes.NOT_MODIFIED:
            return None
        return _json(answer), answer.headers.get("etag", "")[:_LONGEST_ETAG]

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        return self.send("POST", path, json=body)

    def send(self, method: str, path: str, **content: Any) -> Any:
        """Send a request and return the decoded response.

        Raises:
            ForgeError: by kind; see `docstead.agent.forges.errors`.
        """
        return _json(self._answer(method, path, **content))

    def _answer(self, method: str, path: str, **content: Any) -> httpx.Response:
        for attempt in range(1, _TRIES + 1):
            try:
                return self._accepted(self._once(method, path, content))
            except ForgeRateLimited as error:
                if attempt == _TRIES or error.retry_after_seconds > _WAITED_SECONDS:
                    raise
                self.sleep(error.retry_after_seconds)
            except ForgeUnreachable as error:
                if attempt == _TRIES or not (method == "GET" or _never_left(error)):
                    raise
                self.sleep(_PAUSE_SECONDS * attempt)
        raise AssertionError("the last try answers or raises")

    def _once(self, method: str, path: str, content: Mapping[str, Any]) -> httpx.Response:
        url = path if path.startswith(("http://", "https://")) else self.api_url + path
        request = {**content, "headers": {**self.headers(), **content.get("headers", {})}}
        try:
            return self.client.request(method, url, **request)
        except (httpx.HTTPError, ResponseRefused) as error:
            words = f"{self.forge} cannot be reached at {self.api_url}: {_plain(error)}"
            raise ForgeUnreachable(words) from error

    def _accepted(self, answer: httpx.Response) -> httpx.Response:
        if answer.is_success or answer.status_code == httpx.codes.NOT_MODIFIED:
            return answer
        raise self._error(answer)

    def _error(self, answer: httpx.Response) -> ForgeError:
        said = message_of(answer)
        status = answer.status_code
        if (wait := self._wait_seconds(answer, said)) is not None:
            return ForgeRateLimited(
                f"{self.forge} takes no more calls for {wait:.0f} seconds: {said}",
                retry_after_seconds=wait,
            )
        if status >= httpx.codes.INTERNAL_SERVER_ERROR:
            return ForgeUnreachable(f"{self.forge} answered {status}: {said}")
        return self._refusal(status, said)

    def _refusal(self, status: int, said: str) -> ForgeError:
        if status == httpx.codes.UNAUTHORIZED:
            return ForgeUnauthorized(
                f"{self.forge} does not accept the token; it is wrong, expired or revoked ({said})"
            )
        if status == httpx.codes.FORBIDDEN:
            return ForgeUnauthorized(f"{self.forge} does not permit this with the token: {said}")
        if status == httpx.codes.NOT_FOUND:
            return ForgeNotFound(
                f"{self.forge} has no {self.repository or 'such thing'}, "
                f"or the token has no access to it ({said})"
            )
        return ForgeRefused(f"{self.forge} refused the request ({status}): {said}")

    def _wait_seconds(self, answer: httpx.Response, said: str) -> float | None:
        """Return the seconds to wait if the response is about a rate limit, otherwise None."""
        limits = (httpx.codes.FORBIDDEN, httpx.codes.TOO_MANY_REQUESTS)
        if answer.status_code not in limits:
            return None
        if (after := _number(answer.headers.get("retry-after"))) is not None:
            return min(after, _LONGEST_WAIT_SECONDS)
        reset = _number(
            answer.headers.get("x-ratelimit-reset") or answer.headers.get("ratelimit-reset")
        )
        left = answer.headers.get("x-ratelimit-remaining") or answer.headers.get(
            "ratelimit-remaining"
        )
        if left == "0" and reset is not None:
            return min(max(1.0, reset - self.now()), _LONGEST_WAIT_SECONDS)
        is_limit = answer.status_code == httpx.codes.TOO_MANY_REQUESTS or "rate limit" in said
        return _DEFAULT_WAIT_SECONDS if is_limit else None


def message_of(answer: httpx.Response) -> str:
    """Return the forge's error message in one line."""
    try:
        return _message_in(answer.json())[:_SHOWN_CHARACTERS] or answer.reason_phrase
    except (ValueError, RecursionError):
        return answer.reason_phrase or "no reason given"


def _message_in(value: Any) -> str:
    """Format an error value: a string, a list, or lists by field; GitHub adds details."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(filter(None, map(_message_in, value)))
    if not isinstance(value, dict):
        return ""
    named = [value[key] for key in ("message", "error", "error_description") if key in value]
    if "errors" in value:
        named.append(value["errors"])
    if named:
        return "; ".join(dict.fromkeys(filter(None, map(_message_in, named))))
    if "code" in value:  # GitHub: {"resource", "field", "code"}
        return " ".join(str(value[key]) for key in ("resource", "field", "code") if key in value)
    return "; ".join(f"{key} {_message_in(each)}" for key, each in value.items())


def _json(answer: httpx.Response) -> Any:
    try:
        return answer.json() if answer.content else None
    except (ValueError, RecursionError) as error:
        raise ForgeUnreachable(f"{answer.url.host} did not answer with JSON") from error


@contextmanager
def expected(forge: str) -> Iterator[None]:
    """Convert errors about missing or unexpected fields of a response in this block.

    Raises:
        ForgeUnreachable: the response has an unexpected format.
    """
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ForgeUnreachable(f"{forge} sent an unexpected response") from error


def _never_left(error: ForgeUnreachable) -> bool:
    return isinstance(error.__cause__, httpx.ConnectError | httpx.ConnectTimeout)


def _number(text: str | None) -> float | None:
    try:
        return max(0.0, float(text or ""))
    except ValueError:
        return None


def _plain(error: Exception) -> str:
    return str(error) or type(error).__name__
