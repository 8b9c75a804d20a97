"""TypeDoc's JSON as a library."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from docstead.content.symbols import Symbol, SymbolKind
from docstead.reference.sdk.model import SdkLibrary, plain

Symbols = dict[str, Symbol]
ARTIFACT = ("typedoc", "typedoc.json")


def test_symbols_stand_by_kind_and_namespaces_for_themselves(library: SdkLibrary) -> None:
    listed = [(group.label, [each.name for each in group.all()]) for group in library.groups]
    assert listed == [
        ("Classes", ["Client"]),
        ("Interfaces", ["Options"]),
        ("Enums", ["Region"]),
        ("Functions", ["connect"]),
        ("Types", ["Page"]),
        ("helpers", ["helpers", "wait"]),
    ]
    assert library.language == "typescript"


def test_a_class_says_what_it_is_and_what_it_has(symbols: Symbols) -> None:
    client = symbols["Client"]
    assert client.signatures[0].code == "class Client extends EventTarget"
    assert client.description.startswith("Speaks to the service.\n\nSee [the guide](/guides/start)")
    assert f"[how to connect](symbol:{symbols['connect'].id})" in client.description
    assert client.examples == ('Find users\n\n```ts\nawait client.find("users");\n```',)
    assert client.see == (f"[Options](symbol:{symbols['Options'].id})",)
    assert [(each.kind, each.name) for each in client.members] == [
        (SymbolKind.CONSTRUCTOR, "constructor"),
        (SymbolKind.PROPERTY, "isOpen"),
        (SymbolKind.METHOD, "find"),
        (SymbolKind.METHOD, "search"),
    ]
    assert client.source == ("index.ts:26", "https://example.com/blob/main/index.ts#L26")


def test_a_method_says_what_it_takes_returns_and_throws(symbols: Symbols) -> None:
    (call,) = symbols["Client.find"].signatures
    assert call.code.splitlines() == [
        "find<K extends string>(",
        "  kind: K,",
        "  limit?: number,",
        "  ...tags: readonly string[],",
        "): Promise<Page<K>>",
    ]
    listed = [
        (p.name, plain(p.type), p.default, p.optional, p.description) for p in call.parameters
    ]
    assert listed == [
        ("kind", "K", None, False, "What is looked for."),
        ("limit", "number", "10", False, "How many at most."),
        ("...tags", "readonly string[]", None, True, ""),
    ]
    assert call.returns == (("Promise<", ""), ("Page", symbols["Page"].id), ("<K>>", ""))
    assert call.returned == "Everything that fits."
    assert [each.description for each in call.raises] == ["Error where the service fails."]


def test_ways_to_call_have_their_own_descriptions(symbols: Symbols) -> None:
    search = symbols["Client.search"]
    assert [(each.code, each.description) for each in search.signatures] == [
        ("protected search(term: string): void", ""),
        ("protected search(term: number): void", "With a number."),
    ]
    assert (search.labels, search.deprecated) == (("protected",), "Use `find`.")


def test_properties_values_and_types(symbols: Symbols) -> None:
    timeout, key = symbols["Options.timeout"], symbols["Options.key"]
    assert (timeout.default, timeout.optional, plain(timeout.type)) == ("30", True, "number")
    assert (key.labels, key.description) == (("readonly",), "The key of the project.")
    assert plain(symbols["Region.Europe"].type) == '"eu"'
    assert (
        symbols["Page"].signatures[0].code == "type Page<T> = { items: T[]; next?: string } | null"
    )
    assert symbols["helpers.wait"].kind is SymbolKind.FUNCTION


@pytest.mark.parametrize(
    ("written", "position", "reason"),
    [
        ('{"kind": 1,\n "children": [', "typedoc.json:2:15", "not JSON"),
        ("[1]", "typedoc.json:1:1", "contains no object"),
        ('{"openapi": "3.1.0"}', "typedoc.json:1:1", "not a JSON export of TypeDoc"),
        ('{"kind": 1, "children": []}', "typedoc.json:1:1", "no symbols"),
        ('{"kind": 1, "children": 3}', "typedoc.json:1:1", "no symbols"),
        ("[" * 100_000, "typedoc.json:1:1", "not readable"),
        (b"\xff\xfe", "typedoc.json:1:1", "not UTF-8"),
    ],
)
def test_what_is_no_export_is_reported_with_its_position(
    tmp_path: Path,
    read: Callable[..., tuple[SdkLibrary | None, list[str]]],
    written: str | bytes,
    position: str,
    reason: str,
) -> None:
    data = written if isinstance(written, bytes) else written.encode()
    (tmp_path / "typedoc.json").write_bytes(data)
    found, (diagnostic,) = read("typedoc", "typedoc.json", tmp_path)
    assert found is None
    assert diagnostic.startswith(position)
    assert reason in diagnostic


@pytest.mark.parametrize("value", [None, 3, "x", [], [None], {"x": 1}, True, {"type": "union"}])
def test_odd_values_stop_nothing(
    tmp_path: Path, read: Callable[..., tuple[SdkLibrary | None, list[str]]], value: object
) -> None:
    holders = ["type", "signatures", "children", "comment", "sources", "flags"]
    keys = [*holders, "extendedTypes", "typeParameters"]
    odd = [{"id": 1, "name": "odd", "kind": kind, key: value} for kind in (64, 128) for key in keys]
    fine = {"id": 2, "name": "fine", "kind": 32, "type": {"type": "intrinsic", "name": "string"}}
    project = {"kind": 1, "children": [*odd, fine, value]}
    (tmp_path / "typedoc.json").write_text(json.dumps(project))
    library, diagnostics = read("typedoc", "typedoc.json", tmp_path)
    assert diagnostics == []
    assert library is not None
    assert library.find("variable", "fine") is not None


def test_types_without_an_end_are_cut(
    tmp_path: Path, read: Callable[..., tuple[SdkLibrary | None, list[str]]]
) -> None:
    deep: dict[str, object] = {"type": "intrinsic", "name": "string"}
    for _ in range(300):
        deep = {"type": "array", "elementType": deep}
    alias = {"id": 1, "name": "Deep", "kind": 2_097_152, "type": deep}
    (tmp_path / "typedoc.json").write_text(json.dumps({"kind": 1, "children": [alias]}))
    library, diagnostics = read("typedoc", "typedoc.json", tmp_path)
    assert diagnostics == []
    assert library is not None
    (symbol,) = library.all()
    assert symbol.signatures[0].code.startswith("type Deep = …[][]")
