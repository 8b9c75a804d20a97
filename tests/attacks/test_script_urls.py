"""URLs that are scripts, in metadata and elements; names of hosts that clients link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docstead.assistant.writing.link_policy import LinkPolicy
from docstead.assistant.writing.markdown_units import MarkdownSplitter
from docstead.assistant.writing.sanitizer import MarkdownSanitizer
from docstead.content.config import Seo, SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import Page, PageMeta, Repository, Site
from docstead.loading.loader import load_repository
from docstead.rendering import RenderingEngine
from docstead.theme.document import PageShell
from docstead.theme.mode import ShellMode
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
    "url",
    [
        "javascript:alert(1)",
        " JavaScript:alert(1)",
        "javascript://x/%0aalert(1)",
        "data:text/html,x",
    ],
)
def test_no_page_names_it(url: str) -> None:
    def head(made: Any) -> str:
        page = PageShell(made, ShellMode.hosted("", "https://docs.test")).page(
            rendered("index", "T")
        )
        return page[: page.index("</head>")]

    assert "alert(1)" not in head(site(("index",), seo=Seo(metatags={"canonical": url})))


@pytest.fixture(scope="module")
def elements() -> str:
    """HTML of elements whose URLs are scripts, and of some that are none."""
    script = "javascript:alert(1)"
    body = "\n\n".join(
        (
            f"<a href={{['{script}']}}>list</a>",
            f"<a href={{{{ toString: () => '{script}' }}}}>object</a>",
            f'<a HREF="{script}">upper case</a>',
            f'<map><area href=" java\tscript:alert(1)" /><area href={{["{script}"]}} /></map>',
            f'<form action="{script}"><button formAction="{script}">a</button></form>',
            '<form><input type="submit" formaction="vbscript:alert(1)" /></form>',
            f'<svg><a xlinkHref="{script}"><text>a</text></a></svg>',
            f'<svg><a xlink:href={{["{script}"]}}><text>b</text></a></svg>',
            f'<svg><a><set attributeName="href" to="{script}" /></a></svg>',
            f'<svg><a><animate attributeName="href" values="/x;{script}" /></a></svg>',
            f'<iframe src={{["{script}"]}} /><object data={{["{script}"]}} />',
            '<form action="/search"><area href="/a" /><button formAction="/b">c</button></form>',
            '<svg><use xlinkHref="#part" /><animate values="0;1" /></svg>',
        )
    )
    meta = PageMeta("page", "page.mdx", "page")
    whole = Site(SiteConfig("Test"), Navigation(), {"page": meta})
    repository = Repository(Path("/nowhere"), whole, {"page": Page(meta, body, 1)}, {}, (), ())
    with RenderingEngine(1) as engine:
        (page,) = engine.render(repository, ["page"])
    assert not page.failed, page.diagnostics
    return page.html


def test_no_element_has_a_url_that_is_a_script(elements: str) -> None:
    assert "script:" not in "".join(elements.split()).lower()


@pytest.mark.parametrize(
    "kept",
    ['action="/search"', '<area href="/a"', 'formAction="/b"', 'xlink:href="#part"',
     'values="0;1"'],
)  # fmt: skip
def test_other_urls_stay(elements: str, kept: str) -> None:
    assert kept.lower() in elements.lower()


@pytest.mark.parametrize("around", ["{}", "({})", "_{}_", "see {}.", "*{}* and more"])
@pytest.mark.parametrize(
    "name", ["www.host.unknowntld", "WWW.host.unknowntld/a?b=c", "www.intranet", "www.a-b.c_d.e"]
)
def test_names_of_hosts_in_answers_are_code(name: str, around: str) -> None:
    units, sanitizer = (
        MarkdownSplitter(),
        MarkdownSanitizer(LinkPolicy("https://docs.example", {}.get)),
    )
    found = (*units.add(around.format(name)), *units.rest())
    text = "".join(sanitizer.safe(unit).markdown for unit in found)
    assert f"`{name}`" in text


@pytest.mark.parametrize("text", ["Type www. before it.", "awww.cute", "the www prefix"])
def test_words_that_name_no_host_stay(text: str) -> None:
    units, sanitizer = (
        MarkdownSplitter(),
        MarkdownSanitizer(LinkPolicy("https://docs.example", {}.get)),
    )
    assert "`" not in "".join(sanitizer.safe(u).markdown for u in (*units.add(text), *units.rest()))
