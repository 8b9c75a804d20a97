"""JSON request bodies: how they are read, refused and described, alike on every endpoint.

They are read by hand and not by the framework: after the key, so that a stranger learns
nothing from a wrong body; with any declared content type; and with one wording of errors.

Types are strict: `"5"` is no number. Unknown keys are ignored everywhere, since clients
send more than the interface names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import cache
from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from docstead.api.errors import validation_message
from docstead.base.errors import InvalidRequest

_MOST_PROBLEMS = 20  # that a message names
_DEFINITIONS = "#/$defs/"
_TAGS = ("type", "state")
# Escapes one by one: half characters are told from whole ones, and from escaped backslashes.
_ESCAPES = re.compile(
    rb"""\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}
    |(?P<unkept>u[dD][89a-fA-F][0-9a-fA-F]{2}|u0000)|.)""",
    re.DOTALL | re.VERBOSE,
)


class BodyModel(BaseModel):
    """Base of request bodies and their parts."""

    model_config = ConfigDict(strict=True, extra="ignore", alias_generator=to_camel, frozen=True)


def _title(name: str, _: object) -> str:
    return to_camel(name).title()


class ResponseShape(BaseModel):
    """Base of response bodies; names of fields are camelCase only on the wire."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, field_title_generator=_title
    )


S = TypeVar("S", bound=BodyModel)


def _whole_number(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


#: Of an `int`, after its bounds: takes integers as JSON Schema means them; 43.0 is one.
WHOLE = BeforeValidator(_whole_number)


def body_of(shape: type[S]) -> Callable[[Request], Awaitable[S]]:
    """A dependency: the request's body. In a signature it stands after the one for the key."""

    async def read(request: Request) -> S:
        return parsed(shape, await request.body())

    return read


def parsed(shape: type[S], body: bytes) -> S:
    """The body as this shape.

    Raises:
        InvalidRequest: it is not; the message names each wrong field.
    """
    if not body.strip():
        raise InvalidRequest("the body is missing")
    body = _whole(body)
    try:
        return shape.model_validate_json(body)
    except ValidationError as error:
        raise InvalidRequest(validation_message(list(_faults(error, body)))) from error


def _whole(body: bytes) -> bytes:
    """The body without what no text column takes: NUL, and lone surrogates.

    Browsers cut text anywhere, and send what is left.
    """
    if not any(each in body for each in (rb"\ud", rb"\uD", rb"\u0000")):
        return body
    return _ESCAPES.sub(lambda found: rb"\ufffd" if found["unkept"] else found[0], body)


def _faults(error: ValidationError, body: bytes) -> Iterator[dict[str, Any]]:
    sent_body = None
    for problem in error.errors()[:_MOST_PROBLEMS]:
        if problem["loc"] and sent_body is None:
            sent_body = json.loads(body)
        sent = sent_body if problem["loc"] else None
        yield _at_tag({**problem, "loc": ("body", *_names(problem["loc"], sent))})


def _at_tag(problem: dict[str, Any]) -> dict[str, Any]:
    """The error of a variant without a known tag as one of the tag's own field."""
    if not problem["type"].startswith("union_tag"):
        return problem
    if not isinstance(problem["input"], dict):
        return {**problem, "type": "model_type"}
    context = problem["ctx"]
    place = (*problem["loc"], context["discriminator"].strip("'"))
    if "tag" not in context:
        return {**problem, "type": "missing", "loc": place}
    known = {"expected": f"one of {context['expected_tags']}"}
    sent = problem["input"].get(place[-1])  # the context has it as Python writes it
    return {**problem, "type": "literal_error", "loc": place, "ctx": known, "input": sent}


def _names(place: Iterable[str | int], sent: Any) -> Iterator[str | int]:
    """The place as the client knows it: without the tag of each variant that was chosen."""
    in_variant = False
    for name in place:
        is_object = isinstance(sent, dict)
        if is_object and not in_variant and name in [sent.get(tag) for tag in _TAGS]:
            in_variant = True
            continue
        yield name
        in_variant = False
        is_there = name in sent if is_object else isinstance(sent, list)
        sent = sent[name] if is_there else None


def request_body(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the `openapi_extra` of a route with a JSON body of this shape."""
    content = {"application/json": {"schema": _schema_of(shape)}}
    return {"requestBody": {"required": True, "content": content}}


@cache
def _schema_of(shape: type[BaseModel]) -> dict[str, Any]:
    schema = shape.model_json_schema()
    return _inlined(schema, schema.pop("$defs", {}))  # type: ignore[no-any-return]  # it is a node


def _inlined(node: Any, definitions: dict[str, Any]) -> Any:
    """The schema with every reference replaced; our shapes do not contain themselves."""
    if isinstance(node, list):
        return [_inlined(each, definitions) for each in node]
    if not isinstance(node, dict):
        return node
    if str(reference := node.get("$ref", "")).startswith(_DEFINITIONS):
        return _inlined(definitions[reference.removeprefix(_DEFINITIONS)], definitions)
    # A discriminator's mapping would point at definitions that are gone; each variant says its
    # own tag by a constant.
    kept = {key: value for key, value in node.items() if key != "discriminator"}
    return {key: _inlined(value, definitions) for key, value in kept.items()}
