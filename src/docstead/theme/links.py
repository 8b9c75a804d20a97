"""Resolution of links in stored pages: `LINK_MARK` and a root-absolute path become a URL."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from html import escape, unescape
from urllib.parse import quote

from docstead.content.generated_files import MCP
from docstead.content.pages import Site
from docstead.content.slugs import find_page, path_of
from docstead.markup.rendered import LINK_MARK
from docstead.repository.redirects import RedirectTable
from docstead.theme.mode import ShellMode

_MARKED = re.compile(LINK_MARK + r"/*([^\"'\s<>#?]*)([^\"'\s<>]*)")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_REFUSED = re.compile(r"(?:javascript|vbscript|data)\s*:", re.IGNORECASE)
_UNSEEN = re.compile(r"[\x00-\x1f]")  # browsers ignore these in URLs
_MAX_REDIRECTS = 5
_REMEMBERED = 8_192  # cached URLs, most of which neighboring pages share


class SiteLinks:
    """Resolves the links of one site in one mode."""

    def __init__(self, site: Site, mode: ShellMode) -> None:
        self._site = site
        self._mode = mode
        self._targets: dict[str, str] = {}
        self._below = lru_cache(_REMEMBERED)(self._url_below)

    @cached_property
    def _redirects(self) -> RedirectTable:
        return RedirectTable(self._site.config.redirects)

    def file_of(self, slug: str) -> str:
        """Return the file of a page in a bundle, "guides/start.html"."""
        return f"{slug}.html"

    def markdown_of(self, slug: str) -> str:
        """Return the file of a page's Markdown version, in both modes."""
        return f"{slug}.md"

    def prefix(self, slug: str) -> str:
        """Return the path from a page to the root of the site: "../", or the base path and "/"."""
        return "../" * slug.count("/") if self._mode.files else f"{self._mode.base_path}/"

    @property
    def root(self) -> str:
        """Return the root of the site for the 404 page, which is shown at any depth.

        A bundle without a known location can only be viewed from a folder.
        """
        return f"{self._mode.base_path}/" if self._mode.is_placed else ""

    def href(self, from_slug: str, to_path: str) -> str:
        """Return the link from a page to a path of the site, keeping query and fragment."""
        return self.resolve(LINK_MARK + quote(to_path, safe="/#?&=%:@~+,;!$()*"), from_slug)

    def resolve(self, html: str, from_slug: str) -> str:
        """Resolve every marked link in the HTML of this page."""
        return self.resolve_below(html, self.prefix(from_slug))

    def resolve_below(self, html: str, prefix: str) -> str:
        """Like `resolve`, for pages that reach the root of the site by `prefix`."""

        def url(match: re.Match[str]) -> str:
            path, rest = match.groups()
            found = self._below(prefix, path)
            return _joined(found, rest) if rest else found

        return _MARKED.sub(url, html)

    def _url_below(self, prefix: str, path: str) -> str:
        target = self.target(path) if "&" not in path else self._escaped(path)
        return target if _SCHEME.match(target) else prefix + target or "./"

    def _escaped(self, path: str) -> str:
        """Return the target of a path, escaped for an attribute."""
        return escape(self.target(unescape(path)), quote=True)

    def target(self, path: str) -> str:
        """Return a path below the root, without a leading slash; cached.

        A redirect of a bundle may lead to a URL of another site.
        """
        found = self._targets.get(path)
        if found is None:
            found = self._targets[path] = self._find(path, _MAX_REDIRECTS)
        return found

    def _find(self, path: str, redirects_left: int) -> str:
        if (slug := find_page(self._site, path)) is not None:
            return self.target_of(slug)
        if not path:
            # A root without a page: hosting redirects, and a bundle has a file.
            return self.file_of("index") if self._mode.files else ""
        match = self._redirects.match("/" + path) if self._mode.files else None
        if match is None or redirects_left == 0:
            # At the root of a bundle, text before a colon would be a scheme.
            return f"./{path}" if ":" in path.partition("/")[0] else path
        if _SCHEME.match(match.destination):
            return match.destination
        bare, mark, fragment = match.destination.partition("#")
        return self._find(bare.strip("/"), redirects_left - 1) + mark + fragment

    def target_of(self, slug: str) -> str:
        """Return the path of a page below the root."""
        if self._mode.files:
            return quote(self.file_of(slug))
        return quote(path_of(slug).lstrip("/"))

    def absolute(self, path: str) -> str:
        """Return the public URL of a path, or "" if the site has none."""
        return f"{self._mode.base_url}{path}" if self._mode.base_url else ""

    @property
    def tools(self) -> str:
        """Return the URL of the site's MCP server, which only the service has."""
        return "" if self._mode.files else self.absolute(f"/{MCP}")

    def public(self, slug: str) -> str:
        """Return the public URL of a page without extension, or "" if the site has none."""
        path = self.public_path(slug)
        ends = self._site.config.seo.trailing_slash and path != "/"
        return self.absolute(f"{path}/" if ends else path)

    def public_path(self, slug: str) -> str:
        """Return the path of a page relative to the public URL of the home page."""
        return quote(path_of(slug))


def marked(href: str) -> str:
    """Mark paths of the site in an author's `href`; script URLs are disabled."""
    href = _UNSEEN.sub("", href).strip()
    if _REFUSED.match(href):
        return "#"
    if _SCHEME.match(href) or href.startswith(("#", LINK_MARK)):
        return href
    return f"{LINK_MARK}/{href.removeprefix('./').lstrip('/').replace(' ', '%20')}"


def _joined(target: str, rest: str) -> str:
    """Append query and fragment; a link's own fragment overrides that of a redirect."""
    if "#" in rest and "#" in target:
        target = target.partition("#")[0]
    if "?" in rest and "#" in target:
        bare, mark, fragment = target.partition("#")
        return bare + rest + mark + fragment
    return target + rest
