"""The folder of `docfx metadata` as a library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docstead.content.symbols import Symbol, SymbolKind
from docstead.reference.sdk.model import SdkLibrary, plain

Read = Callable[..., tuple[SdkLibrary | None, list[str]]]
Symbols = dict[str, Symbol]
ARTIFACT = ("docfx", "docfx")


def test_namespaces_hold_their_types(library: SdkLibrary) -> None:
    (group,) = library.groups
    assert (group.label, [each.name for each in group.all()]) == (
        "Acme",
        ["Acme", "Client", "Region"],
    )
    assert group.about is not None
    assert group.about.description == "Speaks to the service."


def test_a_class_says_what_it_is_and_what_it_has(symbols: Symbols) -> None:
    client = symbols["Acme.Client"]
    assert client.signatures[0].code == "public class Client : Base, IDisposable"
    assert client.description == "Speaks to the service, in a [Region](symbol:Acme.Region)."
    assert client.notes == (("Remarks", "Is **shared**."),)
    assert client.examples == ('```csharp\nnew Client("k").Find("users");\n```',)
    assert client.relations == (
        ("Extends", ((("Base", "Acme.Base"),),)),
        ("Implements", ((("IDisposable", "System.IDisposable"),),)),
    )
    assert client.see == (
        "[Region](symbol:Acme.Region)",
        "[The guide](<https://example.com/guide>)",
    )
    assert client.source == (
        "src/Client.cs:9",
        "https://github.com/example/acme/blob/main/src/Client.cs#L9",
    )
    assert [(each.kind, each.name) for each in client.members] == [
        (SymbolKind.CONSTRUCTOR, "Client"),
        (SymbolKind.PROPERTY, "Timeout"),
        (SymbolKind.METHOD, "Find"),
    ]


def test_ways_to_call_are_one_member(symbols: Symbols) -> None:
    find = symbols["Acme.Client.Find"]
    first, second = find.signatures
    assert find.also == ("Acme.Client.Find(Acme.Region)",)
    assert [(p.name, plain(p.type), p.default) for p in first.parameters] == [
        ("kind", "string", None),
        ("limit", "int", "10"),
    ]
    assert plain(first.returns) == "List<Region>"
    assert first.returns[2] == ("Region", "Acme.Region")
    assert first.returned == "Everything that fits."
    assert [(plain(each.type), each.description) for each in first.raises] == [
        ("AcmeException", "Where the service fails.")
    ]
    assert second.description == "Finds all in a region."


def test_properties_and_values(symbols: Symbols) -> None:
    timeout, europe = symbols["Acme.Client.Timeout"], symbols["Acme.Region.Europe"]
    assert (plain(timeout.type), timeout.labels) == ("int", ("static",))
    assert timeout.deprecated == "Use options."
    assert (europe.kind, europe.default, europe.description) == (
        SymbolKind.VALUE,
        "0",
        "Frankfurt.",
    )


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"toc.yml": "### YamlMime:TableOfContent\n"}, "no ManagedReference YAML"),
        ({"a.yml": "### YamlMime:ManagedReference\nitems: 3\n"}, "no ManagedReference YAML"),
        ({"a.yml": "### YamlMime:ManagedReference\nitems: [\n"}, "docfx/a.yml:2:1"),
        ({"a.yml": "### YamlMime:ManagedReference\n" + "- " * 5_000}, "docfx/a.yml:2:"),
    ],
)
def test_what_is_no_output_is_reported(
    tmp_path: Path, read: Read, files: dict[str, str], reason: str
) -> None:
    folder = tmp_path / "docfx"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    found, (diagnostic,) = read("docfx", "docfx", tmp_path)
    assert found is None
    assert reason in diagnostic
