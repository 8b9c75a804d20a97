from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from docstead.content.pages import PageMeta, Repository

Load = Callable[..., Repository]


def meta(load: Load, navigation: Any, page: str = "") -> PageMeta:
    return load({"a.mdx": page}, navigation).site.pages["a"]


def group(*pages: Any, **keys: Any) -> dict[str, Any]:
    return {"group": "G", "pages": list(pages), **keys}


@pytest.mark.parametrize(
    ("groups", "listed"),
    [
        ([group("a")], True),
        ([group("index")], False),
        ([group("a", hidden=True)], False),
        ([group("a", hidden=True, searchable=True)], True),
        ([group(group("a"), hidden=True)], False),
        ([group(group("a"), hidden=True, searchable=True)], True),
        ([group(group("a", hidden=True), hidden=True, searchable=True)], False),
        ([group("a", hidden=True), group("a")], True),
    ],
)
def test_where_readers_may_find_a_page(load: Load, groups: list[Any], listed: bool) -> None:
    assert meta(load, {"groups": groups}).in_navigation is listed


def test_a_hidden_page_stays_hidden(load: Load) -> None:
    found = meta(load, {"groups": [group("a")]}, "---\nhidden: true\n---\n")

    assert found.hidden
    assert not found.in_navigation


def test_the_first_occurrence_gives_language_and_version(load: Load) -> None:
    versions = [{"version": v, "pages": ["a"]} for v in ("2", "1")]
    found = meta(load, {"languages": [{"language": "fr", "versions": versions}]})

    assert (found.language, found.version) == ("fr", "2")


def test_the_nearest_boost_counts_and_the_page_wins(load: Load) -> None:
    navigation = {"groups": [group(group("a", boost=3), boost=2)]}

    assert meta(load, navigation).boost == 3.0
    assert meta(load, navigation, "---\nboost: 0.5\n---\n").boost == 0.5


def test_search_ranks_pages_outside_the_navigation_lower(load: Load) -> None:
    assert meta(load, {"pages": ["index"]}).boost == 0.5
    assert meta(load, {"pages": ["index"]}, "---\nboost: 3\n---\n").boost == 1.5
    assert meta(load, {"pages": []}).boost == 1.0  # no page has a position


def test_pages_outside_the_navigation_are_pages(load: Load) -> None:
    found = meta(load, {"pages": ["index"]}, "---\nversion: '3'\n---\n")

    assert not found.in_navigation
    assert (found.language, found.version) == (None, "3")
