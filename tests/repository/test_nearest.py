from __future__ import annotations

import pytest

from docstead.repository.nearest import NearestPages

SLUGS = ["guides/start", "api/start", "guides/deep/install", "sdk/index", "Use_Cases"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/old/deep/install", "guides/deep/install"),
        ("/guides/Start.mdx", "guides/start"),
        ("/x/start", None),
        ("/x/guides/start", "guides/start"),
        ("/reference/sdk", "sdk/index"),
        ("/use-cases", "Use_Cases"),
        ("/nothing", None),
        ("", None),
    ],
)
def test_a_page_with_the_same_name(path: str, expected: str | None) -> None:
    assert NearestPages(SLUGS).find(path) == expected
