"""Repositories that grow in the descriptions of APIs and libraries."""

from __future__ import annotations

import json
from collections.abc import Callable

from doubling_cases.reading import Files, settings

_INFO = {"title": "x", "version": "1"}


def openapi_references(size: int) -> Files:
    link = "#/components/schemas/S"
    schemas = {f"S{n}": {"$ref": f"{link}{n + 1}"} for n in range(size)}
    schemas[f"S{size}"] = {"type": "string"}
    content = {"application/json": {"schema": {"$ref": f"{link}0"}}}
    operation = {"responses": {"200": {"description": "x", "content": content}}}
    document = {"openapi": "3.1.0", "info": {"title": "x", "version": "1"}}
    document |= {"paths": {"/a": {"get": operation}}, "components": {"schemas": schemas}}
    return {"docs.json": settings(api={"openapi": "api.json"}), "api.json": json.dumps(document),
            "index.mdx": "Text."}  # fmt: skip


def openapi_same_summary(size: int) -> Files:
    paths = {f"/a{n}": {"get": {"summary": "Same", "responses": {}}} for n in range(size)}
    document = {"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": paths}
    groups = {"groups": [{"group": "API", "openapi": "api.json"}]}
    return {"docs.json": settings(navigation=groups), "api.json": json.dumps(document),
            "index.mdx": "Text."}  # fmt: skip


def graphql_types(size: int) -> Files:
    types = "\n".join(f"type T{n} {{ next: T{(n + 1) % size} }}" for n in range(size))
    groups = {"groups": [{"group": "API", "graphql": "api.graphql"}]}
    files = {"api.graphql": f"type Query {{ a: T0 }}\n{types}", "index.mdx": "Text."}
    return {"docs.json": settings(navigation=groups), **files}


def _asyncapi(**parts: object) -> Files:
    document = {"asyncapi": "3.0.0", "info": _INFO, "channels": {}, "operations": {}, **parts}
    groups = {"groups": [{"group": "API", "asyncapi": "live.json"}]}
    return {"docs.json": settings(navigation=groups), "live.json": json.dumps(document),
            "index.mdx": "Text."}  # fmt: skip


def _channel_link(number: int) -> dict[str, str]:
    return {"$ref": f"#/channels/c{number}"}


def asyncapi_channels(size: int) -> Files:
    channels = {f"c{n}": {"address": f"a{n}", "messages": {"m": {}}} for n in range(size)}
    operations = {
        f"o{n}": {"action": "send", "channel": _channel_link(n), "messages": []}
        for n in range(size)
    }
    return _asyncapi(channels=channels, operations=operations)


def asyncapi_messages(size: int) -> Files:
    messages = {f"m{n}": {"payload": {"type": "string", "title": f"t{n}"}} for n in range(size)}
    channels = {"c0": {"address": "a", "messages": messages}}
    operations = {"o": {"action": "send", "channel": _channel_link(0)}}
    return _asyncapi(channels=channels, operations=operations)


def asyncapi_servers(size: int) -> Files:
    servers = {f"s{n}": {"host": "x", "protocol": "ws"} for n in range(size)}
    links = [{"$ref": f"#/servers/s{n}"} for n in range(size)]
    channels = {"c0": {"address": "a", "servers": links, "messages": {}}}
    return _asyncapi(channels=channels, servers=servers)


def asyncapi_alternatives(size: int) -> Files:
    """Messages that are one of two, which are one of two, as deep as the size."""
    messages = {
        f"m{n}": {"oneOf": [{"$ref": f"#/components/messages/m{n + 1}"}] * 2} for n in range(size)
    }
    messages[f"m{size}"] = {"oneOf": [{"payload": {}}]}
    channels = {"c0": {"messages": {"m": {"$ref": "#/components/messages/m0"}}}}
    operations = {"o": {"action": "send", "channel": _channel_link(0)}}
    return _asyncapi(channels=channels, operations=operations, components={"messages": messages})


def asyncapi_variables(size: int) -> Files:
    variables = {f"v{n}": {"default": "x"} for n in range(size)}
    host = "".join(f"{{v{n}}}" for n in range(size))
    servers = {"s": {"host": host, "protocol": "ws", "variables": variables}}
    return _asyncapi(channels={"c0": {"messages": {}}}, servers=servers)


def _openapi(groups: object = None, **parts: object) -> Files:
    document = {"openapi": "3.1.0", "info": _INFO, "paths": {}, **parts}
    navigation = groups or {"groups": [{"group": "API", "openapi": "api.json"}]}
    return {"docs.json": settings(navigation=navigation), "api.json": json.dumps(document),
            "index.mdx": "Text."}  # fmt: skip


def openapi_tags(size: int) -> Files:
    paths = {f"/a{n}": {"get": {"tags": [f"t{n}"], "responses": {}}} for n in range(size)}
    return _openapi(paths=paths, tags=[{"name": f"t{n}"} for n in range(size)])


def openapi_listed(size: int) -> Files:
    paths = {f"/a{n}": {"get": {"responses": {}}} for n in range(size)}
    listed = [f"GET /a{n}" for n in range(size)]
    return _openapi({"groups": [{"group": "A", "openapi": "api.json", "pages": listed}]},
                    paths=paths)  # fmt: skip


