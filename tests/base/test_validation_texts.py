"""Errors of msgspec as sentences that name the field."""

from __future__ import annotations

from typing import Annotated

import msgspec
import pytest

from docstead.base.validation_texts import decoding_text


class SentPart(msgspec.Struct):
    path: Annotated[str, msgspec.Meta(min_length=1, max_length=3)] = "/"
    count: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    where: str | None = None


class SentBody(msgspec.Struct):
    is_on: bool
    parts: list[SentPart] = []
    pairs: list[tuple[str, str]] = []
    names: dict[str, int] = {}


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"[]", "the body: must be an object, not an array"),
        (b"{", "the body is not valid JSON"),
        (b"is_on=1", "the body is not valid JSON"),
        (b'{"is_on": "\xff"}', "is_on: must be a boolean, not a string"),
        (b"{}", "is_on is required"),
        (b'{"is_on": "yes"}', "is_on: must be a boolean, not a string"),
        (b'{"is_on": true, "parts": [{}, {"path": 7}]}', "parts.1.path: must be a string, not "),
        (b'{"is_on": true, "parts": [{"path": ""}]}', "parts.0.path: must have at least 1 char"),
        (b'{"is_on": true, "parts": [{"path": "long"}]}', "parts.0.path: must have at most 3 c"),
        (b'{"is_on": true, "parts": [{"count": 0}]}', "parts.0.count: must be at least 1"),
        (b'{"is_on": true, "parts": [{"count": 10}]}', "parts.0.count: must be at most 9"),
        (b'{"is_on": true, "parts": [{"count": 1.5}]}', "parts.0.count: must be a whole number, "),
        (b'{"is_on": true, "parts": [{"where": 1}]}', "parts.0.where: must be a string or null, "),
        (b'{"is_on": true, "pairs": [["a"]]}', "pairs.0: must have exactly 2 items"),
        (b'{"is_on": true, "names": {"a": null}}', "names.*: must be a whole number, not null"),
    ],
)
def test_a_refused_body_is_explained(body: bytes, sentence: str) -> None:
    with pytest.raises(msgspec.MsgspecError) as caught:
        msgspec.json.decode(body, type=SentBody)
    assert decoding_text(caught.value).startswith(sentence)


def test_a_value_that_is_not_known_is_not_repeated() -> None:
    error = msgspec.ValidationError("Invalid value 'hunter2 - at `$.x`' - at `$.event`")
    assert decoding_text(error) == "event: is not one of the known values"
