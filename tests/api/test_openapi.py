"""The document at `/openapi.json` against the interface, and real answers against both."""

from __future__ import annotations

import re
from typing import Any

import pytest

from interface_tables import (
    ANSWERS,
    ARCHIVE,
    BODIES,
    CONTEXT,
    DEPRECATED,
    LIMITED,
    MESSAGE,
    OPERATIONS,
    PARTS,
    STRING,
    UI_MESSAGE,
    Expected,
)

Document = dict[str, Any]


@pytest.fixture(scope="module")
def document(untouched_service: Any) -> Document:
    answer = untouched_service("GET", "/openapi.json")
    assert answer.status_code == 200
    found: Document = answer.json()
    return found


def operation(document: Document, name: str) -> dict[str, Any]:
    method, path = name.split(" ")
    found: dict[str, Any] = document["paths"][path][method]
    return found


def resolved(document: Document, schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without references and without `null` among its alternatives."""
    while True:
        others = [one for one in schema.get("anyOf", []) if one.get("type") != "null"]
        if "$ref" in schema:
            target = document
            for step in schema["$ref"].removeprefix("#/").split("/"):
                target = target[step]
            schema = {**target, **{k: v for k, v in schema.items() if k != "$ref"}}
        elif len(others) == 1:
            schema = {**others[0], **{k: v for k, v in schema.items() if k != "anyOf"}}
        else:
            return schema


def check_fields(
    document: Document, schema: dict[str, Any], fields: dict[str, tuple[bool, dict[str, Any]]]
) -> None:
    schema = resolved(document, schema)
    assert schema["type"] == "object"
    for name, (required, expected) in fields.items():
        found = resolved(document, schema["properties"][name])
        assert (name in schema.get("required", [])) is required, name
        assert {key: found.get(key) for key in expected} == expected, name


def body_schema(document: Document, name: str) -> dict[str, Any]:
    content = operation(document, name)["requestBody"]["content"]
    assert list(content) == ["application/json"]
    return resolved(document, content["application/json"]["schema"])


def test_the_assistant_interface_has_a_description_of_its_own(
    document: Document, untouched_service: Any
) -> None:
    response = untouched_service("GET", "/discovery/openapi.json")
    assert response.status_code == 200
    own = response.json()
    assert own["info"]["version"] == "1.0.0"
    assert own["openapi"] == document["openapi"]
    assert own["servers"] == document["servers"]
    assert own["paths"] == {
        path: each for path, each in document["paths"].items() if path.startswith("/discovery/")
    }
    assert list(own["components"]["securitySchemes"]) == ["AssistantKey"]
    references = re.findall(r'"#/components/(\w+)/(\w+)"', response.text)
    assert all(name in own["components"][kind] for kind, name in references)
    used = {name for kind, name in references if kind == "schemas"}
    assert set(own["components"].get("schemas", {})) == used


def test_it_has_the_operations_of_the_interface_and_no_others(document: Document) -> None:
    found = {f"{method} {path}" for path, of in document["paths"].items() for method in of}
    assert found == set(OPERATIONS)


@pytest.mark.parametrize(("name", "expected"), OPERATIONS.items())
def test_each_operation_has_its_key_and_its_statuses(
    document: Document, name: str, expected: Expected
) -> None:
    described = operation(document, name)
    assert described["security"] == [{expected.security: []}]
    expected_statuses = {expected.success, *expected.failures, *expected.more}
    statuses = {str(status) for status in expected_statuses}
    assert set(described["responses"]) == statuses
    is_deprecated = any(each in name for each in DEPRECATED)
    assert described.get("deprecated", False) is is_deprecated
    for response in described["responses"].values():
        assert ("Deprecation" in response.get("headers", {})) is is_deprecated


@pytest.mark.parametrize(("name", "expected"), OPERATIONS.items())
def test_every_failure_has_the_one_body(document: Document, name: str, expected: Expected) -> None:
    assert expected.failures
    for status in expected.failures:
        described = operation(document, name)["responses"][str(status)]
        schema = resolved(document, described["content"]["application/json"]["schema"])
        assert schema["required"] == ["error"]
        assert schema["properties"]["error"]["type"] == "string"
        assert set(described.get("headers", {})) >= LIMITED.get(status, set())


@pytest.mark.parametrize(("name", "fields"), BODIES.items())
def test_request_bodies(document: Document, name: str, fields: dict[str, Any]) -> None:
    schema = body_schema(document, name)
    check_fields(document, schema, fields)
    assert schema.get("additionalProperties", True) is not False
    assert operation(document, name)["requestBody"]["required"] is True


def test_an_operation_without_a_body_describes_none(document: Document) -> None:
    without = set(OPERATIONS) - {*BODIES, ARCHIVE}
    assert without
    for name in without:
        assert "requestBody" not in operation(document, name)


def test_an_archive_is_binary(document: Document) -> None:
    body = operation(document, ARCHIVE)["requestBody"]
    binary = {"schema": {"type": "string", "format": "binary"}}
    assert body == {"required": True, "content": {"application/gzip": binary}}


def test_messages_and_context_of_the_assistant(document: Document) -> None:
    schema = body_schema(document, "post /discovery/v1/assistant/{domain}/message")
    message = resolved(document, schema["properties"]["messages"])["items"]
    check_fields(document, message, MESSAGE)
    check_fields(document, resolved(document, schema["properties"]["context"])["items"], CONTEXT)
    parts = resolved(document, resolved(document, message)["properties"]["parts"])["items"]
    variants = resolved(document, parts)
    names = {
        resolved(document, one)["properties"]["type"]["const"]
        for one in variants.get("oneOf") or variants["anyOf"]
    }
    assert names >= PARTS


def test_messages_of_later_clients(document: Document) -> None:
    schema = body_schema(document, "post /discovery/v2/assistant/{domain}/message")
    message = resolved(document, schema["properties"]["messages"])["items"]
    check_fields(document, message, UI_MESSAGE)
    assert "content" not in resolved(document, message)["properties"]
    streamed = operation(document, "post /discovery/v2/assistant/{domain}/message")
    assert list(streamed["responses"]["200"]["content"]) == ["text/event-stream"]


@pytest.mark.parametrize(("name", "fields"), ANSWERS.items())
def test_answers(document: Document, name: str, fields: dict[str, Any]) -> None:
    status = str(OPERATIONS[name].success)
    content = operation(document, name)["responses"][status]["content"]
    check_fields(document, content["application/json"]["schema"], fields)


def test_search_answers_a_bare_list(document: Document) -> None:
    responses = operation(document, "post /discovery/v1/search/{domain}")["responses"]
    schema = resolved(document, responses["200"]["content"]["application/json"]["schema"])
    assert schema["type"] == "array"
    item = {"content": (True, STRING), "path": (True, STRING), "metadata": (True, {})}
    check_fields(document, schema["items"], item)


def test_the_stream_is_declared_as_the_interface_says(document: Document) -> None:
    described = operation(document, "post /discovery/v1/assistant/{domain}/message")
    assert "application/json" in described["responses"]["200"]["content"]


def test_path_parameters_are_required_strings(document: Document) -> None:
    for name in OPERATIONS:
        described = operation(document, name).get("parameters", [])
        in_path = {p["name"]: p for p in described if p["in"] == "path"}
        assert set(in_path) == {part[1:-1] for part in name.split("/") if part.startswith("{")}
        for parameter in in_path.values():
            assert parameter["required"] is True
            assert parameter["schema"]["type"] == "string"


def test_keys_are_bearer_tokens(document: Document) -> None:
    schemes = document["components"]["securitySchemes"]
    assert set(schemes) == {"AdminKey", "AssistantKey"}
    for scheme in schemes.values():
        assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")


def test_nothing_of_the_framework_shows(document: Document) -> None:
    text = str(document)
    for word in ("HTTPValidationError", "'422'", "fastapi", "FastAPI"):
        assert word not in text
    ids = [operation(document, name)["operationId"] for name in OPERATIONS]
    assert len(ids) == len(set(ids))
