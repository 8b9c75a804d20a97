"""OpenAPI, AsyncAPI and GraphQL."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from hostile_cases.case import Files, of_files, settings


def _published(name: str, text: str, key: str, **more: str) -> Files:
    groups = {"groups": [{"group": "API", key: name}, {"group": "x", "pages": ["index"]}]}
    if key == "graphql":
        groups = {"tabs": [{"tab": "API", key: name}, {"tab": "x", "pages": ["index"]}]}
    return {"docs.json": settings(navigation=groups), name: text, "index.mdx": "Text.", **more}


def _openapi(schemas: Mapping[str, Any], first: str = "S0", **more: Any) -> Files:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{first}"}}}
    operation = {
        "requestBody": {"content": content},
        "responses": {"200": {"description": "x", "content": content}},
    }
    document = {
        "openapi": "3.1.0",
        "info": {"title": "x", "version": "1"},
        "paths": {"/a": {"post": operation}},
        "components": {"schemas": schemas},
        **more,
    }
    return _published("api.json", json.dumps(document), "openapi")


def _link(n: int) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/S{n}"}


def _doubling(width: int, depth: int) -> Files:
    schemas: dict[str, Any] = {
        f"S{n}": {"type": "object", "properties": {f"p{i}": _link(n + 1) for i in range(width)}}
        for n in range(depth)
    }
    return _openapi({**schemas, f"S{depth}": {"type": "string"}})


def _nested(depth: int) -> Files:
    inner = '{"type":"string"}'
    text = '{"type":"object","properties":{"a":' * depth + inner + "}}" * depth
    files = dict(_openapi({"S0": "HERE"}))
    files["api.json"] = str(files["api.json"]).replace('"HERE"', text)
    return files


def _paths(count: int) -> Files:
    paths = {f"/a{n}": {"get": {"summary": "Same", "responses": {}}} for n in range(count)}
    return _openapi({"S0": {}}, paths=paths)


def _chain(text: str) -> Callable[[], Files]:
    return lambda: _published("api.yaml", text, "openapi")


def _refs_of_files(count: int) -> Files:
    parts = {f"p{n}.json": json.dumps({"a": {"$ref": f"p{n + 1}.json#/a"}}) for n in range(count)}
    schema = {"S0": {"$ref": "p0.json#/a"}}
    return {**_openapi(schema), **parts}


_HEAD = "openapi: 3.1.0\ninfo: {title: x, version: '1'}\n"
_OPENAPI: dict[str, Callable[[], Files]] = {
    "doubling": lambda: _doubling(10, 12),
    "all-to-all": lambda: _openapi(
        {f"S{n}": {"properties": {f"p{i}": _link(i) for i in range(60)}} for n in range(60)}
    ),
    "all-of-all": lambda: _openapi({f"S{n}": {"allOf": [_link(n + 1)] * 6} for n in range(30)}),
    "all-of-itself": lambda: _openapi({"S0": {"allOf": [_link(0), _link(0)]}}),
    "one-of-circle": lambda: _openapi(
        {f"S{n}": {"oneOf": [_link((n + 1) % 9), _link((n + 2) % 9)]} for n in range(9)}
    ),
    "reference-itself": lambda: _openapi({"S0": _link(0)}),
    "reference-circle": lambda: _openapi({f"S{n}": _link((n + 1) % 500) for n in range(500)}),
    "reference-chain": lambda: _openapi({f"S{n}": _link(n + 1) for n in range(20_000)}),
    "reference-files": lambda: _refs_of_files(2_000),
    "reference-outside": lambda: _openapi({"S0": {"$ref": "../canary.json"}}),
    "reference-device": lambda: _openapi({"S0": {"$ref": "file:///dev/zero"}}),
    "reference-pointer": lambda: _openapi({"S0": {"$ref": "#" + "/a" * 500_000}}),
    "nested": lambda: _nested(2_000),
    "nested-far": lambda: _nested(100_000),
    "many-paths": lambda: _paths(5_000),
    "many-properties": lambda: _openapi(
        {"S0": {"properties": {f"p{n}": {"type": "string"} for n in range(100_000)}}}
    ),
    "many-enums": lambda: _openapi({"S0": {"enum": list(range(500_000))}}),
    "pattern": lambda: _openapi({"S0": {"type": "string", "pattern": "^(a+)+$", "minLength": 9e9}}),
    "lengths": lambda: _openapi(
        {
            "S0": {
                "type": "array",
                "minItems": 2**53,
                "items": {"type": "string", "minLength": 2**60},
            }
        }
    ),
    "examples": lambda: _openapi({"S0": {"type": "string", "example": "x" * 10_000_000}}),
    "descriptions": lambda: _openapi({"S0": {"type": "string", "description": "[" * 300_000}}),
    "aliases": _chain(
        _HEAD
        + "a0: &a0 [x]\n"
        + "".join(f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]\n" for n in range(12))
        + "paths: {}\n"
    ),
    "alias-of-itself": _chain(_HEAD + "components: &c\n  schemas: *c\npaths: *c\n"),
    "yaml-depth": _chain(_HEAD + "paths: " + "[" * 200_000),
    "yaml-number": _chain(_HEAD + "paths: " + "9" * 200_000),
    "odd-kinds": _chain(
        "openapi: 3.1.0\ninfo: []\npaths: [1, {a: b}]\ncomponents: 7\nservers: x\n"
    ),
    "server-variables": lambda: _openapi(
        {"S0": {}},
        servers=[
            {
                "url": "https://{a}.x/" + "{a}" * 10_000,
                "variables": {"a": {"default": "{a}" * 1_000}},
            }
        ],
    ),
    "securities": lambda: _openapi(
        {"S0": {}}, security=[{f"s{n}": [] for n in range(500)} for _ in range(500)]
    ),
    "huge": lambda: _openapi({"S0": {"description": "x" * 45_000_000}}),
}


def _asyncapi(channels: Mapping[str, Any], **components: Any) -> Files:
    document = {
        "asyncapi": "3.0.0",
        "info": {"title": "x", "version": "1"},
        "channels": channels,
        "operations": {},
        "components": components,
    }
    return _published("live.json", json.dumps(document), "asyncapi")


def _messages(n: int) -> dict[str, Any]:
    payload = {"properties": {f"p{i}": {"$ref": f"#/components/schemas/S{i}"} for i in range(n)}}
    return {"messages": {"m": {"payload": payload}}}


_ASYNCAPI: dict[str, Callable[[], Files]] = {
    "all-to-all": lambda: _asyncapi(
        {"c": _messages(30)},
        schemas={f"S{n}": _messages(30)["messages"]["m"]["payload"] for n in range(30)},
    ),
    "circle": lambda: _asyncapi({"c": {"$ref": "#/channels/c"}}),
    "many": lambda: _asyncapi({f"c{n}": {"address": "x", "messages": {}} for n in range(3_000)}),
}


def _graphql(text: str) -> Files:
    return _published("api.graphql", text, "graphql")


_GRAPHQL: dict[str, Callable[[], Files]] = {
    "many-types": lambda: _graphql(
        "type Query { a: T0 }\n"
        + "\n".join(f"type T{n} {{ a: T{n + 1} b: T{n} }}" for n in range(5_000))
        + "\ntype T5000 { a: Int }"
    ),
    "list-depth": lambda: _graphql("type Query { a: " + "[" * 50_000 + "Int" + "]" * 50_000 + "}"),
    "value-depth": lambda: _graphql(
        "type Query { a(b: I = " + "{a:" * 50_000 + "1" + "}" * 50_000 + "): Int}"
    ),
    "inputs-circle": lambda: _graphql(
        "type Query { a(i: I): Int }\ninput I { a: I! b: I! c: J! }\ninput J { a: I! b: J! }"
    ),
    "inputs-doubling": lambda: _graphql(
        "type Query { a(i: I0): Int }\n"
        + "\n".join(
            f"input I{n} {{ {' '.join(f'f{i}: I{n + 1}!' for i in range(10))} }}" for n in range(12)
        )
        + "\ninput I12 { a: Int }"
    ),
    "interfaces-circle": lambda: _graphql(
        "type Query { a: A }\ninterface A implements B & A { a: A }\ninterface B implements A { a: A }"
    ),
    "union-of-all": lambda: _graphql(
        "type Query { a: U }\nunion U = " + " | ".join(["U"] * 100_000)
    ),
    "extends": lambda: _graphql(
        "type Query { a: Int }\n" + "extend type Query { a: Int }\n" * 50_000
    ),
    "block-string": lambda: _graphql('"""' + "[a](" * 100_000 + '"""\ntype Query { a: Int }'),
    "open-string": lambda: _graphql('type Query { a: Int } """' + '\\"""' * 200_000),
    "comments": lambda: _graphql("#" * 10_000_000 + "\ntype Query { a: Int }"),
    "directives": lambda: _graphql("type Query { a: Int " + "@a(b: 1) " * 100_000 + "}"),
}

CASES = (
    of_files("openapi", _OPENAPI) + of_files("asyncapi", _ASYNCAPI) + of_files("graphql", _GRAPHQL)
)
