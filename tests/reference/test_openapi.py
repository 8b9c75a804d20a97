from __future__ import annotations

import json
from typing import Any

import pytest

from docstead.reference.openapi.spec import (
    OperationRef,
    SpecificationCatalog,
    looks_like_specification,
    parse_reference,
    read_specification,
    resolve,
)
from docstead.repository.positions import Diagnostics

PETS: dict[str, Any] = {
    "openapi": "3.1.0",
    "servers": [{"url": "https://{zone}.example.com", "variables": {"zone": {"default": "eu"}}}],
    "security": [{"key": []}],
    "paths": {
        "/pets": {
            "parameters": [{"name": "trace", "in": "header"}],
            "post": {"summary": "Add a pet", "security": []},
            "get": {"summary": "List pets", "servers": [{"url": "https://read.example.com"}]},
        },
        "/pets/{id}": {"delete": {}},
    },
    "webhooks": {"petAdded": {"post": {"summary": "A pet was added"}}},
    "components": {
        "schemas": {
            "Pet": {"type": "object"},
            "Alias": {"$ref": "#/components/schemas/Pet"},
            "Loop": {"$ref": "#/components/schemas/Loop"},
            "a/b~c": {"type": "string"},
        }
    },
}


def specifications(diagnostics: Diagnostics | None = None, **files: Any) -> SpecificationCatalog:
    texts = {name.replace("__", "/").replace("_", "."): content for name, content in files.items()}
    return SpecificationCatalog(list(texts), texts.get, diagnostics or Diagnostics())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GET /pets", OperationRef(None, "GET", "/pets")),
        ("get /pets", OperationRef(None, "GET", "/pets")),
        ("openapi.json POST /a/{b}", OperationRef("openapi.json", "POST", "/a/{b}")),
        ("/my specs/v1.yaml  PUT  /x", OperationRef("/my specs/v1.yaml", "PUT", "/x")),
        ("openapi.json webhook petAdded", OperationRef("openapi.json", "WEBHOOK", "petAdded")),
        ("guides/get-started", None),
        ("get started", None),
        ("GET", None),
        ("", None),
        pytest.param("get " * 100_000 + "\n/", None, id="long"),  # took quadratic time
    ],
)
def test_references(text: str, expected: OperationRef | None) -> None:
    assert parse_reference(text) == expected


def test_operations_come_in_the_order_of_the_format() -> None:
    found = read_specification(json.dumps(PETS), "pets.json", Diagnostics())

    assert found is not None
    assert [(each.method, each.path) for each in found.entries] == [
        ("GET", "/pets"),
        ("POST", "/pets"),
        ("DELETE", "/pets/{id}"),
        ("WEBHOOK", "petAdded"),
    ]


def test_an_operation_inherits_from_its_path_and_file() -> None:
    found = read_specification(json.dumps(PETS), "pets.json", Diagnostics())
    assert found is not None
    listing, adding = found.find("GET", "/pets"), found.find("POST", "/pets")

    assert listing is not None
    assert listing.servers == ("https://read.example.com",)
    assert listing.security == ({"key": []},)
    assert adding is not None
    assert adding.servers == ("https://eu.example.com",)
    assert adding.security == ()
    assert adding.parameters == ({"name": "trace", "in": "header"},)


def test_references_inside_are_followed() -> None:
    found = read_specification(json.dumps(PETS), "pets.json", Diagnostics())
    assert found is not None
    operation = found.entries[0]

    assert resolve(operation.components, "#/components/schemas/Pet") == {"type": "object"}
    assert resolve(operation.components, "#/components/schemas/Alias") == {"type": "object"}
    assert resolve(operation.components, "#/components/schemas/a~1b~0c") == {"type": "string"}
    assert resolve(operation.components, "#/components/schemas/Loop") == {}
    assert resolve(operation.components, "#/components/schemas/None") == {}
    assert resolve(operation.components, "other.yaml#/components/schemas/Pet") == {}


@pytest.mark.parametrize(
    ("text", "file", "code", "line"),
    [
        ("openapi: 3.0.0\npaths: [", "a.yaml", "openapi-syntax", 2),
        ('{"openapi": "3.0.0",\n "paths": }', "a.json", "openapi-syntax", 2),
        ("[1]", "a.json", "openapi-syntax", 1),
        ("[" * 100_000, "a.json", "openapi-syntax", 1),
        ("swagger: '2.0'", "a.yaml", "openapi-version", 1),
        ("asyncapi: 1.0.0", "a.yaml", "openapi-version", 1),
    ],
)
def test_a_file_that_cannot_be_used(text: str, file: str, code: str, line: int) -> None:
    diagnostics = Diagnostics()

    assert read_specification(text, file, diagnostics) is None
    (diagnostic,) = diagnostics.sorted()
    assert (diagnostic.code, diagnostic.line) == (code, line)


@pytest.mark.parametrize(
    "document",
    [
        {"openapi": "3.0.0"},
        {"openapi": "3.0.0", "paths": None},
        {"openapi": "3.0.0", "paths": {"/a": None, "/b": {"get": None}, "/c": {"get": []}}},
        {"openapi": "3.0.0", "paths": {"/a": []}, "servers": "x", "components": 3},
    ],
)
def test_odd_files_have_no_operations(document: Any) -> None:
    found = read_specification(json.dumps(document), "a.json", Diagnostics())

    assert found is not None
    assert found.entries == ()


@pytest.mark.parametrize(
    "name", ["specs/pets.json", "/specs/pets.json", "specs/pets", "pets", "./specs/pets.json"]
)
def test_a_file_is_found_however_it_is_named(name: str) -> None:
    found = specifications(specs__pets_json=json.dumps(PETS)).get(name)

    assert found is not None
    assert found.file == "specs/pets.json"


def test_without_a_file_the_first_by_name_wins() -> None:
    files = {"b_json": json.dumps(PETS), "a_yaml": json.dumps(PETS), "data_json": '{"x": 1}'}
    operation = specifications(None, **files).find(OperationRef(None, "GET", "/pets/"))

    assert operation is not None
    assert operation.spec == "a.yaml"


def test_files_are_distinguished_from_other_data() -> None:
    assert looks_like_specification('{\n "info": {}, "openapi": "3.0.0"}')
    assert looks_like_specification("info: {}\nopenapi: 3.0.0\n")
    assert not looks_like_specification('{"name": "openapi"}')


def test_a_broken_file_is_reported_once() -> None:
    diagnostics = Diagnostics()
    found = specifications(diagnostics, a_yaml="openapi: [")

    assert found.get("a.yaml") is None
    assert found.get("a.yaml") is None
    assert len(diagnostics.sorted()) == 1
