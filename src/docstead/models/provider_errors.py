"""Mapping of provider errors to `ModelError`, for all client libraries."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from docstead.base.errors import (
    ModelContextFull,
    ModelError,
    ModelMisconfigured,
    ModelOutOfCredit,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
)

_LONGEST_DETAIL = 600
_SHORTEST_SECRET = 4

# The first matching row decides, by status or by message. Providers agree on neither, and
# errors within a stream have no status.
_MEANINGS: tuple[tuple[frozenset[int], str, type[ModelError]], ...] = (
    (
        frozenset({402}),
        r"insufficient_quota|billing|credit balance|out of credit|no credit|payment required"
        r"|insufficient (?:funds|credit|balance)|exceeded your current quota",
        ModelOutOfCredit,
    ),
    (
        frozenset({429, 529}),
        r"rate_limit|overloaded|too many requests|at capacity",
        ModelRateLimited,
    ),
    (
        frozenset({413}),
        r"context_length_exceeded|context (?:length|window|size)|prompt is too long"
        r"|maximum context|too many (?:input )?tokens|input is too long",
        ModelContextFull,
    ),
    (frozenset({408, 504, 524}), r"timed? ?_?out", ModelTimeout),
    (
        frozenset({451}),
        r"content_filter|content_policy|content management policy|safety (?:system|policy)",
        ModelRefused,
    ),
    (
        frozenset({400, 401, 403, 404, 405, 422}),
        r"invalid_request|api key|\bvalidation errors?\b",
        ModelMisconfigured,
    ),
)


@dataclass(frozen=True, slots=True)
class ProviderError:
    """An error as sent by the provider. `status` is None within a stream."""

    words: str
    status: int | None = None
    code: str = ""
    headers: Mapping[str, str] | None = None


def model_error(failure: ProviderError, secret: str = "") -> ModelError:
    """Return the error for a failure, with the provider's message without `secret`."""
    failure_text = f"{failure.code} {failure.words}"
    fits = (
        kind
        for statuses, words, kind in _MEANINGS
        if failure.status in statuses or re.search(words, failure_text, re.IGNORECASE)
    )
    kind, detail = next(fits, ModelUnreachable), _detail(failure, secret)
    if issubclass(kind, ModelRateLimited):
        return kind(detail=detail, retry_after_seconds=_retry_seconds(failure.headers))
    return kind(detail=detail)


def _detail(failure: ProviderError, secret: str) -> str:
    words = " ".join(failure.words.split())
    if len(secret) >= _SHORTEST_SECRET:
        words = words.replace(secret, "…")
    words = words[:_LONGEST_DETAIL]
    return f"{failure.status}: {words}" if failure.status else words


def _retry_seconds(headers: Mapping[str, str] | None) -> float | None:
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float((headers or {})[name]) * unit
        except (KeyError, ValueError):
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    return None
