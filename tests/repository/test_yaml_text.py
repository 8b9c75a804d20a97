from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from docstead.repository.yaml_text import YamlError, parse

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.text(alphabet="ab:#-\"'\n é1"),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(alphabet="abc:# '", max_size=5), inner, max_size=4)
    ),
    max_leaves=15,
)


@given(VALUES)
def test_reads_back_what_was_written(value: Any) -> None:
    assert parse(yaml.safe_dump(value, allow_unicode=True)) == value


@given(VALUES)
def test_json_is_yaml(value: Any) -> None:
    assert parse(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: on", {"a": "on"}),
        ("a: yes", {"a": "yes"}),
        ("a: 2024-01-31", {"a": "2024-01-31"}),
        ("a: 12:30", {"a": "12:30"}),
        ("a: 1.10.0", {"a": "1.10.0"}),
        ("a: 007", {"a": "007"}),
        ("a: '5'", {"a": "5"}),
        ("a: 1e3", {"a": 1000.0}),
        ("a: .5", {"a": 0.5}),
        ("a: ~", {"a": None}),
        ("a:", {"a": None}),
        ("200: ok\ntrue: x", {"200": "ok", "true": "x"}),
        ("base: &b {x: 1, y: 2}\nother:\n  <<: *b\n  y: 3", None),
        ("", None),
        ("# nothing", None),
    ],
)
def test_values_are_those_of_json(text: str, value: Any) -> None:
    if "<<" in text:
        assert parse(text)["other"] == {"x": 1, "y": 3}
    else:
        assert parse(text) == value


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("title: a: b", 1),
        ("a: 1\nb: [1, 2", 2),
        ("a: *missing", 1),
        ("a: &a [*a]", 1),
        ("a: b\n\tc: d", 2),
        ("[" * 1000, 1),
    ],
)
def test_a_mistake_has_its_position(text: str, line: int) -> None:
    with pytest.raises(YamlError) as caught:
        parse(text)

    assert caught.value.line == line
    assert caught.value.column > 0


def test_aliases_that_multiply_are_stopped_at_once() -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
    )
    with pytest.raises(YamlError, match="aliases"):
        parse(bomb)  # all of it would be ten thousand million values


def test_nothing_is_executed() -> None:
    assert parse("a: !!python/object/apply:os.system ['true']") == {"a": ["true"]}
