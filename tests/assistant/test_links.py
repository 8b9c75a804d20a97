from __future__ import annotations

import pytest

from docstead.assistant.links import AbsoluteLinks
from docstead.markup.rendered import LINK_MARK


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/keys#rotate", "https://docs/keys#rotate"),
        (f"{LINK_MARK}/keys", "https://docs/keys"),
        ("#rotate", "https://docs/guides/keys#rotate"),
        ("//example.com/x", "//example.com/x"),
        ("https://example.com/#x", "https://example.com/#x"),
    ],
)
def test_links_to_the_site_and_to_headings_of_the_page_are_absolute(
    target: str, expected: str
) -> None:
    links = AbsoluteLinks("https://docs/")
    assert links.absolute(f"See [keys]({target}).", "guides/keys") == f"See [keys]({expected})."


def test_a_heading_of_the_home_page() -> None:
    assert AbsoluteLinks("https://docs").absolute("[a](#b)", "index") == "[a](https://docs/#b)"
