"""Selection of pages for an export, and links to the other pages."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from docstead.base.errors import InvalidRequest
from docstead.content.config import Redirect
from docstead.content.pages import Site
from docstead.content.slugs import find_page, path_of
from docstead.markup.rendered import LINK_MARK, RenderedPage

_PATHS_LENGTH = 10_000
_EXTENSION = re.compile(r"\.(?:mdx?|html?)\Z", re.IGNORECASE)
_MARKED = re.compile(LINK_MARK + r"/*([^\"'\s<>#?]*)")


def checked_paths(paths: Sequence[str], slugs: Collection[str]) -> tuple[str, ...]:
    """Return requested `paths` as unique slugs (docs/reference/static-export.mdx).

    Raises:
        InvalidRequest: a path is invalid or not published; the message names it.
    """
    if not paths:
        raise InvalidRequest("paths: name at least one page, or leave it out for all pages")
    if len(paths) > _PATHS_LENGTH:
        raise InvalidRequest(f"paths: must have at most {_PATHS_LENGTH} items")
    for path in paths:
        if reason := _reason(path):
            raise InvalidRequest(f"paths: {path!r} {reason}")
        if path not in slugs:
            raise InvalidRequest(f"paths: there is no published page {path!r}")
    return tuple(dict.fromkeys(paths))


def _reason(path: str) -> str | None:
    if path.startswith("/"):
        return "must not begin with a slash"
    if _EXTENSION.search(path):
        return "must not have an extension"
    if "\\" in path or not path.isprintable() or "?" in path or "#" in path or "%" in path:
        return "is not a page path"
    if any(part in ("", ".", "..") for part in path.split("/")):
        return "is not a page path"
    return None


def with_links_outward(page: RenderedPage, whole: Site, part: Site, base_url: str) -> RenderedPage:
    """Link pages that are not exported to the published site."""
    if whole is part:
        return page

    def url(match: re.Match[str]) -> str:
        slug = _left_out(match[1], whole, part)
        return match[0] if slug is None else base_url + path_of(slug)

    return replace(page, html=_MARKED.sub(url, page.html))


def with_redirects_outward(part: Site, whole: Site, base_url: str) -> Site:
    """Redirect to the published site, if it is known, where a page is not exported."""
    if whole is part or not base_url:
        return part

    def outward(redirect: Redirect) -> Redirect:
        path, mark, fragment = redirect.destination.partition("#")
        slug = _left_out(path, whole, part)
        if slug is None:
            return redirect
        return replace(redirect, destination=base_url + path_of(slug) + mark + fragment)

    redirects = tuple(map(outward, part.config.redirects))
    return replace(part, config=replace(part.config, redirects=redirects))


def _left_out(path: str, whole: Site, part: Site) -> str | None:
    """Return the slug of the page at this path if it is not exported."""
    slug = find_page(whole, path)
    return None if slug in part.pages else slug
