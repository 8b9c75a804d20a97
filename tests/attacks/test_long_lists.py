"""Bodies with very many values: validation and its error take time and memory for each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import docstead.app.service  # noqa: F401 - imports every body
from docstead.api.assistant.protocols.v1 import DataStreamRequest
from docstead.api.assistant.protocols.v2 import UiMessageRequest
from docstead.api.json_body import BodyModel, parsed
from docstead.base.errors import InvalidRequest, PayloadTooLarge

MESSAGE = '{"id": "1", "role": "user", "content": "a", "parts": [{"type": "text", "text": "a"}]}'
REQUESTS = pytest.mark.parametrize("request_shape", [DataStreamRequest, UiMessageRequest])


def _body(messages: str = MESSAGE, context: str = "") -> bytes:
    return f'{{"fp": "a", "messages": [{messages}], "context": [{context}]}}'.encode()


def _bodies(kind: type[BodyModel] = BodyModel) -> Iterator[type[BodyModel]]:
    for each in kind.__subclasses__():
        yield each
        yield from _bodies(each)


def _lists(schema: Any) -> Iterator[Any]:
    """The schemas of lists within a schema."""
    if isinstance(schema, dict) and schema.get("type") == "list":
        yield schema
    if isinstance(schema, dict | list | tuple):
        for each in schema.values() if isinstance(schema, dict) else schema:
            yield from _lists(each)


def test_every_list_of_a_body_ends_at_its_first_error() -> None:
    found = [(body, each) for body in _bodies() for each in _lists(body.__pydantic_core_schema__)]
    assert len(found) > 10
    assert [body for body, each in found if not each.get("fail_fast")] == []


@REQUESTS
@pytest.mark.parametrize("wrong", ["1", "{}", '{"type": "code"}'])
def test_one_of_many_wrong_items_is_reported(request_shape: Any, wrong: str) -> None:
    many = ",".join([wrong] * 1000)
    with pytest.raises(InvalidRequest) as caught:
        parsed(request_shape, _body(many, many))
    assert "messages.0" in caught.value.message
    assert "context.0" in caught.value.message
    assert ".1" not in caught.value.message


@REQUESTS
@pytest.mark.parametrize("value", ["1,", "[],", "{},", '"",', '["', ",", '"\\"', "[["])
def test_a_body_of_very_many_values_is_refused_unread(request_shape: Any, value: str) -> None:
    with pytest.raises(PayloadTooLarge) as caught:
        parsed(request_shape, _body(value * 1_000_000))
    assert "send shorter lists" in caught.value.message


@REQUESTS
def test_long_texts_and_conversations_are_accepted(request_shape: Any) -> None:
    text = MESSAGE.replace('"a"', json.dumps('{"a": [1, 2]},' * 100_000), 1)
    asked = parsed(request_shape, _body(",".join([MESSAGE] * 10_000 + [text])))
    assert len(asked.said()) == 10_001
