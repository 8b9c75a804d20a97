"""sitemap.xml and robots.txt."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from docstead.content.generated_files import SITEMAP
from docstead.content.pages import PageMeta, Site
from docstead.content.public_pages import public_pages

if TYPE_CHECKING:
    from docstead.theme.links import SiteLinks

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemap_xml(site: Site, links: SiteLinks, *, hidden: bool = False) -> str:
    """Return absolute URLs without extension; "" for a site without a URL."""
    if not links.absolute("/"):
        return ""
    slugs = () if hidden else public_pages(site)
    urls = "".join(
        f"<url><loc>{escape(links.public(slug))}</loc>{_changed(site.pages[slug])}</url>\n"
        for slug in slugs
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_NAMESPACE}">\n{urls}</urlset>\n'
    )


def _changed(meta: PageMeta) -> str:
    """Return the date of a page's last change, if it is in a format for crawlers."""
    day = _DAY.match(meta.updated or "")
    return f"<lastmod>{day[0]}</lastmod>" if day else ""


def robots_txt(links: SiteLinks, *, hidden: bool = False) -> str:
    """Return robots.txt, which allows crawlers unless the whole site is hidden.

    `Content-Signal` is only used to forbid: permission is the default, and validators of robots.txt
    report it as an error.
    """
    if hidden:
        return "User-agent: *\nContent-Signal: ai-train=no, search=no, ai-input=no\nDisallow: /\n"
    sitemap = links.absolute(f"/{SITEMAP}")
    lines = ["User-agent: *", "Allow: /"]
    return "\n".join([*lines, *(("", f"Sitemap: {sitemap}") if sitemap else ())]) + "\n"
