"""Type of elements."""

from __future__ import annotations

from importlib.metadata import version

from lxml import etree, html

from docstead.base.elements import TESTED_VERSION, Element


def test_library_has_the_version_whose_private_api_is_used() -> None:
    """Before raising the version, check that all elements still have this type."""
    assert version("lxml") == TESTED_VERSION
    assert isinstance(etree.fromstring("<a/>"), Element)
    assert isinstance(html.fromstring("<p>Text"), Element)
