"""Artifacts that are made to take long, or to be more than they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

import pytest

from docstead.content.sdk.html_text import content_of, markdown_of, parsed
from docstead.content.sdk.model import Library, placed_text

Read = Callable[..., tuple[Library | None, list[str]]]
MANY = 10_000
PIECES = [
    *("(", "*", "_", "`", "[", "](", "\\", " ", "\n", "x_", "a ` b ", "[a](symbol:", "symbol:"),
    *("<b>", "<table><tr><td>", "<ul><li>", "<a href='#x'>", "<code>", "<pre>", "<p>- "),
    *("<blockquote>", "<dl><dt>", "<xref href='", '<xref href="', "{@see ", "{@link a ", "&lt;"),
]


def seconds(call: Callable[[], object]) -> float:
    begun = process_time()
    call()
    return process_time() - begun


@pytest.mark.parametrize("piece", PIECES)
def test_texts_take_no_longer_than_they_are_long(piece: str) -> None:
    root = parsed(f"<div>{piece * MANY}</div>")
    assert root is not None
    assert seconds(lambda: markdown_of(content_of(root), lambda _: "id")) < 5
    assert seconds(lambda: placed_text(piece * MANY, {"a": "/a"})) < 5


@pytest.mark.parametrize("piece", PIECES)
def test_descriptions_take_no_longer_than_they_are_long(
    tmp_path: Path, read: Read, piece: str
) -> None:
    text = piece * MANY
    value = json.dumps(text)
    (tmp_path / "n.yml").write_text(
        f"### YamlMime:ManagedReference\nitems:\n- uid: A\n  type: Class\n  name: {value}\n"
        f"  summary: {value}\n  syntax:\n    content: {value}\n    parameters:\n    - id: {value}\n"
    )
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    (tmp_path / "structure.xml").write_text(
        f"<project><file><class><name>A</name><docblock><description>{escaped}</description>"
        "</docblock></class></file></project>"
    )
    head = '<dl class="py class"><dt class="sig-object" id="a.A"><em class="sig-param">'
    body = {"body": f"{head}{escaped}</em></dt><dd>{text}</dd></dl>"}
    (tmp_path / "a.fjson").write_text(json.dumps(body))
    (tmp_path / "A.html").write_text(
        "<!-- START OF CLASS DATA --><section class='class-description'>"
        f"<div class='type-signature'>class {escaped}</div><div class='block'>{text}</div>"
    )
    for format_, source in (
        ("docfx", "."),
        ("phpdoc", "structure.xml"),
        ("sphinx", "."),
        ("javadoc", "."),
    ):
        assert seconds(partial(read, format_, source, tmp_path)) < 5, format_


def test_a_union_of_many_and_a_class_with_many_members(tmp_path: Path, read: Read) -> None:
    named = [{"type": "literal", "value": f"icon-{number}"} for number in range(MANY)]
    union = {"id": 1, "name": "Icon", "kind": 2_097_152, "type": {"type": "union", "types": named}}
    members = [{"id": n, "name": f"m{n}", "kind": 1024} for n in range(2, MANY)]
    large = {"id": MANY, "name": "Large", "kind": 128, "children": members}
    (tmp_path / "t.json").write_text(json.dumps({"kind": 1, "children": [union, large]}))
    found: list[Library | None] = []
    assert seconds(lambda: found.append(read("typedoc", "t.json", tmp_path)[0])) < 5
    assert found[0] is not None
    assert len(list(found[0].all())) == 2


def test_names_that_refer_to_each_other_are_read_once(tmp_path: Path, read: Read) -> None:
    base = {"type": "reference", "name": "B", "target": 2}
    back = {"type": "reference", "name": "A", "target": 1}
    children = [
        {"id": 1, "name": "A", "kind": 128, "extendedTypes": [base], "extendedBy": [base]},
        {"id": 2, "name": "B", "kind": 128, "extendedTypes": [back], "extendedBy": [back]},
    ]
    (tmp_path / "t.json").write_text(json.dumps({"kind": 1, "children": children}))
    library, told = read("typedoc", "t.json", tmp_path)
    assert told == []
    assert library is not None
    assert [each.name for each in library.all()] == ["A", "B"]


def test_members_within_members_have_an_end(tmp_path: Path, read: Read) -> None:
    text = json.dumps({"kind": 1, "children": []})
    deep = '{"id": 1, "name": "x", "kind": 128, "children": [' * 5_000
    (tmp_path / "t.json").write_text(text.replace("[]", f"[{deep}{']}' * 5_000}]"))
    library, told = read("typedoc", "t.json", tmp_path)
    assert library is None
    assert len(told) == 1
