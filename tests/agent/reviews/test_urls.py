"""URLs of review pages after the service has moved."""

from __future__ import annotations

import pytest

from docstead.agent.reviews.urls import current_url, review_url
from docstead.base.ids import new_id

CHANGE = "chg_0123456789abcdef"


@pytest.mark.parametrize("earlier", ["http://127.0.0.1:8080", "https://a.test/docs"])
def test_a_review_page_moves_with_the_service(earlier: str) -> None:
    stored = review_url(CHANGE, earlier)
    assert current_url(stored, "https://b.test") == f"https://b.test/changes/{CHANGE}"


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/changes/pull/7",
        "https://gitlab.com/acme/docs/-/merge_requests/7",
        f"https://github.com/acme/changes/{CHANGE}/files",
        f"https://forge.test/?to=/changes/{CHANGE}",
    ],
)
def test_pull_requests_of_forges_stay_where_they_are(url: str) -> None:
    assert current_url(url, "https://b.test") == url


def test_ids_of_changes_are_recognized() -> None:
    change = new_id("chg")
    moved = current_url(review_url(change, "https://a.test"), "https://b.test")
    assert moved == review_url(change, "https://b.test")
