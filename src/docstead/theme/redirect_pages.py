"""Pages of a bundle that redirect in the browser, for static hosting."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from docstead.content.pages import Site
from docstead.repository.redirects import RedirectTable
from docstead.theme.links import SiteLinks, marked
from docstead.theme.markup import templates

_PATTERN = re.compile(r"[*:?#%\\]|\.\.")


def redirect_pages(
    site: Site, links: SiteLinks, home: str | None, own_files: Collection[str]
) -> Mapping[str, str]:
    """Return HTML by file: of the root if it has no page, and of redirects.

    `home` is the slug of the page that the root shows. Patterns, and paths with a page or a file
    of the repository, get none.
    """
    pages: dict[str, str] = {}
    name = site.config.name
    if home not in (None, "index"):
        slug = home or ""
        pages["index.html"] = _document(links, name, links.target_of(slug), links.public_path(slug))
    for redirect in site.config.redirects:
        source = redirect.source.strip("/")
        is_exact = source not in ("", "index") and not _PATTERN.search(source)
        page = source.removesuffix(".html")
        is_taken = page in site.pages or f"{page}.html" in own_files
        if is_exact and not is_taken and RedirectTable([redirect]).match(f"/{source}"):
            target = links.resolve(marked(redirect.destination), _file_path(source))
            document = _document(links, name, target, redirect.destination)
            pages.setdefault(f"{_file_path(page)}.html", document)
    return pages


def _document(links: SiteLinks, name: str, destination: str, path: str) -> str:
    canonical = path if "://" in path else links.absolute(path)
    template = templates().get_template("redirect.html")
    return template.render(destination=destination, canonical=canonical, name=name)


def _file_path(source: str) -> str:
    """Return the path of a redirect below the root, without empty and `.` segments."""
    return "/".join(part for part in source.split("/") if part not in ("", "."))
