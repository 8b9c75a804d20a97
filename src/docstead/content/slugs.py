"""Conversion between files, slugs and URL paths."""

from __future__ import annotations

import posixpath
from collections.abc import Container
from urllib.parse import unquote, urlsplit

from docstead.content.config import CANONICAL, SiteConfig
from docstead.content.pages import Site

PAGE_SUFFIXES = (".mdx", ".md")


def slug_of(file: str) -> str:
    """Return the slug of a file, its path without extension."""
    return _without_suffix(file.strip("/"))


def repository_path(path: str) -> str:
    """Normalize the path of a file in settings: `./a`, `/a` or `a`."""
    return path.removeprefix("./").lstrip("/")


def path_of(slug: str) -> str:
    """Return the URL path of a page: "index" is "/", "guides/index" is "/guides"."""
    if slug == "index":
        return "/"
    return "/" + slug.removesuffix("/index")


def find_page(site: Site, path: str) -> str | None:
    """Return the slug for any spelling of a page's path, or None."""
    return find_slug(site.pages, path)


def find_slug(slugs: Container[str], path: str) -> str | None:
    """Like `find_page`, for any collection of slugs."""
    if (written := path.strip("/")) in slugs:
        return written  # names may contain characters that end a path elsewhere
    bare = clean_path(path)
    for requested in (bare, _without_suffix(bare)):
        for slug in _spellings(requested):
            if slug in slugs:
                return slug
    return None


def base_path(config: SiteConfig) -> str:
    """Return the base path at which the repository expects its site, or "".

    It is the path of the canonical URL (docs/reference/docs-json.mdx), such as "/docs" of
    "https://example.com/docs", whose authors write "/docs/images/x.png". Otherwise it is the common
    prefix of redirects (`repository.mounting`).
    """
    return config.mount or urlsplit(config.seo.metatags.get(CANONICAL, "")).path.rstrip("/")


def inner_path(config: SiteConfig, path: str) -> str:
    """Return a root-absolute path in a page's source without the site's base path."""
    return path_below(base_path(config), path)


def path_below(base: str, path: str) -> str:
    """Return a root-absolute path without the base path, if it is below it."""
    inside = base and (path == base or path.startswith(f"{base}/"))
    return path.removeprefix(base) or "/" if inside else path


def clean_path(path: str) -> str:
    """Return a root-relative path without surrounding slashes, query, fragment and escapes."""
    path = unquote(path.split("#", 1)[0].split("?", 1)[0])
    normal = posixpath.normpath("/" + path.lstrip("/"))
    return normal.strip("/")


def _spellings(path: str) -> tuple[str, ...]:
    if not path:
        return ("index",)
    if path.endswith("/index"):
        return (path, path.removesuffix("/index"))
    return (path, f"{path}/index")


def _without_suffix(path: str) -> str:
    for suffix in PAGE_SUFFIXES:
        if path.endswith(suffix):
            return path.removesuffix(suffix)
    return path
