"""The browser search of a site with versions."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from lxml import html as lxml_html

from docstead.content.navigation import NodeKind
from docstead.outputs.search_bundle import INDEX
from docstead.publishing.browser_search import search_files
from docstead.theme.document import PageShell
from site_builders import group, make_site, node, page, rendered
from small_shells import built, shell_of

__all__ = ["built", "shell_of"]

VERSIONS = {"index": "2.0", "beta": "3.0-beta", "old": "1.0"}


def test_versions_have_the_order_of_their_menu(shell_of: Callable[..., PageShell]) -> None:
    versions = (node(NodeKind.VERSION, of, group("G", page(slug))) for slug, of in VERSIONS.items())
    site = make_site(*versions)
    metas = {slug: replace(site.pages[slug], version=of) for slug, of in VERSIONS.items()}
    site = replace(site, pages=metas)
    shell = shell_of(site)

    files = dict(search_files(shell, site, map(rendered, sorted(VERSIONS))))
    index = json.loads(files[INDEX].decode().partition(",")[2].removesuffix(");\n"))
    listed = [version for _, version, _ in index["s"]]
    menu: lxml_html.HtmlElement = lxml_html.document_fromstring(shell.page(rendered("index")))
    assert listed == [
        each.text_content().strip() for each in menu.cssselect("[data-menu=version] a")
    ]
    assert listed == ["2.0", "3.0-beta", "1.0"]
