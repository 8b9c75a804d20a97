"""The folder that the last export wrote: files that have not changed are linked from it.

A page is unchanged if its key is, and everything else that pages depend on: the *frame*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from docstead.export.files import StaticSite
from docstead.export.manifest import FileFact, ManifestWriter
from docstead.export.static_file import StaticFile
from docstead.export.writing import link_or_copy, write_file
from docstead.theme.page import ISLANDS, slug_of_island_file


class WrittenPages(msgspec.Struct, frozen=True):
    """Pages of an export's folder by key, and paths of the files that depend on the frame only."""

    frame: str
    keys: dict[str, str]
    framed: tuple[str, ...] = ()


class PreviousFolder:
    """The folder, its files by path, and its pages."""

    def __init__(self, folder: Path, files: Mapping[str, FileFact], pages: WrittenPages) -> None:
        self._folder = folder
        self._files = files
        self._pages = pages
        self._islands = {
            slug_of_island_file(path): path for path in files if path.startswith(f"{ISLANDS}/")
        }
        self._by_digest = {fact.sha256: path for path, fact in files.items()}

    def unchanged_pages(self, site: StaticSite) -> frozenset[str]:
        """Return pages whose files are the same as before."""
        if self._pages.frame != site.frame:
            return frozenset()
        keys = self._pages.keys
        return frozenset(
            slug for slug in site.slugs if site.keys.get(slug) and site.keys[slug] == keys.get(slug)
        )

    def link_framed(self, site: StaticSite, root: Path, manifest: ManifestWriter) -> None:
        """Link the files that depend on the frame only, if it is the same as before."""
        if self._pages.frame == site.frame:
            site.framed = self._pages.framed
            self._link_known(site.framed, root, manifest)

    def link_page(
        self, slug: str, paths: Iterable[str], root: Path, manifest: ManifestWriter
    ) -> None:
        """Link the files of an unchanged page: those of these `paths`, and its islands."""
        islands = self._islands.get(slug)
        self._link_known((*paths, *((islands,) if islands else ())), root, manifest)

    def _link_known(self, paths: Iterable[str], root: Path, manifest: ManifestWriter) -> None:
        for path in paths:
            if (fact := self._files.get(path)) is not None:
                _link(f"{self._folder}/{path}", f"{root}/{path}")
                manifest.files[path] = fact

    def link_or_write(self, file: StaticFile, root: Path, manifest: ManifestWriter) -> None:
        """Link a file with the same contents, wherever it was, or write it."""
        known = self._by_digest.get(digest) if (digest := file.digest()) else None
        if known is None or (root / file.path).exists():
            (root / file.path).unlink(missing_ok=True)  # never write through a link
            write_file(root / file.path, manifest.recording(file.path, file.blocks()))
        else:
            _link(f"{self._folder}/{known}", f"{root}/{file.path}")
            manifest.files[file.path] = self._files[known]


def _link(source: str, target: str) -> None:
    try:
        link_or_copy(source, target)
    except FileNotFoundError:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        link_or_copy(source, target)
