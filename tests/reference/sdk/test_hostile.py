"""Artifacts that are made to take long, or to be more than they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from docstead.reference.sdk.html_text import content_of, markdown_of, parsed
from docstead.reference.sdk.model import SdkLibrary, placed_text
from growth import assert_linear
from sampled_cases import one_in

Read = Callable[..., tuple[SdkLibrary | None, list[str]]]
MANY = 10_000
SOME = MANY // 4
PIECES = [
    *("(", "*", "_", "`", "[", "](", "\\", " ", "\n", "x_", "a ` b ", "[a](symbol:", "symbol:"),
    *("<b>", "<table><tr><td>", "<ul><li>", "<a href='#x'>", "<code>", "<pre>", "<p>- "),
    *("<blockquote>", "<dl><dt>", "<xref href='", '<xref href="', "{@see ", "{@link a ", "&lt;"),
]


@pytest.mark.parametrize("piece", PIECES)
def test_texts_take_no_longer_than_they_are_long(piece: str) -> None:
    def markdown(size: int) -> None:
        root = parsed(f"<div>{piece * size}</div>")
        assert root is not None
        markdown_of(content_of(root), lambda _: "id")

    assert_linear(markdown, SOME)
    assert_linear(lambda size: placed_text(piece * size, {"a": "/a"}), SOME)


@pytest.mark.parametrize("piece", one_in(3, PIECES))
def test_descriptions_take_no_longer_than_they_are_long(
    tmp_path: Path, read: Read, piece: str
) -> None:
    for size in (SOME, MANY):
        write_artifacts(tmp_path / str(size), piece * size)
    for format_, source in (
        ("docfx", "."),
        ("phpdoc", "structure.xml"),
        ("sphinx", "."),
        ("javadoc", "."),
    ):
        assert_linear(lambda size: read(format_, source, tmp_path / str(size)), SOME)  # noqa: B023 - called at once


def write_artifacts(folder: Path, text: str) -> None:
    """Write artifacts of four tools that have the text as each description."""
    folder.mkdir()
    value = json.dumps(text)
    (folder / "n.yml").write_text(
        f"### YamlMime:ManagedReference\nitems:\n- uid: A\n  type: Class\n  name: {value}\n"
        f"  summary: {value}\n  syntax:\n    content: {value}\n    parameters:\n    - id: {value}\n"
    )
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    (folder / "structure.xml").write_text(
        f"<project><file><class><name>A</name><docblock><description>{escaped}</description>"
        "</docblock></class></file></project>"
    )
    head = '<dl class="py class"><dt class="sig-object" id="a.A"><em class="sig-param">'
    body = {"body": f"{head}{escaped}</em></dt><dd>{text}</dd></dl>"}
    (folder / "a.fjson").write_text(json.dumps(body))
    (folder / "A.html").write_text(
        "<!-- START OF CLASS DATA --><section class='class-description'>"
        f"<div class='type-signature'>class {escaped}</div><div class='block'>{text}</div>"
    )


def test_a_union_of_many_and_a_class_with_many_members(tmp_path: Path, read: Read) -> None:
    for size in (SOME, MANY):
        write_types(tmp_path / str(size), size)

    def types(size: int) -> SdkLibrary:
        library, _ = read("typedoc", "t.json", tmp_path / str(size))
        assert library is not None
        return library

    assert len(list(types(MANY).all())) == 2
    assert_linear(types, SOME)


def write_types(folder: Path, size: int) -> None:
    folder.mkdir()
    named = [{"type": "literal", "value": f"icon-{number}"} for number in range(size)]
    union = {"id": 1, "name": "Icon", "kind": 2_097_152, "type": {"type": "union", "types": named}}
    members = [{"id": n, "name": f"m{n}", "kind": 1024} for n in range(2, size)]
    large = {"id": size, "name": "Large", "kind": 128, "children": members}
    (folder / "t.json").write_text(json.dumps({"kind": 1, "children": [union, large]}))


def test_names_that_refer_to_each_other_are_read_once(tmp_path: Path, read: Read) -> None:
    base = {"type": "reference", "name": "B", "target": 2}
    back = {"type": "reference", "name": "A", "target": 1}
    children = [
        {"id": 1, "name": "A", "kind": 128, "extendedTypes": [base], "extendedBy": [base]},
        {"id": 2, "name": "B", "kind": 128, "extendedTypes": [back], "extendedBy": [back]},
    ]
    (tmp_path / "t.json").write_text(json.dumps({"kind": 1, "children": children}))
    library, diagnostics = read("typedoc", "t.json", tmp_path)
    assert diagnostics == []
    assert library is not None
    assert [each.name for each in library.all()] == ["A", "B"]


def test_members_within_members_have_an_end(tmp_path: Path, read: Read) -> None:
    text = json.dumps({"kind": 1, "children": []})
    deep = '{"id": 1, "name": "x", "kind": 128, "children": [' * 5_000
    (tmp_path / "t.json").write_text(text.replace("[]", f"[{deep}{']}' * 5_000}]"))
    library, diagnostics = read("typedoc", "t.json", tmp_path)
    assert library is None
    assert len(diagnostics) == 1
