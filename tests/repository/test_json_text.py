from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docstead.repository.json_text import JsonArray, JsonError, JsonObject, parse, plain

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.sampled_from([None, 2]))
def test_reads_what_json_reads(value: Any, indent: int | None) -> None:
    assert plain(parse(json.dumps(value, indent=indent), "docs.json")) == value


def test_members_know_their_position() -> None:
    value = parse('{\n  "name": "Acme",\n  "tabs": [\n    1,\n    {"tab": 2}\n  ]\n}', "docs.json")

    assert isinstance(value, JsonObject)
    assert str(value.position("name")) == "docs.json:2:3"
    assert isinstance(value["tabs"], JsonArray)
    assert str(value["tabs"].position(1)) == "docs.json:5:5"
    assert str(value["tabs"][1].position("tab")) == "docs.json:5:6"
    assert str(value.position("missing")) == "docs.json:1:1"


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ('{\n  "a": 1,\n}', "f:2:9", "a comma before a closing bracket"),
        ('{"a": 1 "b": 2}', "f:1:9", "expected ',' or '}', found '\"'"),
        ('{\n  // note\n  "a": 1\n}', "f:2:3", "found a comment"),
        ("{'a': 1}", "f:1:2", "a key in double quotes"),
        ('{"a" 1}', "f:1:6", "expected ':' after the key 'a'"),
        ('["a]', "f:1:2", "unterminated string"),
        ('{"a": [1, 2', "f:1:12", "found the end of the file"),
        ('{"a": NaN}', "f:1:7", "expected a value"),
        ("[01]", "f:1:2", "expected a value"),
        ("{} {}", "f:1:4", "after the end"),
        ("", "f:1:1", "expected a value"),
        ("[" * 5000, "f:1:102", "nested too deeply"),
    ],
)
def test_the_first_mistake_is_named_with_its_position(
    text: str, position: str, message: str
) -> None:
    with pytest.raises(JsonError) as caught:
        parse(text, "f")

    assert str(caught.value.position) == position
    assert message in caught.value.message


@given(st.text(alphabet='{}[]":,\\ntrue0.5e- /', max_size=40))
def test_any_text_is_read_as_json_reads_it_or_refused(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(JsonError):
            parse(text, "f")
    else:
        assert plain(parse(text, "f")) == expected
