"""Absolute links to the site."""

from __future__ import annotations

import re
from urllib.parse import quote

from docstead.content.slugs import path_of
from docstead.markup.rendered import LINK_MARK

_FRAGMENT = "/-._~!$&'*+,;=:@?"
_ROOTED_TARGET = re.compile(rf"\]\({LINK_MARK}?(?=/(?!/))")


class AbsoluteLinks:
    """Links to a site. `site_url` has no trailing slash."""

    def __init__(self, site_url: str) -> None:
        self._site_url = site_url.rstrip("/")

    def to(self, slug: str, anchor: str = "") -> str:
        """Return the URL of a page or section."""
        path = quote(path_of(slug), safe="/-._~!$&'*+,;=:@")
        url = self._site_url + (path if path != "/" or not anchor else "/")
        return f"{url}#{quote(anchor, safe=_FRAGMENT)}" if anchor else url

    def absolute(self, markdown: str) -> str:
        """Make links to pages of the site absolute in Markdown."""
        return _ROOTED_TARGET.sub(lambda _: f"]({self._site_url}", markdown)
