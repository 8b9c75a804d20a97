"""Absolute links to the site."""

from __future__ import annotations

import re
from urllib.parse import quote

from docstead.content.slugs import path_of
from docstead.markup.rendered import LINK_MARK

_FRAGMENT = "/-._~!$&'*+,;=:@?"
_OWN_TARGET = re.compile(rf"\]\({LINK_MARK}?(?=/(?!/)|(?P<anchor>#))")


class AbsoluteLinks:
    """Links to a site. `site_url` has no trailing slash."""

    def __init__(self, site_url: str) -> None:
        self._site_url = site_url.rstrip("/")

    def to(self, slug: str, anchor: str = "") -> str:
        """Return the URL of a page or section."""
        path = self._path(slug)
        url = self._site_url + (path if path != "/" or not anchor else "/")
        return f"{url}#{quote(anchor, safe=_FRAGMENT)}" if anchor else url

    def absolute(self, markdown: str, slug: str) -> str:
        """Make links to pages of the site, and to headings of the page, absolute in Markdown."""
        page = self._site_url + self._path(slug)
        return _OWN_TARGET.sub(
            lambda found: f"]({page if found['anchor'] else self._site_url}", markdown
        )

    def _path(self, slug: str) -> str:
        return quote(path_of(slug), safe="/-._~!$&'*+,;=:@")
