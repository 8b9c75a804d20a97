"""URLs of review pages, which are the pull requests of repositories without a forge.

The interface sets `prLink` "once the agent has created a pull request", and leaves it null only
while a job is active or without changes. So the link of a bare repository is not null either: the
review page is where people read, discuss and merge the change.
"""

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
