"""Specifications that are wrong, circular, huge or made to explode: read in time, or named."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import yaml

from docstead.base.units import MIB
from docstead.reference.openapi.spec import read_specification
from docstead.reference.view import reference_html
from docstead.repository.frontmatter import split
from docstead.repository.positions import Diagnostics
from growth import assert_linear
from sampled_cases import one_in

EXPLODING = {
    "aliases of lists": "a0: &a0 [x, x]\n"
    + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)),
    "aliases of objects": "a0: &a0 {x: y}\n"
    + "".join(f"a{n}: &a{n} {{a: *a{n - 1}, b: *a{n - 1}, c: *a{n - 1}}}\n" for n in range(1, 40)),
    "merges": "a0: &a0 {x: y}\n"
    + "".join(
        f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}], k{n}: *a{n - 1}}}\n" for n in range(1, 60)
    ),
    "depth of lists": "[" * 100_000,
    "depth of objects": "".join(f"{' ' * n}a:\n" for n in range(5_000)),
    "alias of itself": "a: &a [*a]",
    "anchors without number": "\n".join(f"a{n}: &b{n} x" for n in range(50_000)),
    "one long key": "k" * 2_000_000 + ": x",
    "tags of Python": "a: !!python/object/apply:os.system ['exit 1']",
    "tag of the language": "a: !!python/name:os.system\nb: !!js/function 'function () {}'",
    "long numbers": "a: " + "9" * 100_000 + "\nb: 1" + "0" * 5_000 + "e999",
    "nul": "a: \x00b",
}

READABLE = ("anchors without number", "tags of Python", "tag of the language", "long numbers")


@contextmanager
def memory_below(mebibytes: int) -> Iterator[None]:
    """Check the peak of allocated memory. An input that explodes would also never be read."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < mebibytes * MIB
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", one_in(2, EXPLODING))
def test_a_specification_that_explodes_is_named(name: str) -> None:
    diagnostics = Diagnostics()
    with memory_below(400):
        text = f"openapi: 3.0.0\n{EXPLODING[name]}\n"
        found = read_specification(text, "api.yaml", diagnostics)
    if name in READABLE:
        assert found is not None
        assert (found.entries, diagnostics.sorted()) == ((), ())
    else:
        assert found is None
        assert diagnostics.sorted()[0].message.startswith("not YAML: ")


@pytest.mark.parametrize("name", one_in(2, EXPLODING))
def test_a_frontmatter_that_explodes_costs_only_itself(name: str) -> None:
    with memory_below(400):
        document = split(
            f"---\ntitle: Mine\n{EXPLODING[name]}\n---\nWords.\n", "a.mdx", Diagnostics()
        )
    assert document.fields["title"] == "Mine"
    assert document.body == "Words.\n"


def document(schema: Any, **components: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}}
    operation = {"requestBody": {"content": content}, "responses": {"200": {"content": content}}}
    return {"openapi": "3.1.0", "components": components, "paths": {"/x": {"post": operation}}}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


