"""Repositories that grow in what is rendered, indexed and written."""

from __future__ import annotations

import json
from collections.abc import Callable

from doubling_cases.reading import Files, anchors, body_of, redirect_chain, settings

BASE: Files = {"docs.json": settings(), "index.mdx": "Text."}


def _page(body: str, **more: object) -> Files:
    return {"docs.json": settings(**more), "index.mdx": body}


def pages(size: int) -> Files:
    return {**BASE, **{f"p{n}.mdx": f"# Title {n}\n\nText of {n}." for n in range(size)}}


def linked_pages(size: int) -> Files:
    body = "\n\n".join(f"[a](/p{n}#b)" for n in range(50))
    return {**BASE, **{f"p{n}.mdx": f"## B\n\n{body}" for n in range(size)}}


def menu(size: int) -> Files:
    """Every page carries the menu: its size is that of the repository, within bounds."""
    files = {f"p{n}.mdx": "Text." for n in range(size)}
    names = [f"p{n}" for n in range(size)]
    return {**files, "docs.json": settings(navigation={"pages": ["index", *names]}),
            "index.mdx": "Text."}  # fmt: skip


def words(size: int) -> Files:
    return _page(" ".join(f"w{n}x{n * 7919}" for n in range(size)))


def long_word(size: int) -> Files:
    return _page("w" * size)


def sections(size: int) -> Files:
    return _page("".join(f"## H{n}\n\nText {n}.\n\n" for n in range(size)))


def empty_sections(size: int) -> Files:
    return _page("".join(f"## H{n}\n\n" for n in range(size)))


def nested_sections(size: int) -> Files:
    return _page("".join(f"{'#' * (2 + n % 5)} H{n}\n\n" for n in range(size)))


def table(size: int) -> Files:
    return _page("| a | b |\n|-|-|\n" + "| c | d |\n" * size)


def code(size: int) -> Files:
    return _page("```python\n" + "x = 'a'  # b\n" * size + "```")


def code_line(size: int) -> Files:
    return _page("```js\n" + "a(b) " * size + "\n```")


def fences(size: int) -> Files:
    return _page("```js\nlet a = 1\n```\n\n" * size)


def expressions(size: int) -> Files:
    return _page("{1}\n\n" * size)


def updates(size: int) -> Files:
    body = "".join(f'<Update label="v{n}" tags={{["t{n}"]}}>y</Update>\n\n' for n in range(size))
    return _page("---\nrss: true\n---\n\n" + body)


def nested(size: int) -> Files:
    return _page("<div>\n" * size + "x\n" + "</div>\n" * size)


def nested_list(size: int) -> Files:
    return _page("".join("  " * n + "- a\n" for n in range(size)))


def formulas(size: int) -> Files:
    return _page("$a + b$ " * size)


def footnotes(size: int) -> Files:
    marks = "".join(f"[^{n}] " for n in range(size))
    return _page(marks + "\n\n" + "".join(f"[^{n}]: x\n\n" for n in range(size)))


def link_definitions(size: int) -> Files:
    return _page("".join(f"[a{n}]: /x\n" for n in range(size))
                 + "".join(f"[a{n}] " for n in range(size)))  # fmt: skip


def classes(size: int) -> Files:
    return _page("".join(f'<div className="p-{n} m-{n}">x</div>\n' for n in range(size)))


def drawings(size: int) -> Files:
    svg = '<svg xmlns="http://www.w3.org/2000/svg">' + "<g><path d='M0 0'/></g>" * size + "</svg>"
    return {**_page('<Icon icon="/a.svg" />', logo="/a.svg", favicon="/a.svg"), "a.svg": svg}


def fonts(size: int) -> Files:
    return _page("Text.", fonts={"family": "Serif mono" * size, "weight": 400})


def own_font(size: int) -> Files:
    family = {"family": "x", "source": "/a.woff2", "format": "woff2"}
    return {**_page("Text.", fonts=family), "a.woff2": b"wOF2" + b"\xff" * size}


def snippet_uses(size: int) -> Files:
    files = {"snippets/s.mdx": "Text of {a}."}
    body = "import S from '/snippets/s.mdx'\n\n" + "<S a='x' />\n\n" * size
    return {**_page(body), **files}


def module_functions(size: int) -> Files:
    module = "\n".join(f"export const F{n} = () => <b>{n}</b>;" for n in range(size))
    names = ", ".join(f"F{n}" for n in range(size))
    body = f"import {{ {names} }} from '/snippets/m.jsx'\n\n<F0 />"
    return {**_page(body), "snippets/m.jsx": module}


def _openapi(paths: object, **components: object) -> Files:
    document = {"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": paths,
                "components": components}  # fmt: skip
    groups = {"groups": [{"group": "API", "openapi": "api.json"}]}
    return {"docs.json": settings(navigation=groups), "api.json": json.dumps(document),
            "index.mdx": "Text."}  # fmt: skip


def operations(size: int) -> Files:
    return _openapi({f"/a{n}": {"get": {"summary": f"A{n}", "responses": {}}} for n in range(size)})


