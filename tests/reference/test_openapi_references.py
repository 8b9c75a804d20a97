"""References of specifications to elsewhere in the file, to other files, and to nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docstead.reference.openapi.references import ELSEWHERE
from docstead.reference.openapi.spec import SpecificationCatalog, resolve
from docstead.repository.positions import Diagnostics

ORDER = {"type": "object", "properties": {"id": {"$ref": "ids.yaml#/Id"}}}
IDS = "Id:\n  type: string\nList:\n  type: array\n  items:\n    $ref: '#/Id'\n"


def specification(paths: dict[str, Any], components: dict[str, Any] | None = None) -> str:
    document = {"openapi": "3.1.0", "paths": paths, "components": components or {}}
    return json.dumps(document, indent=1)


def answering(ref: str) -> dict[str, Any]:
    schema = {"content": {"application/json": {"schema": {"$ref": ref}}}}
    return {"get": {"responses": {"200": schema}}}


def read(files: dict[str, str]) -> tuple[Any, list[tuple[str, int, int, str]]]:
    diagnostics = Diagnostics()
    found = SpecificationCatalog(list(files), files.get, diagnostics).get("api.json")
    reported = [(each.code, each.line, each.column, each.message) for each in diagnostics.sorted()]
    return found, reported


def schema_of(found: Any, path: str) -> Any:
    operation = found.find("GET", path)
    content = operation.definition["responses"]["200"]["content"]["application/json"]
    return operation, resolve(operation.components, content["schema"]["$ref"])


def test_what_bundlers_write_is_followed() -> None:
    first = "#/paths/~1a/get/responses/200/content/application~1json/schema"
    paths = {"/a": answering("#/components/schemas/A"), "/b": answering(first)}
    found, reported = read(
        {"api.json": specification(paths, {"schemas": {"A": {"type": "string"}}})}
    )
    assert schema_of(found, "/b")[1] == {"type": "string"}
    assert reported == []


def test_other_files_of_the_repository_are_read() -> None:
    paths = {
        "/order": answering("models/order.json"),
        "/list": answering("models/ids.yaml#/List"),
        "/moved": {"$ref": "models/paths.json#/~1moved"},
    }
    files = {
        "api.json": specification(paths),
        "models/order.json": json.dumps(ORDER),
        "models/ids.yaml": IDS,
        "models/paths.json": json.dumps({"/moved": answering("order.json")}),
    }
    found, reported = read(files)
    operation, order = schema_of(found, "/order")
    assert resolve(operation.components, order["properties"]["id"]["$ref"]) == {"type": "string"}
    operation, listed = schema_of(found, "/list")
    assert resolve(operation.components, listed["items"]["$ref"]) == {"type": "string"}
    assert schema_of(found, "/moved")[1] == order
    assert reported == []


def test_files_that_refer_to_each_other_end() -> None:
    files = {
        "api.json": specification({"/a": answering("a.json")}),
        "a.json": json.dumps({"properties": {"b": {"$ref": "b.json"}}}),
        "b.json": json.dumps({"properties": {"a": {"$ref": "a.json"}}}),
    }
    found, reported = read(files)
    assert set(found.document["components"][ELSEWHERE]) == {"a.json#", "b.json#"}
    assert reported == []


def test_what_leads_nowhere_is_reported_at_its_position() -> None:
    text = specification({"/a": answering("#/components/schemas/Gone"), "/b": answering("x.yaml")})
    found, reported = read({"api.json": text})
    lines = text.splitlines()
    positions = [
        (number, line.index(ref) + 1)
        for ref in ("#/components/schemas/Gone", "x.yaml")
        for number, line in enumerate(lines, 1)
        if ref in line
    ]
    assert [(line, column) for _, line, column, _ in reported] == positions
    assert {code for code, *_ in reported} == {"openapi-reference"}
    assert schema_of(found, "/a")[1] == {}


@pytest.mark.parametrize("index", ["9" * 5_000, "\u0663" * 5_000, "\u00b2", "-1"])
def test_an_index_that_is_none_is_reported(index: str) -> None:
    ref = f"#/paths/~1b/parameters/{index}"
    text = specification({"/a": answering(ref), "/b": {"parameters": [{"name": "x"}]}})
    found, reported = read({"api.json": text})
    assert {code for code, *_ in reported} == {"openapi-reference"}
    assert schema_of(found, "/a")[1] == {}
