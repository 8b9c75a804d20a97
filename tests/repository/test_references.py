from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docstead.repository.json_text import JsonError, parse, plain
from docstead.repository.references import follow

LEAVES = st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=5)
KEYS = st.text(alphabet="abcdef", min_size=1, max_size=3)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


def followed(files: dict[str, Any], start: str = "docs.json") -> Any:
    @cache
    def read(path: str) -> Any:
        if path not in files:
            raise FileNotFoundError(path)
        return parse(json.dumps(files[path], indent=1), path)

    return follow(start, read)


def test_an_object_is_replaced_and_its_siblings_win() -> None:
    files = {
        "docs.json": {"colors": {"$ref": "./parts/colors.json", "light": "#fff"}},
        "parts/colors.json": {"primary": "#111", "light": "#222"},
    }

    assert plain(followed(files)) == {"colors": {"primary": "#111", "light": "#fff"}}


def test_an_array_is_replaced_and_siblings_are_ignored() -> None:
    files = {"docs.json": {"pages": {"$ref": "pages.json", "x": 1}}, "pages.json": ["a", "b"]}

    assert plain(followed(files)) == {"pages": ["a", "b"]}


def test_paths_are_relative_to_the_file_that_names_them() -> None:
    files = {
        "docs.json": {"navigation": {"$ref": "nav/all.json"}},
        "nav/all.json": {"tabs": [{"$ref": "./api/tab.json"}]},
        "nav/api/tab.json": {"tab": "API", "pages": {"$ref": "../../pages.json"}},
        "pages.json": ["index"],
    }

    expected = {"navigation": {"tabs": [{"tab": "API", "pages": ["index"]}]}}
    assert plain(followed(files)) == expected


def test_values_keep_the_position_in_their_own_file() -> None:
    files = {"docs.json": {"nav": {"$ref": "nav.json"}}, "nav.json": {"a": 1, "tabs": [1]}}

    assert str(followed(files)["nav"].position("tabs")) == "nav.json:3:2"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"docs.json": {"a": {"$ref": "docs.json"}}}, "circle: docs.json -> docs.json"),
        (
            {"docs.json": {"a": {"$ref": "b.json"}}, "b.json": [{"$ref": "docs.json"}]},
            "circle: docs.json -> b.json -> docs.json",
        ),
        ({"docs.json": {"a": {"$ref": "../x.json"}}}, "leads out of the repository"),
        ({"docs.json": {"a": {"$ref": "a/../../x.json"}}}, "leads out of the repository"),
        ({"docs.json": {"a": {"$ref": "none.json"}}}, "does not exist: none.json"),
        ({"docs.json": {"a": {"$ref": "secrets.txt"}}}, "relative path of a .json file"),
        ({"docs.json": {"a": {"$ref": 7}}}, "relative path of a .json file"),
    ],
)
def test_what_cannot_be_followed_is_named_with_its_position(
    files: dict[str, Any], message: str
) -> None:
    with pytest.raises(JsonError) as caught:
        followed(files)

    assert message in caught.value.message
    assert caught.value.position.line > 1


def test_files_that_multiply_each_other_are_stopped() -> None:
    files: dict[str, Any] = {f"{n}.json": [{"$ref": f"{n + 1}.json"}] * 30 for n in range(9)}
    files["9.json"] = ["leaf"]

    with pytest.raises(JsonError, match="more than"):
        followed(files, "0.json")


@given(VALUES)
def test_a_file_without_references_is_unchanged(value: Any) -> None:
    assert plain(followed({"docs.json": value})) == value


@given(st.dictionaries(KEYS, VALUES, max_size=4), st.dictionaries(KEYS, VALUES, max_size=4))
def test_merging_is_a_dictionary_update(target: dict[str, Any], siblings: dict[str, Any]) -> None:
    files = {"docs.json": {"$ref": "a/b.json", **siblings}, "a/b.json": target}

    assert plain(followed(files)) == {**target, **siblings}


@given(st.lists(st.sampled_from(["..", ".", "a", "b", "/"]), max_size=6))
def test_no_path_leaves_the_root(parts: list[str]) -> None:
    asked: list[str] = []

    def read(path: str) -> Any:
        asked.append(path)
        if path == "deep/docs.json":
            return parse(json.dumps({"$ref": "/".join([*parts, "x.json"])}), path)
        raise FileNotFoundError(path)

    with pytest.raises(JsonError):
        follow("deep/docs.json", read)

    assert not any(path.startswith(("..", "/")) or "/../" in path for path in asked)


def test_a_long_chain_of_files_is_stopped() -> None:
    files: dict[str, Any] = {f"{n}.json": {"$ref": f"{n + 1}.json"} for n in range(99)}

    with pytest.raises(JsonError, match="more than 10 files"):
        followed(files, "0.json")


def test_files_within_each_other_are_no_deeper_than_one_file() -> None:
    def nested(value: object) -> object:
        for _ in range(60):
            value = [value]
        return value

    files = {"docs.json": nested({"$ref": "a.json"}), "a.json": nested(1)}
    with pytest.raises(JsonError, match="nested too deeply"):
        followed(files)