def openapi_pages(size: int) -> Files:
    files = dict(_openapi({"pages": [f"p{n}" for n in range(size)]},
                          paths={f"/a{n}": {"get": {}} for n in range(size)}))  # fmt: skip
    return files | {f"p{n}.mdx": f"---\nopenapi: api.json GET /a{n}\n---\n" for n in range(size)}


def openapi_parameters(size: int) -> Files:
    path = "/" + "/".join(f"{{p{n}}}" for n in range(size))
    rows = [{"name": f"p{n}", "in": "path", "schema": {}} for n in range(size)]
    return _openapi(paths={path: {"parameters": rows, "get": {"parameters": rows}}})


def openapi_servers(size: int) -> Files:
    servers = [{"url": f"https://a{n}.example"} for n in range(size)]
    return _openapi(servers=servers, paths={"/a": {"get": {}}})


def openapi_missing(size: int) -> Files:
    """Pages of operations that are not there, compared with those that are."""
    files = dict(_openapi(paths={f"/users/{n}": {"get": {}} for n in range(min(size, 2_000))}))
    return files | {f"p{n}.mdx": f"---\nopenapi: GET /user/{n}\n---\n" for n in range(size)}


def _library(kind: str, source: str, files: Files) -> Files:
    sdk = {"format": kind, "source": source, "directory": "sdk/x"}
    tabs = [{"tab": "SDK", "sdk": sdk}, {"tab": "x", "pages": ["index"]}]
    return {"docs.json": settings(navigation={"tabs": tabs}), "index.mdx": "Text.", **files}


def typedoc_functions(size: int) -> Files:
    children = [
        {"id": n, "name": f"f{n}", "kind": 64, "signatures": [
            {"id": size + n, "name": f"f{n}", "kind": 4096, "parameters": [],
             "type": {"type": "reference", "target": (n + 1) % size, "name": "x"}}]}
        for n in range(size)
    ]  # fmt: skip
    document = {"id": -1, "name": "x", "kind": 1, "schemaVersion": "2.0", "children": children}
    return _library("typedoc", "t.json", {"t.json": json.dumps(document)})


def typedoc_classes(size: int) -> Files:
    children = [
        {"id": n, "name": f"C{n}", "kind": 128, "extendedTypes": [
            {"type": "reference", "target": n + 1, "name": f"C{n + 1}"}], "children": []}
        for n in range(size)
    ]  # fmt: skip
    document = {"id": -1, "name": "x", "kind": 1, "schemaVersion": "2.0", "children": children}
    return _library("typedoc", "t.json", {"t.json": json.dumps(document)})


def docfx_items(size: int) -> Files:
    items = "".join(
        f"- uid: A.T{n}\n  id: T{n}\n  name: T{n}\n  type: Class\n  parent: A\n"
        for n in range(size)
    )
    text = f"### YamlMime:ManagedReference\nitems:\n{items}"
    return _library("docfx", "sdk/d", {"sdk/d/a.yml": text})


def phpdoc_classes(size: int) -> Files:
    rows = "".join(
        f'<file path="a{n}.php"><class><name>C{n}</name><full_name>\\C{n}</full_name>'
        f"<extends>\\C{n + 1}</extends></class></file>"
        for n in range(size)
    )
    return _library("phpdoc", "s.xml", {"s.xml": f"<?xml version='1.0'?><project>{rows}</project>"})


def sphinx_objects(size: int) -> Files:
    rows = "".join(
        f'<dl class="py function"><dt class="sig" id="a.f{n}">f{n}()</dt><dd><p>x</p></dd></dl>'
        for n in range(size)
    )
    return _library("sphinx", "sdk/p", {"sdk/p/a.fjson": json.dumps({"body": rows, "title": "a"})})


REFERENCES: dict[str, tuple[int, Callable[[int], Files]]] = {
    "references of OpenAPI": (500, openapi_references),
    "operations of one name": (250, openapi_same_summary),
    "tags of OpenAPI": (250, openapi_tags),
    "operations that are listed": (250, openapi_listed),
    "operations with pages": (100, openapi_pages),
    "operations that are not there": (100, openapi_missing),
    "parameters of OpenAPI": (250, openapi_parameters),
    "servers of OpenAPI": (500, openapi_servers),
    "channels of AsyncAPI": (250, asyncapi_channels),
    "messages of AsyncAPI": (250, asyncapi_messages),
    "servers of AsyncAPI": (250, asyncapi_servers),
    "alternatives of AsyncAPI": (4, asyncapi_alternatives),
    "variables of AsyncAPI": (250, asyncapi_variables),
    "types of GraphQL": (250, graphql_types),
    "functions of TypeDoc": (250, typedoc_functions),
    "classes of TypeDoc": (100, typedoc_classes),
    "items of DocFX": (250, docfx_items),
    "classes of phpDocumentor": (250, phpdoc_classes),
    "objects of Sphinx": (250, sphinx_objects),
}
