"""Artifacts of documentation tools (`sdk`), and archives."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable, Mapping

from hostile_cases.case import Files, of_files, settings


def _library(kind: str, source: str, files: Files) -> Files:
    sdk = {"format": kind, "source": source, "directory": "sdk/x"}
    tabs = [{"tab": "SDK", "sdk": sdk}, {"tab": "x", "pages": ["index"]}]
    return {"docs.json": settings(navigation={"tabs": tabs}), "index.mdx": "Text.", **files}


def _zip(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return held.getvalue()


def _jar(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Files:
    return _library("javadoc", "sdk/a.jar", {"sdk/a.jar": _zip(members, method)})


def _overlapping() -> bytes:
    """An archive whose 2,000 entries all lead to one member of 50 MB."""
    content = _zip({"a.html": b"\0" * 50_000_000})
    start = content.index(b"PK\x01\x02")
    entry = content[start : content.index(b"PK\x05\x06")]
    end = bytearray(content[content.index(b"PK\x05\x06") :])
    end[8:12] = (2_000).to_bytes(2, "little") * 2
    end[12:16] = (len(entry) * 2_000).to_bytes(4, "little")
    return content[:start] + entry * 2_000 + bytes(end)


def _understated() -> bytes:
    """An archive whose directory says that 150 MB unpack to one byte."""
    content = bytearray(_zip({"index.html": b"\0" * 150_000_000}))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = content.index(mark) + offset
        content[at : at + 4] = (1).to_bytes(4, "little")
    return bytes(content)


def _typedoc(children: object) -> Files:
    document = {"id": 0, "name": "x", "kind": 1, "schemaVersion": "2.0", "children": children}
    return _library("typedoc", "sdk/t.json", {"sdk/t.json": json.dumps(document)})


def _typedoc_raw(text: str) -> Callable[[], Files]:
    return lambda: _library("typedoc", "sdk/t.json", {"sdk/t.json": text})


def _phpdoc(text: str) -> Callable[[], Files]:
    return lambda: _library("phpdoc", "sdk/s.xml", {"sdk/s.xml": text})


_ENTITIES = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(10))
_MAKERS: dict[str, Callable[[], Files]] = {
    "typedoc-depth": _typedoc_raw(
        '{"id":1,"name":"x","kind":4,"children":[' * 50_000 + "]}" * 50_000
    ),
    "typedoc-many": lambda: _typedoc(
        [{"id": n, "name": f"a{n}", "kind": 64, "signatures": []} for n in range(100_001)]
    ),
    "typedoc-type-depth": _typedoc_raw(
        '{"id":0,"name":"x","kind":1,"children":[{"id":1,"name":"a","kind":2097152,"type":'
        + '{"type":"array","elementType":' * 5_000
        + '{"type":"intrinsic","name":"x"}'
        + "}" * 5_000
        + "}]}"
    ),
    "typedoc-circle": lambda: _typedoc(
        [
            {
                "id": n,
                "name": f"A{n}",
                "kind": 128,
                "extendedTypes": [{"type": "reference", "target": 1 - n, "name": "A"}],
            }
            for n in (0, 1)
        ]
    ),
    "typedoc-odd": lambda: _typedoc([None, 3, {"id": {}, "kind": "x", "name": None}, [[]]]),
    "typedoc-51-megabytes": _typedoc_raw('{"name":"' + "x" * 51_000_000 + '"}'),
    "phpdoc-entities": _phpdoc(
        f'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a0 "lol">{_ENTITIES}]><project>&a10;</project>'
    ),
    "phpdoc-external": _phpdoc(
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">'
        '<!ENTITY % y SYSTEM "file:///dev/zero"> %y;]><project>&x;</project>'
    ),
    "phpdoc-long-entity": _phpdoc(
        f'<!DOCTYPE a [<!ENTITY x "{"x" * 100_000}">]><project>{"&x;" * 100_000}</project>'
    ),
    "phpdoc-depth": _phpdoc("<project>" + "<a>" * 500_000),
    "phpdoc-attributes": _phpdoc(
        "<project " + " ".join(f'a{n}="x"' for n in range(200_000)) + "></project>"
    ),
    "javadoc-bomb": lambda: _jar({"index.html": b"\0" * 300_000_000}),
    "javadoc-many": lambda: _jar({f"f{n}.html": b"" for n in range(60_000)}),
    "javadoc-nested": lambda: _jar({"a.jar": _zip({"b.jar": _zip({"c": b"\0" * 10_000_000})})}),
    "javadoc-understated": lambda: _library("javadoc", "sdk/a.jar", {"sdk/a.jar": _understated()}),
    "javadoc-overlapping": lambda: _library("javadoc", "sdk/a.jar", {"sdk/a.jar": _overlapping()}),
    "javadoc-lzma": lambda: _jar({"a.html": b"\0" * 250_000_000}, zipfile.ZIP_LZMA),
    "javadoc-names": lambda: _jar(
        {"../../../marker": b"x", "/etc/x": b"x", "a/" * 5_000 + "b": b"x", "a\\..\\b": b"x"}
    ),
    "javadoc-markup": lambda: _jar(
        {
            "element-list": b"a\n",
            "a/A.html": b"<div>" * 500_000,
            "a/B.html": b"<table><td>" * 100_000,
        }
    ),
    "javadoc-broken": lambda: _library(
        "javadoc", "sdk/a.jar", {"sdk/a.jar": b"PK\x05\x06" * 99_999}
    ),
    "sphinx-many": lambda: _library(
        "sphinx", "sdk/p", {f"sdk/p/f{n}.fjson": '{"body": "<dl>"}' for n in range(2_000)}
    ),
    "sphinx-body": lambda: _library(
        "sphinx", "sdk/p", {"sdk/p/a.fjson": json.dumps({"body": "<dl class='py class'>" * 50_000})}
    ),
    "sphinx-inventory": lambda: _library(
        "sphinx",
        "sdk/p",
        {"sdk/p/objects.inv": gzip.compress(b"\0" * 300_000_000), "sdk/p/a.fjson": "{}"},
    ),
    "docfx-aliases": lambda: _library(
        "docfx",
        "sdk/d",
        {"sdk/d/a.yml": "### YamlMime:ManagedReference\nitems: &a\n- *a\n- *a\nreferences: *a\n"},
    ),
    "docfx-doubling": lambda: _library(
        "docfx",
        "sdk/d",
        {
            "sdk/d/a.yml": "### YamlMime:ManagedReference\na0: &a0 [x]\n"
            + "".join(f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]\n" for n in range(12))
            + "items: *a12\n"
        },
    ),
    "docfx-long": lambda: _library(
        "docfx",
        "sdk/d",
        {"sdk/d/a.yml": "### YamlMime:ManagedReference\nitems:\n" + "- uid: A\n" * 300_000},
    ),
    "source-outside": lambda: _library("typedoc", "../canary.json", {}),
    "source-device": lambda: _library("typedoc", "/dev/zero", {}),
    "source-folder-itself": lambda: _library("sphinx", ".", {}),
}

CASES = of_files("libraries", _MAKERS)
