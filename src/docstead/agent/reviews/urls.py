"""URLs of review pages."""

from __future__ import annotations

import re

_REVIEW_URL = re.compile(r"https?://[^?#]+/changes/(chg_[0-9a-f]{16})")


def review_url(change_id: str, base_url: str) -> str:
    """Return the URL of a change; `base_url` has no trailing slash."""
    return f"{base_url}/changes/{change_id}"


def is_review_url(url: str) -> bool:
    """Report whether a pull request is reviewed here, and not on a forge."""
    return _REVIEW_URL.fullmatch(url) is not None


def current_url(url: str, base_url: str) -> str:
    """Return a pull request's current URL.

    URLs of review pages may have been stored under an earlier base URL.
    """
    known = _REVIEW_URL.fullmatch(url)
    return review_url(known[1], base_url) if known else url
