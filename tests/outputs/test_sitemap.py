from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lxml import etree

from docstead.content.config import Seo, SiteConfig
from docstead.content.pages import Site
from docstead.outputs.generated_texts import GeneratedTexts
from docstead.theme.document import PageShell
from docstead.theme.mode import ShellMode
from site_builders import BASE_URL

Make = Callable[..., PageShell]


def test_the_sitemap_has_absolute_urls_without_extensions(guide_site: Site, shell_of: Make) -> None:
    tree = etree.fromstring(GeneratedTexts(shell_of(guide_site)).texts()["sitemap.xml"])
    assert [url.text for url in tree.iterfind("{*}url/{*}loc")] == [
        f"{BASE_URL}/",
        f"{BASE_URL}/guides/start",
        f"{BASE_URL}/guides/deep/one",
        f"{BASE_URL}/guides/deep/two",
        f"{BASE_URL}/guides/last",
    ]


def test_robots_are_welcome_and_get_the_url_of_the_sitemap(
    guide_site: Site, shell_of: Make
) -> None:
    text = GeneratedTexts(shell_of(guide_site)).texts()["robots.txt"].decode()
    assert "Allow: /\n" in text
    assert "Content-Signal" not in text  # what is allowed needs no word
    assert text.endswith(f"Sitemap: {BASE_URL}/sitemap.xml\n")


def test_a_site_may_ask_not_to_be_indexed(guide_site: Site, shell_of: Make) -> None:
    config = SiteConfig("Acme", seo=Seo(metatags={"robots": "noindex"}))
    generated = GeneratedTexts(shell_of(replace(guide_site, config=config))).texts()
    assert set(generated) == {"sitemap.xml", "robots.txt"}
    assert b"<loc>" not in generated["sitemap.xml"]
    assert b"Disallow: /\n" in generated["robots.txt"]


def test_without_a_base_url_there_is_no_sitemap(guide_site: Site, shell_of: Make) -> None:
    generated = GeneratedTexts(shell_of(guide_site, ShellMode.hosted())).texts()
    assert "sitemap.xml" not in generated
    assert b"Sitemap" not in generated["robots.txt"]
