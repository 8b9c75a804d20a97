"""Pages that several processes take."""

from __future__ import annotations

import pytest

from docstead.export.shared_pages import shared_pages


@pytest.mark.parametrize("count", [0, 1, 16, 17, 300, 40_000])
def test_every_page_is_taken_once_in_order(count: int) -> None:
    slugs = [f"page-{number}" for number in range(count)]
    with shared_pages(slugs) as pages:
        assert list(pages.taken()) == slugs
        assert list(pages.taken()) == []


def test_two_share_all_of_them() -> None:
    slugs = [f"page-{number}" for number in range(1000)]
    with shared_pages(slugs) as pages:
        first, second = pages.taken(), pages.taken()
        found = [next(first), next(second), *first, *second]
    assert found[:2] == ["page-0", "page-16"]
    assert sorted(found) == sorted(slugs)
