"""phpDocumentor's `structure.xml` as a library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docstead.content.symbols import Symbol, SymbolKind
from docstead.reference.sdk.model import SdkLibrary, plain

Read = Callable[..., tuple[SdkLibrary | None, list[str]]]
Symbols = dict[str, Symbol]
ARTIFACT = ("phpdoc", "structure.xml")
ENTITIES = (
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
)


def test_namespaces_hold_what_is_in_them(library: SdkLibrary) -> None:
    listed = [(group.label, [each.name for each in group.symbols]) for group in library.groups]
    assert listed == [("Global namespace", ["VERSION"]), ("Acme", ["Client", "Page", "connect"])]


def test_a_class_shows_its_text_and_its_members(symbols: Symbols) -> None:
    client = symbols["Acme\\Client"]
    assert client.signatures[0].code == "final class Client extends Base implements Countable"
    assert client.description == (
        "Speaks to the service.\n\nIs **shared**, see [connecting](symbol:%5CAcme%5Cconnect%28%29)."
    )
    assert client.see == ("[https://example.com/guide](<https://example.com/guide>) – The guide.",)
    assert [(each.kind, each.name) for each in client.members] == [
        (SymbolKind.PROPERTY, "LIMIT"),
        (SymbolKind.PROPERTY, "key"),
        (SymbolKind.CONSTRUCTOR, "__construct"),
        (SymbolKind.METHOD, "find"),
    ]
    assert client.inherited == ((("close", "\\Acme\\Base::close()"),),)


def test_a_method_says_what_it_takes_returns_and_throws(symbols: Symbols) -> None:
    find = symbols["Acme\\Client::find"]
    (call,) = find.signatures
    assert (
        call.code == "public static function find(string $kind, int $limit = self::LIMIT): Page[]"
    )
    listed = [(p.name, plain(p.type), p.default, p.description) for p in call.parameters]
    assert listed == [
        ("$kind", "string", None, "What is looked for."),
        ("$limit", "int", "self::LIMIT", ""),
    ]
    assert call.returns == (("Page", "\\Acme\\Page"), ("[]", ""))
    assert call.returned == "Everything that fits."
    assert [(plain(each.type), each.description) for each in call.raises] == [
        ("Failure", "Where it fails.")
    ]
    assert (find.labels, find.deprecated) == (("static",), "1.3 Use another.")
    assert find.description == "Finds what fits, with `a < b`"


def test_properties_and_constants(symbols: Symbols) -> None:
    key, limit = symbols["Acme\\Client::$key"], symbols["Acme\\Client::LIMIT"]
    assert (plain(key.type), key.labels, key.description) == (
        "string|null",
        ("protected",),
        "The key.",
    )
    assert (limit.default, limit.labels) == ("10", ("constant",))
    assert symbols["VERSION"].signatures[0].code == "const VERSION = '1.2.0';"


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("<project>\n<file>", "structure.xml:2:"),
        ("", "not XML"),
        ("<html/>", "not a structure.xml of phpDocumentor"),
        ("<project/>", "describes no symbols"),
        (
            f"{ENTITIES}<project><file><class><name>&b;&f;</name></class></file></project>",
            "DOCTYPE",
        ),
        ("<project>" + "<file>" * 1_000, "not XML"),
    ],
)
def test_what_is_no_structure_is_reported(
    tmp_path: Path, read: Read, written: str, reason: str
) -> None:
    (tmp_path / "structure.xml").write_text(written)
    found, (diagnostic,) = read("phpdoc", "structure.xml", tmp_path)
    assert found is None
    assert reason in diagnostic
