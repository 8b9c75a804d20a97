"""Redirects that include the base path of the site.

"/docs/old" redirects to "/docs/new" although no page has such a folder, because a proxy removes the
base path from requests. If all redirects agree, links of pages may include it as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from docstead.content.config import Redirect, SiteConfig
from docstead.content.slugs import base_path, find_slug

_FEWEST = 3  # minimum number of redirects, to exclude coincidence
_NEARLY_ALL = 0.9
_SEGMENT = re.compile(r"/[\w.-]+(?=/|$)")


def mounted(config: SiteConfig, slugs: Collection[str], assets: Collection[str]) -> SiteConfig:
    """Return the settings with redirects as requested from the site, without its base path."""
    mount = base_path(config) or _common_start(config.redirects, slugs)
    folder = f"{mount}/"[1:]
    if not mount or any(path.startswith(folder) for path in (*slugs, *assets)):
        return config
    inner = tuple(
        replace(
            each, source=_without(mount, each.source), destination=_without(mount, each.destination)
        )
        for each in config.redirects
    )
    return replace(config, mount=mount, redirects=inner)


def _common_start(redirects: Collection[Redirect], slugs: Collection[str]) -> str:
    """Return the first segment that nearly all begin with, if pages are found behind it; or ""."""
    own = [each for each in redirects if each.destination.startswith("/")]
    if len(own) < _FEWEST or not (first := _SEGMENT.match(own[0].destination)):
        return ""
    ends = [end for each in own for end in (each.source, each.destination)]
    sharing = sum(end == first[0] or end.startswith(f"{first[0]}/") for end in ends)
    found = sum(_leads(_without(first[0], each.destination), slugs) for each in own)
    return first[0] if sharing >= _NEARLY_ALL * len(ends) and 2 * found > len(own) else ""


def _leads(path: str, slugs: Collection[str]) -> bool:
    return ":" in path or "*" in path or find_slug(slugs, path) is not None


def _without(mount: str, path: str) -> str:
    inside = path == mount or path.startswith((f"{mount}/", f"{mount}#"))
    rest = path.removeprefix(mount) if inside else path
    return rest if rest.startswith("/") or not inside else f"/{rest}"
