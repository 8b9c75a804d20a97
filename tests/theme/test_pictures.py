from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from docstead.content.pages import Site
from docstead.markup.rendered import LINK_MARK
from docstead.theme.document import PageShell
from docstead.theme.pictures import with_sizes
from site_builders import rendered

SIZES = {"images/a b.png": (400, 200), "x.svg": (40, 20)}
SOURCE = f'src="{LINK_MARK}/images/a%20b.png"'
BOTH = 'width="400" height="200"'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"<img {SOURCE} alt=\"\"/>", f"<img {BOTH} {SOURCE} alt=\"\"/>"),
        (f"<img {SOURCE} width=\"100\">", f"<img height=\"50\" {SOURCE} width=\"100\">"),
        (f'<img class="block dark:hidden my-4" {SOURCE}>',
         f'<img {BOTH} class="block dark:hidden my-4" {SOURCE}>'),
    ],
)  # fmt: skip
def test_a_picture_says_how_large_it_is(before: str, after: str) -> None:
    assert with_sizes(f"<p>{before}</p>", SIZES) == f"<p>{after}</p>"


@pytest.mark.parametrize(
    "html",
    [
        f'<img {SOURCE} width="100%">',
        f'<img {SOURCE} height="50">',
        f'<img {SOURCE} width="5" height="5">',
        f'<img class="h-8" {SOURCE}>',
        f'<img class="own-class" {SOURCE}>',
        f'<img style="max-height:2rem" {SOURCE}>',
        f'<img src="{LINK_MARK}/unknown.png">',
        '<img src="https://a.example/x.svg">',
        f'<img data-src="{LINK_MARK}/x.svg">',
    ],
)
def test_what_an_author_says_of_its_size_stays(html: str) -> None:
    assert with_sizes(html, SIZES) == html


def test_pages_of_a_site_say_it(guide_site: Site, shell_of: Callable[..., PageShell]) -> None:
    shell = shell_of(replace(guide_site, image_sizes={"x.svg": (40, 20)}))
    page = shell.page(rendered("guides/start", f'<img src="{LINK_MARK}/x.svg">'))
    assert '<img width="40" height="20" src="../x.svg">' in page
