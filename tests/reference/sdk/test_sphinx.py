"""The output of Sphinx's JSON builder as a library."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from docstead.content.symbols import Symbol, SymbolKind
from docstead.reference.sdk.model import SdkLibrary, plain

Read = Callable[..., tuple[SdkLibrary | None, list[str]]]
Symbols = dict[str, Symbol]
ARTIFACT = ("sphinx", "sphinx")


def test_modules_hold_what_is_in_them(library: SdkLibrary) -> None:
    listed = [(group.label, [each.name for each in group.all()]) for group in library.groups]
    assert listed == [
        ("acme", ["acme", "Client", "Region", "connect", "VERSION"]),
        ("acme.config", ["acme.config", "DEBUG"]),
    ]
    about = library.groups[0].about
    assert about is not None
    assert about.description == "Speaks to the *service*, see [`Client`](symbol:acme.Client)."


def test_a_class_shows_its_text_its_fields_and_its_members(symbols: Symbols) -> None:
    client = symbols["acme.Client"]
    assert client.description == (
        "Speaks to the service.\n\n"
        "Its `*args` and <b>tags</b> are shown, as is snake_case and `__init__`."
    )
    (call,) = client.signatures
    assert call.code == "class Client(key: str, *, region: Region | None = None)"
    listed = [(p.name, plain(p.type), p.default, p.description) for p in call.parameters]
    assert listed == [
        ("key", "str", None, "The key, see [`connect()`](symbol:acme.connect)."),
        ("region", "Region | None", "None", ""),
    ]
    assert client.examples == ('```python\n>>> Client("k").find("users")\n```',)
    assert client.see == ("[The web](<https://example.com/x>)",)
    assert client.relations == (("Extends", ((("dict", ""),),)),)
    assert [(each.kind, each.name) for each in client.members] == [
        (SymbolKind.PROPERTY, "is_open"),
        (SymbolKind.METHOD, "find"),
        (SymbolKind.METHOD, "of"),
    ]


def test_a_method_says_what_it_returns_and_raises(symbols: Symbols) -> None:
    find, of = symbols["acme.Client.find"], symbols["acme.Client.of"]
    (call,) = find.signatures
    assert call.code == "def find(kind: str, limit: int = 10, *tags: str) -> list[Region]"
    assert call.returns == (("list[", ""), ("Region", "acme.Region"), ("]", ""))
    assert call.returned == "Everything that fits."
    assert [(plain(each.type), each.description) for each in call.raises] == [
        ("KeyError", "where the service fails.")
    ]
    assert (of.labels, of.deprecated) == (
        ("classmethod",),
        "Since 1.1. Use [`find()`](symbol:acme.Client.find).",
    )


def test_enums_functions_and_data(symbols: Symbols) -> None:
    europe, connect = symbols["acme.Region.EUROPE"], symbols["acme.connect"]
    assert symbols["acme.Region"].kind is SymbolKind.ENUM
    assert (europe.kind, europe.default, europe.description) == (
        SymbolKind.VALUE,
        "'eu'",
        "Frankfurt.",
    )
    assert connect.signatures[0].code == "async def connect(key: str = 'x<y') -> Client"
    assert connect.notes == (("", "Added in version 1.0."),)
    assert symbols["acme.VERSION"].signatures[0].code == "VERSION: str = '1.2.0'"


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"a.txt": ""}, "contains no .fjson files"),
        ({"a.fjson": '{"body": "<p>Words.</p>"}'}, "describe no objects"),
        ({"a.fjson": '{"body": 3}'}, "describe no objects"),
        ({"a.fjson": '{"body":\n'}, "sphinx/a.fjson:2:1: warning sdk-artifact: not JSON"),
        ({"a.fjson": '{"body": "<dl><dt class=\'sig-object\'>"}'}, "describe no objects"),
    ],
)
def test_what_is_no_output_is_reported(
    tmp_path: Path, read: Read, files: dict[str, str], reason: str
) -> None:
    folder = tmp_path / "sphinx"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    found, (diagnostic,) = read("sphinx", "sphinx", tmp_path)
    assert found is None
    assert reason in diagnostic


def test_hostile_pages_are_read_as_text(tmp_path: Path, read: Read) -> None:
    description = "<script>alert(1)</script><img src=x onerror=alert(1)>" + "<div>" * 500 + "deep"
    links = '<a href="javascript:alert(1)">one</a> <a href="#x)](javascript:2)">two</a>'
    body = (
        '<dl class="py function"><dt class="sig sig-object py" id="a.f"><span class="sig-name">f'
        f"</span></dt><dd>{links}{description}</dd></dl>"
    )
    (tmp_path / "x.fjson").write_text(json.dumps({"body": body}))
    library, diagnostics = read("sphinx", ".", tmp_path)
    assert diagnostics == []
    assert library is not None
    symbol = library.find("function", "f")
    assert symbol is not None
    assert symbol.description.startswith("one [two](symbol:x%29%5D%28javascript%3A2%29)")
    assert "alert" not in symbol.description
