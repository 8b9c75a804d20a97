"""A canonical address that is a script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docstead.content.config import Seo
from docstead.content.loader import load_repository
from docstead.site.shell import Shell, ShellMode
from handmade_sites import rendered, site

SETTINGS = """{"name": "x", "theme": "mint", "colors": {"primary": "#0055ff"},
"navigation": {"pages": ["index"]},
"seo": {"metatags": {"canonical": "javascript:alert(1)", "og:image": "/x.png"}}}"""


def test_it_is_reported_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "docs.json").write_text(SETTINGS)
    (tmp_path / "index.mdx").write_text("---\ntitle: X\n---\n\nText.\n")
    repository = load_repository(tmp_path)
    assert repository.site.config.seo.metatags == {"og:image": "/x.png"}
    assert "unsafe-link" in {each.code for each in repository.diagnostics}


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        " JavaScript:alert(1)",
        "javascript://x/%0aalert(1)",
        "data:text/html,x",
    ],
)
def test_no_page_names_it(address: str) -> None:
    def head(made: Any) -> str:
        page = Shell(made, ShellMode.hosted("", "https://docs.test")).page(rendered("index", "T"))
        return page[: page.index("</head>")]

    assert "alert(1)" not in head(site(("index",), seo=Seo(metatags={"canonical": address})))
