"""JSON request bodies: parsing, validation and OpenAPI description.

Bodies are parsed here instead of by FastAPI: after authentication, so that unauthenticated clients
learn nothing from validation errors; with any content type; and with uniform messages.

Types are strict: `"5"` is not a number. Unknown keys are ignored, because clients send more than
the interface defines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Annotated, Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from docstead.api.errors import validation_message
from docstead.base.errors import InvalidRequest, PayloadTooLarge

_MOST_PROBLEMS = 20  # of a value in a message
_MOST_TOKENS = 400_000  # of a body: validation takes time and memory for each
_DEFINITIONS = "#/$defs/"
_TAGS = ("type", "state")
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{,]', re.DOTALL)
# Matches escapes one by one, so that lone surrogates differ from pairs and from escaped
_ESCAPES = re.compile(
    rb"""\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}
    |(?P<unkept>u[dD][89a-fA-F][0-9a-fA-F]{2}|u0000)|.)""",
    re.DOTALL | re.VERBOSE,
)


class BodyModel(BaseModel):
    """Base class of request bodies and their parts."""

    model_config = ConfigDict(strict=True, extra="ignore", alias_generator=to_camel, frozen=True)


def _title(name: str, _: object) -> str:
    return to_camel(name).title()


class ResponseShape(BaseModel):
    """Base class of response bodies, with camelCase names in JSON."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, field_title_generator=_title
    )


T = TypeVar("T")
S = TypeVar("S", bound=BodyModel)

#: A list in a body. Only its first invalid item is reported, because each error takes memory.
BodyList = Annotated[list[T], Field(fail_fast=True)]


def _whole_number(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


#: For an `int`, after its bounds: accepts integers as JSON Schema defines them, such as 43.0.
WHOLE = BeforeValidator(_whole_number)


def body_of(shape: type[S]) -> Callable[[Request], Awaitable[S]]:
    """Return a dependency that parses the request body. Declare it after authentication."""

    async def read(request: Request) -> S:
        return parsed(shape, await request.body())

    return read


def parsed(shape: type[S], body: bytes) -> S:
    """Parse and validate a body.

    Raises:
        InvalidRequest: the body is invalid; the message names each invalid field.
        PayloadTooLarge: it has too many values.
    """
    if not body.strip():
        raise InvalidRequest("the body is missing")
    if _has_too_many_tokens(body):
        raise PayloadTooLarge("the body has too many values; send shorter lists")
    body = _whole(body)
    try:
        return shape.model_validate_json(body)
    except ValidationError as error:
        raise InvalidRequest(validation_message(list(_errors_of(error, body)))) from error


def _has_too_many_tokens(body: bytes) -> bool:
    """Count strings, commas and opening brackets, at most to the limit."""
    if len(body) <= _MOST_TOKENS:
        return False
    return any(True for _ in islice(_TOKEN.finditer(body), _MOST_TOKENS, None))


def _whole(body: bytes) -> bytes:
    """Remove characters that databases reject from a body: NUL and lone surrogates.

    Browsers may split surrogate pairs when they truncate text.
    """
    if not any(each in body for each in (rb"\ud", rb"\uD", rb"\u0000")):
        return body
    return _ESCAPES.sub(lambda found: rb"\ufffd" if found["unkept"] else found[0], body)


def _errors_of(error: ValidationError, body: bytes) -> Iterator[dict[str, Any]]:
    sent_body = None
    for problem in error.errors()[:_MOST_PROBLEMS]:
        if problem["loc"] and sent_body is None:
            sent_body = json.loads(body)
        sent = sent_body if problem["loc"] else None
        yield _at_tag({**problem, "loc": ("body", *_names(problem["loc"], sent))})


def _at_tag(problem: dict[str, Any]) -> dict[str, Any]:
    """Attribute the error of an unknown variant to the tag field."""
    if not problem["type"].startswith("union_tag"):
        return problem
    if not isinstance(problem["input"], dict):
        return {**problem, "type": "model_type"}
    context = problem["ctx"]
    location = (*problem["loc"], context["discriminator"].strip("'"))
    sent = problem["input"].get(location[-1])  # in Python syntax
    if "tag" not in context:
        kind = "string_type" if location[-1] in problem["input"] else "missing"
        return {**problem, "type": kind, "loc": location, "input": sent}
    known = {"expected": f"one of {context['expected_tags']}"}
    return {**problem, "type": "literal_error", "loc": location, "ctx": known, "input": sent}


def _names(location: Iterable[str | int], sent: Any) -> Iterator[str | int]:
    """Yield a field's path as the client knows it, without the tags of chosen variants."""
    in_variant = False
    for name in location:
        is_object = isinstance(sent, dict)
        if is_object and not in_variant and name in [sent.get(tag) for tag in _TAGS]:
            in_variant = True
            continue
        yield name
        in_variant = False
        is_there = name in sent if is_object else isinstance(sent, list)
        sent = sent[name] if is_there else None


def request_body(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the `openapi_extra` of a route with this JSON body."""
    content = {"application/json": {"schema": _schema_of(shape)}}
    return {"requestBody": {"required": True, "content": content}}


@cache
def _schema_of(shape: type[BaseModel]) -> dict[str, Any]:
    schema = shape.model_json_schema()
    return _inlined(schema, schema.pop("$defs", {}))  # type: ignore[no-any-return]  # it is a node


def _inlined(node: Any, definitions: dict[str, Any]) -> Any:
    """Return a schema with all references inlined; the models are not recursive."""
    if isinstance(node, list):
        return [_inlined(each, definitions) for each in node]
    if not isinstance(node, dict):
        return node
    if str(reference := node.get("$ref", "")).startswith(_DEFINITIONS):
        return _inlined(definitions[reference.removeprefix(_DEFINITIONS)], definitions)
    # The mapping would refer to removed definitions; each variant declares its tag as
    # a constant.
    kept = {key: value for key, value in node.items() if key != "discriminator"}
    return {key: _inlined(value, definitions) for key, value in kept.items()}
