"""Files of the last export, and which of them have not changed.

A page is unchanged if its key is, and everything else that pages depend on: the *frame*, and the
code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from docstead.base.fingerprint import code_fingerprint
from docstead.export.manifest import FileFact

if TYPE_CHECKING:
    from docstead.export.files import StaticSite


def export_code() -> str:
    """Return a fingerprint of the code from source to stored pages, and from pages to files."""
    return code_fingerprint("docstead.publishing.build", "docstead.export")


class WrittenPages(msgspec.Struct, frozen=True):
    """Pages of an export by key, and paths of the files that depend on the frame only."""

    frame: str
    keys: dict[str, str]
    framed: tuple[str, ...] = ()

    @classmethod
    def of(cls, site: StaticSite) -> WrittenPages:
        """Return the pages of an export that is written."""
        return cls(site.frame, dict(site.keys), site.framed)


class LastFiles:
    """Files of an export by path, and its pages."""

    def __init__(self, files: Mapping[str, FileFact], pages: WrittenPages) -> None:
        from docstead.theme.page import ISLANDS, slug_of_island_file

        self.files = files
        self._pages = pages
        self._islands = {
            slug_of_island_file(path): path for path in files if path.startswith(f"{ISLANDS}/")
        }

    def unchanged_pages(self, site: StaticSite) -> frozenset[str]:
        """Return pages whose files are the same as before."""
        if self._pages.frame != site.frame:
            return frozenset()
        keys = self._pages.keys
        return frozenset(
            slug for slug in site.slugs if site.keys.get(slug) and site.keys[slug] == keys.get(slug)
        )

    def keep_framed(self, site: StaticSite) -> tuple[str, ...]:
        """Let the site leave out the files that depend on the frame only, if it is the same.

        Return their paths.
        """
        if self._pages.frame == site.frame:
            site.framed = self._pages.framed
        return site.framed

    def unchanged_paths(self, site: StaticSite, pages: Iterable[str]) -> Iterator[str]:
        """Yield the paths of files that depend on the frame only, and of unchanged pages."""
        yield from self.keep_framed(site)
        for slug in pages:
            yield from self.of_page(site, slug)

    def of_page(self, site: StaticSite, slug: str) -> Iterator[str]:
        """Yield the paths of an unchanged page's files."""
        for path in (*site.page_paths(slug), self._islands.get(slug)):
            if path is not None and path in self.files:
                yield path