def properties(size: int) -> Files:
    schema = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(size)}}
    content = {"application/json": {"schema": schema}}
    return _openapi({"/a": {"post": {"requestBody": {"content": content}, "responses": {}}}})


def alternatives(size: int) -> Files:
    schema = {"oneOf": [{"type": "object", "properties": {f"p{n}": {}}} for n in range(size)]}
    content = {"application/json": {"schema": schema}}
    return _openapi({"/a": {"post": {"requestBody": {"content": content}, "responses": {}}}})


def schema_chain(size: int) -> Files:
    link = "#/components/schemas/S"
    schemas = {
        f"S{n}": {"type": "object", "properties": {"a": {"$ref": f"{link}{n + 1}"}}}
        for n in range(size)
    }
    content = {"application/json": {"schema": {"$ref": f"{link}0"}}}
    operation = {"requestBody": {"content": content}, "responses": {}}
    return _openapi({"/a": {"post": operation}}, schemas={**schemas, f"S{size}": {}})


def samples(size: int) -> Files:
    rows = [{"lang": f"l{n}", "source": "x = 1"} for n in range(size)]
    return _openapi({"/a": {"get": {"x-codeSamples": rows, "responses": {}}}})


def channels(size: int) -> Files:
    rows = {
        f"c{n}": {"address": f"a{n}", "messages": {"m": {"payload": {"type": "string"}}}}
        for n in range(size)
    }
    document = {"asyncapi": "3.0.0", "info": {"title": "x", "version": "1"}, "channels": rows}
    groups = {"groups": [{"group": "API", "asyncapi": "live.json"}]}
    return {"docs.json": settings(navigation=groups), "live.json": json.dumps(document),
            "index.mdx": "Text."}  # fmt: skip


def types(size: int) -> Files:
    rows = "\n".join(f"type T{n} {{ next: T{(n + 1) % size} }}" for n in range(size))
    tabs_ = {"tabs": [{"tab": "API", "graphql": "api.graphql"}, {"tab": "x", "pages": ["index"]}]}
    return {"docs.json": settings(navigation=tabs_), "index.mdx": "Text.",
            "api.graphql": f"type Query {{ a: T0 }}\n{rows}"}  # fmt: skip


def input_fields(size: int) -> Files:
    fields = " ".join(f"f{n}: Int" for n in range(size))
    tabs_ = {"tabs": [{"tab": "API", "graphql": "api.graphql"}, {"tab": "x", "pages": ["index"]}]}
    return {"docs.json": settings(navigation=tabs_), "index.mdx": "Text.",
            "api.graphql": f"type Query {{ a(i: I): Int }}\ninput I {{ {fields} }}"}  # fmt: skip


def banner(size: int) -> Files:
    return _page("Text.", banner={"content": "[a](/index) " * size})


def skills(size: int) -> Files:
    return {**BASE, **{f".docs/skills/s{n}/SKILL.md": f"---\nname: s{n}\ndescription: x\n---\n"
                       for n in range(size)}}  # fmt: skip


def styles(size: int) -> Files:
    return {**BASE, "style.css": ".a { color: red }\n" * size}


EXPORTED: dict[str, tuple[int, Callable[[int], Files]]] = {
    "pages": (100, pages),
    "linked pages": (50, linked_pages),
    "words": (20_000, words),
    "long word": (100_000, long_word),
    "sections": (500, sections),
    "sections without text": (500, empty_sections),
    "sections within sections": (500, nested_sections),
    "anchors": (500, anchors),
    "table": (1_000, table),
    "code": (1_000, code),
    "line of code": (1_000, code_line),
    "fences": (250, fences),
    "expressions": (1_000, expressions),
    "updates": (250, updates),
    "nested elements": (50, nested),
    "nested lists": (25, nested_list),
    "formulas": (250, formulas),
    "footnotes": (250, footnotes),
    "link definitions": (500, link_definitions),
    "classes": (500, classes),
    "drawings": (1_000, drawings),
    "name of a font": (10_000, fonts),
    "file of a font": (1_000_000, own_font),
    "uses of a snippet": (250, snippet_uses),
    "functions of a module": (250, module_functions),
    "operations": (50, operations),
    "properties": (250, properties),
    "alternatives": (100, alternatives),
    "chain of schemas": (50, schema_chain),
    "samples": (100, samples),
    "channels": (50, channels),
    "types of GraphQL": (50, types),
    "fields of GraphQL": (250, input_fields),
    "banner": (500, banner),
    "skills": (100, skills),
    "styles": (10_000, styles),
    "redirects": (500, redirect_chain),
    **{
        f"body {piece!r}": (2_000, body_of(piece))
        for piece in ("[", "*a _b ", "[a](", "`a ", "<b>", "| a ", "# a\n", "> ", "$a$ ",
                      "![a](b) ", "- a\n", "http://a.b/ ", "**a", "&", "a\n", "\\",
                      "<Card>\n", "{a}", "~")
    },
}  # fmt: skip
