"""Drawings of other hosts whose scripts stood where the check did not look."""

from __future__ import annotations

import pytest

from docstead.base.errors import DocsteadError
from docstead.publishing.remote_assets import RemoteAssetReader, suffix_of
from docstead.repository.remote_assets import AssetKind

URL = "https://cdn.example/logo.svg"
NAMES = 'xmlns="http://www.w3.org/2000/svg" xmlns:h="http://www.w3.org/1999/xhtml"'
ENTITY = "<script xmlns='http://www.w3.org/2000/svg'>alert(1)</script>"


@pytest.mark.parametrize(
    "drawing",
    [
        f'<!DOCTYPE svg [<!ENTITY a "{ENTITY}">]><svg {NAMES}>&a;</svg>',
        f'<svg {NAMES}><a href="java&#9;script:alert(1)"/></svg>',
        f'<svg {NAMES}><a><animate attributeName="href" values="#;javascript:alert(1)"/></a></svg>',
        f'<svg {NAMES}><set attributeName="onclick" to="alert(1)"/></svg>',
        f'<svg {NAMES}><h:form action="https://evil.example"/></svg>',
    ],
    ids=["entity", "tab in a URL", "later value", "event", "form"],
)
def test_hidden_scripts_are_found(drawing: str) -> None:
    with pytest.raises(DocsteadError, match="scripts"):
        suffix_of(drawing.encode(), AssetKind.PICTURE)


@pytest.mark.parametrize(
    "prolog",
    [
        '<?xml-stylesheet type="text/xsl" href="https://evil.example/x.xsl"?>',
        '<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>',
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "https://evil.example/svg11.dtd">',
    ],
)
def test_the_prolog_is_not_stored(prolog: str) -> None:
    """A browser takes scripts from there where the drawing is the document."""
    assert b"evil" not in (data := stored(f"{prolog}<svg {NAMES}><g/></svg>"))
    assert b"alert" not in data
    assert b"<g/>" in data


def test_entities_of_namespaces_are_kept() -> None:
    drawing = '<!DOCTYPE svg [<!ENTITY a "http://www.w3.org/2000/svg">]><svg xmlns="&a;"/>'
    assert b'<svg xmlns="http://www.w3.org/2000/svg"/>' in stored(drawing)


def stored(drawing: str) -> bytes:
    reader = RemoteAssetReader(lambda _: drawing.encode())
    reader.read(URL, AssetKind.PICTURE)
    return reader.files[URL].data
