"""The HTML of Javadoc's standard doclet as a library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docstead.content.symbols import Symbol, SymbolKind
from docstead.reference.sdk.model import SdkLibrary, plain

Read = Callable[..., tuple[SdkLibrary | None, list[str]]]
Symbols = dict[str, Symbol]
ARTIFACT = ("javadoc", "javadoc")
CLIENT = "com/acme/Client.html"


@pytest.fixture
def members(library: SdkLibrary) -> Symbols:
    client = library.find("class", "Client")
    assert client is not None
    return {each.name: each for each in client.members}


def test_packages_hold_their_types(library: SdkLibrary) -> None:
    (group,) = library.groups
    listed = [(each.kind, each.name) for each in group.all()]
    assert listed == [
        (SymbolKind.MODULE, "com.acme"),
        (SymbolKind.CLASS, "Client"),
        (SymbolKind.ENUM, "Region"),
    ]
    assert group.about is not None
    assert group.about.description == (
        "Speaks to the *service*. See [`Client`](symbol:com%2Facme%2FClient.html)."
    )


def test_a_class_says_what_it_is(library: SdkLibrary) -> None:
    client = library.find("class", "com.acme.Client")
    assert client is not None
    (declared,) = client.signatures
    assert declared.code.splitlines() == [
        "public final class Client<T extends java.lang.Comparable<T>>",
        "extends java.lang.Thread",
        "implements java.lang.AutoCloseable",
    ]
    assert [(each.name, each.description) for each in declared.type_parameters] == [
        ("T", "what it finds")
    ]
    assert client.description == (
        "Speaks to the service.\n\nA client may be **shared**; 1 < 2. "
        "See [`the region`](symbol:com%2Facme%2FRegion.html%23EUROPE).\n\n"
        '```\nnew Client("k").find("users");\n```'
    )
    assert client.relations == (
        ("Extends", ((("java.lang.Thread", ""),),)),
        ("Implements", ((("java.lang.AutoCloseable", ""),),)),
    )
    assert client.see == (
        "[`Region`](symbol:com%2Facme%2FRegion.html)",
        "[The guide](<https://example.com/guide>)",
    )
    assert client.notes == (("Since", "1.2"),)


def test_ways_to_call_are_one_member(members: Symbols) -> None:
    assert [(each.kind, each.name) for each in members.values()] == [
        (SymbolKind.PROPERTY, "region"),
        (SymbolKind.CONSTRUCTOR, "Client"),
        (SymbolKind.METHOD, "find"),
        (SymbolKind.METHOD, "search"),
        (SymbolKind.METHOD, "close"),
    ]
    find = members["find"]
    first, second = find.signatures
    assert (find.id, find.also) == (
        f"{CLIENT}#find(java.lang.String,int)",
        (f"{CLIENT}#find(com.acme.Region)",),
    )
    assert first.code == "public java.util.List<T> find(java.lang.String kind, int limit)"
    assert [(p.name, plain(p.type), p.description) for p in first.parameters] == [
        ("kind", "java.lang.String", "what is looked for"),
        (
            "limit",
            "int",
            "how many at most, see [`region`](symbol:com%2Facme%2FClient.html%23region)",
        ),
    ]
    assert (plain(first.returns), first.returned) == ("java.util.List<T>", "everything that fits")
    assert [(plain(each.type), each.description) for each in first.raises] == [
        ("java.lang.IllegalStateException", "where the service fails")
    ]
    assert (second.returns, second.description) == ((), "Finds in a region.")
    assert second.parameters[0].type == (("Region", "com/acme/Region.html"),)


def test_fields_values_and_what_is_deprecated(library: SdkLibrary, members: Symbols) -> None:
    region, search = members["region"], members["search"]
    assert (plain(region.type), region.labels) == ("Region", ("protected",))
    assert search.deprecated == (
        "Use [`find(Region)`](symbol:com%2Facme%2FClient.html%23find%28com.acme.Region%29)."
    )
    assert search.signatures[0].code == "@Deprecated\npublic static void search()"
    value = library.find("property", "EUROPE", "Region")
    assert value is not None
    assert (value.kind, value.description) == (SymbolKind.VALUE, "Frankfurt.")


def test_pages_of_older_versions(read: Read) -> None:
    library, diagnostics = read("javadoc", "javadoc-8")
    assert diagnostics == []
    assert library is not None
    client = library.find("class", "com.acme.Client")
    assert client is not None
    assert client.signatures[0].code == "public class Client<T>\nextends Base"
    assert client.relations == (("Extends", ((("Base", "com/acme/Base.html"),),)),)
    assert client.inherited == ((("close", "com/acme/Base.html#close--"),),)
    (find,) = client.members
    (call,) = find.signatures
    assert (find.description, find.labels) == ("Finds what fits.", ("static",))
    assert plain(call.returns) == "java.util.List<T>"
    assert [(p.name, plain(p.type), p.description) for p in call.parameters] == [
        ("kind", "java.lang.String", "what is looked for"),
        ("limit", "int", ""),
    ]
    assert call.raises[0].type == (("Failure", "com/acme/Failure.html"),)


def test_pages_of_newer_versions(tmp_path: Path, read: Read) -> None:
    folder = tmp_path / "acme.client" / "com" / "acme"
    folder.mkdir(parents=True)
    (folder / "package-summary.html").write_text('<h1 class="title">Package com.acme</h1>')
    (folder / "X.html").write_text(
        '<!-- START OF CLASS DATA --><section class="class-description"><dl class="notes">'
        "<dt>All Known Implementing Classes:</dt><dd><code><a href='Y.html'>Y</a></code></dd></dl>"
        '<div class="horizontal-scroll"><div class="type-signature">public interface X</div>'
        '<div class="block">Told.</div><dl class="notes"><dt>Since:</dt><dd>1</dd></dl></div>'
        '</section><section class="method-details"><section class="detail" id="a(int)"><h3>a</h3>'
        '<div class="horizontal-scroll"><div class="member-signature">'
        '<span class="return-type">int</span>&nbsp;<span class="element-name">a</span>'
        '<span class="parameters">(int&nbsp;b)</span></div><div class="block">Counts.</div>'
        '<dl class="notes"><dt>Returns:</dt><dd>more</dd></dl></div></section></section>'
    )
    library, diagnostics = read("javadoc", ".", tmp_path)
    assert diagnostics == []
    assert library is not None
    found = library.find("interface", "com.acme.X")
    assert found is not None
    assert (found.description, found.notes) == ("Told.", (("Since", "1"),))
    assert found.relations == (("Implemented by", ((("Y", "acme.client/com/acme/Y.html"),),)),)
    (member,) = found.members
    assert (member.description, member.signatures[0].returned) == ("Counts.", "more")
    assert [each.name for each in member.signatures[0].parameters] == ["b"]


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>No type.</p>",
        "<!-- START OF CLASS DATA --><p>No type.</p>",
        "<!-- START OF CLASS DATA -->" + "<div>" * 5_000,
    ],
)
def test_what_is_no_output_is_reported(tmp_path: Path, read: Read, html: str) -> None:
    (tmp_path / "x.html").write_text(html)
    found, (diagnostic,) = read("javadoc", ".", tmp_path)
    assert found is None
    assert "no pages of Javadoc about types" in diagnostic


def test_hostile_pages_are_read_as_text(tmp_path: Path, read: Read) -> None:
    (tmp_path / "X.html").write_text(
        '<!-- START OF CLASS DATA --><section class="class-description">'
        '<div class="type-signature">public class X</div>'
        '<div class="block"><script>alert(1)</script><a href="javascript:alert(1)">one</a>'
        '<img src=x onerror="alert(1)"><a href="../../../etc/passwd#x">two</a></div></section>'
    )
    library, diagnostics = read("javadoc", ".", tmp_path)
    assert diagnostics == []
    assert library is not None
    (group,) = library.groups
    assert group.symbols[0].description == "one[two](symbol:..%2F..%2F..%2Fetc%2Fpasswd%23x)"