WIDE = {f"f{n}": ref(f"S{(n + 1) % 40}") for n in range(40)}
ODD: dict[str, dict[str, Any]] = {
    "nothing there": document(ref("Absent")),
    "into nothing": document({"$ref": "#/components/schemas/A/properties/b/c"}),
    "another file": document({"$ref": "../other.yaml#/A"}),
    "another host": document({"$ref": "https://evil.invalid/x.json"}),
    "a file of the machine": document({"$ref": "file:///etc/passwd"}),
    "the whole document": document({"$ref": "#"}),
    "no text": document({"$ref": 7}),
    "a number": document(7),
    "a list": document([1, 2]),
    "bad escapes": document({"$ref": "#/components/schemas/%zz~9~"}),
    "itself": document(ref("A"), schemas={"A": ref("A")}),
    "two in a circle": document(ref("A"), schemas={"A": ref("B"), "B": ref("A")}),
    "a circle of parts": document(
        ref("A"), schemas={"A": {"allOf": [ref("B")]}, "B": {"allOf": [ref("A")]}}
    ),
    "a circle of choices": document(
        ref("A"), schemas={"A": {"oneOf": [ref("B"), ref("A")]}, "B": {"anyOf": [ref("A")]}}
    ),
    "a circle of items": document(
        ref("A"), schemas={"A": {"type": "array", "items": ref("A")}}
    ),
    "a circle of keys": document(ref("A"), schemas={"A": {"additionalProperties": ref("A")}}),
    "a tree": document(
        ref("A"), schemas={"A": {"properties": {"left": ref("A"), "right": ref("A")}}}
    ),
    "everything with everything": document(
        ref("S0"), schemas={f"S{n}": {"type": "object", "properties": WIDE} for n in range(40)}
    ),
    "parts of everything": document(
        ref("S0"),
        schemas={
            f"S{n}": {"allOf": [ref(f"S{m}") for m in range(12) if m != n]} for n in range(12)
        },
    ),
    "choices of everything": document(
        ref("S0"),
        schemas={
            f"S{n}": {"oneOf": [ref(f"S{m}") for m in range(12) if m != n]} for n in range(12)
        },
    ),
    "unknown type": document({"type": "colour", "format": {"x": 1}}),
    "types of no text": document({"type": [1, None, {"a": 1}]}),
    "enum of anything": document({"enum": [{"a": 1}, [2], None, True, 10**400, "x" * 5_000]}),
    "enum of no list": document({"enum": "abc"}),
    "enum of ten thousand": document({"type": "string", "enum": list(map(str, range(10_000)))}),
    "limits of no number": document({"minimum": "x", "maxLength": [1], "pattern": {"a": 1}}),
    "wrong containers": document({"properties": [1], "required": {"a": 1}, "items": [1]}),
    "references as parameters": {
        "openapi": "3.0.0",
        "components": {"parameters": {"a": {"$ref": "#/components/parameters/a"}}},
        "paths": {"/x": {"get": {"parameters": [{"$ref": "#/components/parameters/a"}, 3, None]}}},
    },
    "odd places": {
        "openapi": "3.0.0",
        "servers": [{"url": 7, "variables": {"a": 1}}, "x"],
        "security": [7, {"absent": []}],
        "paths": {"/x": {"get": {"tags": 7, "responses": {"x": 7, "default": {"content": 3}}}}},
    },
    "ten thousand properties": document(
        {"properties": {f"p{n}": {"type": "string"} for n in range(10_000)}}
    ),
    "a hundred deep": document(
        ref("S0"),
        schemas={f"S{n}": {"properties": {"next": ref(f"S{n + 1}")}} for n in range(100)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_an_odd_specification_is_shown_as_far_as_it_goes(name: str) -> None:
    with memory_below(300):
        found = read_specification(json.dumps(ODD[name]), "api.json", Diagnostics())
        assert found is not None
        pages = [reference_html(operation) for operation in found.entries]
    assert len(pages) == 1
    assert "ds-address" in pages[0]
    assert "root:" not in pages[0]
    assert len(pages[0]) < 10_000_000


def large(paths: int, kind: str) -> str:
    """A specification with as many operations, about 750 bytes each."""
    document = {
        "openapi": "3.1.0",
        "components": {"schemas": {"Thing": {"type": "string"}}},
        "paths": {
            f"/things/{n}/{{id}}": {
                "get": {
                    "summary": f"Get thing {n}",
                    "description": "It says what it does. " * 20,
                    "parameters": [{"name": "id", "in": "path", "schema": ref("Thing")}],
                    "responses": {
                        "200": {"content": {"application/json": {"schema": ref("Thing")}}}
                    },
                }
            }
            for n in range(paths)
        },
    }
    return json.dumps(document) if kind == "json" else yaml.dump(document, Dumper=yaml.CSafeDumper)


@pytest.mark.deep
def test_a_specification_of_ten_megabytes() -> None:
    text = large(14_000, "json")
    assert len(text) > 10_000_000
    with memory_below(500):
        found = read_specification(text, "api.json", Diagnostics())
        assert found is not None
        last = reference_html(found.entries[-1])
    assert len(found.entries) == 14_000
    assert "/things/" in last


@pytest.mark.parametrize(("kind", "paths"), [("json", 1_000), ("yaml", 200)])
def test_a_large_specification_is_read_in_linear_time(kind: str, paths: int) -> None:
    texts = {size: large(size, kind) for size in (paths, 4 * paths)}

    def read(size: int) -> None:
        found = read_specification(texts[size], f"api.{kind}", Diagnostics())
        assert found is not None
        assert len(found.entries) == size

    assert_linear(read, paths)
